import * as z from 'zod'

import { AppErrorShape } from '../../src-shared/domain/app-error'
import { EVENT_CHANNELS, REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import type { Bridge, Reply, RequestChannel } from '../../src-shared/ipc/contract'
import { MAX_REQUEST_BYTES } from '../../src-shared/ipc/socket-limit'

const WRONG_TOKEN = 4401
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

const Incoming = z.union([
  /** The token of the link worked once; the tab goes on with this one. */
  z.object({ type: z.literal('welcome'), token: z.string() }),
  z.object({
    id: z.number(),
    reply: z.union([
      z.object({ ok: z.literal(true), value: z.unknown().default(undefined) }),
      z.object({ ok: z.literal(false), error: AppErrorShape }),
    ]),
  }),
  z.object({ event: z.enum(EVENT_CHANNELS), payload: z.unknown() }),
])

type Listener = (payload: unknown) => void

const DISCONNECTED: Reply<never> = {
  ok: false,
  error: {
    code: 'DISCONNECTED',
    message: 'Can’t reach Patchbay.',
    hint: 'The page reconnects automatically when Patchbay is running.',
  },
}

const TOO_LARGE: Reply<never> = {
  ok: false,
  error: {
    code: 'MESSAGE_TOO_LARGE',
    message: `This request is larger than ${String(MAX_REQUEST_BYTES / 1024 / 1024)} MB.`,
    hint: 'Send less data, or pass a file path that the server can read.',
  },
}

/** `token` is null when the page has none; a link's token works once, and `keepToken` hears of the one that main gives for it. */
export type SocketLinkOptions = {
  readonly url: string
  readonly token: string | null
  readonly keepToken: (token: string) => void
}

/** Main would cut the line, and end what else is on its way. */
function isTooLarge(text: string): boolean {
  // A letter takes three bytes at most.
  return text.length * 3 > MAX_REQUEST_BYTES && new Blob([text]).size > MAX_REQUEST_BYTES
}

/** A line over one socket: opens it, greets with the token, and opens it again whenever it is lost. */
class SocketLine {
  readonly #pending = new Map<number, (reply: Reply<unknown>) => void>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #watchers = new Set<(connection: Connection) => void>()
  #connection: Connection = 'connecting'
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #nextId = 1
  #wait = FIRST_WAIT_MS
  #closed = false

  #token: string | null

  constructor(readonly options: SocketLinkOptions) {
    this.#token = options.token
    if (options.token === null) this.#connection = 'refused'
    else this.#open()
  }

  request(channel: RequestChannel, input: unknown): Promise<Reply<unknown>> {
    if (this.#connection !== 'connected') return Promise.resolve(DISCONNECTED)
    const id = this.#nextId++
    const text = JSON.stringify({ id, channel, input })
    if (isTooLarge(text)) return Promise.resolve(TOO_LARGE)
    return new Promise((settle) => {
      this.#pending.set(id, settle)
      this.#socket?.send(text)
    })
  }

  listen(channel: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  watch(watcher: (connection: Connection) => void): () => void {
    this.#watchers.add(watcher)
    watcher(this.#connection)
    return () => this.#watchers.delete(watcher)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#socket?.close()
  }

  #open(): void {
    const socket = new WebSocket(this.options.url)
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ token: this.#token }))
    socket.onmessage = (message) => this.#hear(message.data)
    socket.onclose = (event) => this.#lose(event.code)
  }

  #hear(data: unknown): void {
    const message = parseMessage(data)
    if (!message) return
    if ('type' in message) {
      this.#wait = FIRST_WAIT_MS
      this.#token = message.token
      this.options.keepToken(message.token)
      this.#become('connected')
    } else if ('event' in message) {
      for (const listener of this.#listeners.get(message.event) ?? []) listener(message.payload)
    } else {
      this.#pending.get(message.id)?.(message.reply)
      this.#pending.delete(message.id)
    }
  }

  #lose(code: number): void {
    this.#socket = undefined
    this.#become(code === WRONG_TOKEN ? 'refused' : 'lost')
    for (const settle of this.#pending.values()) settle(DISCONNECTED)
    this.#pending.clear()
    if (this.#closed || code === WRONG_TOKEN) return
    this.#timer = setTimeout(() => this.#open(), this.#wait)
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  #become(connection: Connection): void {
    if (connection === this.#connection) return
    this.#connection = connection
    for (const watcher of this.#watchers) watcher(connection)
  }
}

function parseMessage(data: unknown): z.infer<typeof Incoming> | undefined {
  if (typeof data !== 'string') return undefined
  try {
    return Incoming.safeParse(JSON.parse(data)).data
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/**
 * The bridge over a WebSocket at `url`. Without a token it is rejected from the start; a lost socket is
 * opened again after 0.25 s to 5 s, and requests in flight then end with `DISCONNECTED`.
 */
export function openSocketLink(options: SocketLinkOptions): BridgeLink & Disposable {
  const line = new SocketLine(options)
  const requests = REQUEST_CHANNELS.map((channel) => [
    channel,
    (input: unknown) => line.request(channel, input),
  ])
  const events = EVENT_CHANNELS.map((channel) => [
    channel,
    (listener: Listener) => line.listen(channel, listener),
  ])
  return {
    // Main holds both ends to the contract, so its answers are taken as the contract says.
    bridge: {
      requests: Object.fromEntries(requests) as Bridge['requests'],
      events: Object.fromEntries(events) as Bridge['events'],
    },
    watchConnection: (listener) => line.watch(listener),
    [Symbol.dispose]: () => line.close(),
  }
}

/** Whether main can be reached: `refused` means that the token was missing or wrong, which no retry fixes. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'refused'

/** A bridge together with the state of the line it uses. */
export type BridgeLink = {
  readonly bridge: Bridge
  /** Tells the present state immediately and every change after it; returns the way to stop. */
  readonly watchConnection: (listener: (connection: Connection) => void) => () => void
}
