import * as z from 'zod'

import { AppErrorShape } from '../../src-shared/domain/app-error'
import { EVENT_CHANNELS, REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import type { Bridge, Reply, RequestChannel } from '../../src-shared/ipc/contract'
import { MAX_REQUEST_BYTES } from '../../src-shared/ipc/socket-limit'

const WRONG_TOKEN = 4401
const MIN_WAIT_MS = 250
const MAX_WAIT_MS = 5_000

const Incoming = z.union([
  /** The token of the link was used once; the tab continues with this one. */
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

/** `token` is null if the page has none. A link's token works once, and `keepToken` receives the one that main returns for it. */
export type SocketLinkOptions = {
  readonly url: string
  readonly token: string | null
  readonly keepToken: (token: string) => void
}

/** Main would close the connection, and all pending requests would fail. */
function isTooLarge(text: string): boolean {
  // A letter takes at most three bytes.
  return text.length * 3 > MAX_REQUEST_BYTES && new Blob([text]).size > MAX_REQUEST_BYTES
}

/** A connection over one socket: opens it, authenticates with the token, and reconnects when it is lost. */
class SocketConnection {
  readonly #pending = new Map<number, (reply: Reply<unknown>) => void>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #watchers = new Set<(connection: Connection) => void>()
  #connection: Connection = 'connecting'
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #nextId = 1
  #wait = MIN_WAIT_MS
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
    return new Promise((resolve) => {
      this.#pending.set(id, resolve)
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
      this.#wait = MIN_WAIT_MS
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
    for (const resolve of this.#pending.values()) resolve(DISCONNECTED)
    this.#pending.clear()
    if (this.#closed || code === WRONG_TOKEN) return
    this.#timer = setTimeout(() => this.#open(), this.#wait)
    this.#wait = Math.min(this.#wait * 2, MAX_WAIT_MS)
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
 * Opens the bridge over a WebSocket at `url`. Without a token it is rejected immediately. A lost socket reconnects after 0.25 s to 5 s, and
 * pending requests then fail with `DISCONNECTED`.
 */
export function openSocketLink(options: SocketLinkOptions): BridgeLink & Disposable {
  const line = new SocketConnection(options)
  const requests = REQUEST_CHANNELS.map((channel) => [
    channel,
    (input: unknown) => line.request(channel, input),
  ])
  const events = EVENT_CHANNELS.map((channel) => [
    channel,
    (listener: Listener) => line.listen(channel, listener),
  ])
  return {
    // Main validates both directions against the contract, so its responses are not validated again.
    bridge: {
      requests: Object.fromEntries(requests) as Bridge['requests'],
      events: Object.fromEntries(events) as Bridge['events'],
    },
    watchConnection: (listener) => line.watch(listener),
    [Symbol.dispose]: () => line.close(),
  }
}

/** Connection state to main: `refused` means that the token was missing or wrong, which no retry fixes. */
export type Connection = 'connecting' | 'connected' | 'lost' | 'refused'

/** A bridge and the state of its connection. */
export type BridgeLink = {
  readonly bridge: Bridge
  /** Calls the listener immediately and after every change; returns the function to stop. */
  readonly watchConnection: (listener: (connection: Connection) => void) => () => void
}
