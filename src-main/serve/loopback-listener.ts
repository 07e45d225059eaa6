import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { type WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod'

import { AppError } from '../../src-shared/domain/app-error'
import { jsonIn } from '../../src-shared/domain/attempt'
import { errorMessage } from '../../src-shared/domain/error-message'
import { REQUEST_CHANNELS } from '../../src-shared/ipc/channels'
import type { Reply } from '../../src-shared/ipc/contract'
import { MAX_REQUEST_BYTES } from '../../src-shared/ipc/socket-limit'
import { readRendererFile } from '../adapters/renderer-files'
import { systemTime } from '../core/lifecycle/system-time'
import { LOOPBACK } from '../core/listener/bind-loopback'
import {
  type AccessDecision,
  GuardedListener,
  type GuardedSite,
  type Refusal,
  UnauthenticatedConnections,
} from '../core/listener/guarded-listener'
import type { Timekeeper } from '../core/ports'
import { answer } from '../ipc/answer'
import type { Patchbay } from '../patchbay/open-patchbay'

const TOKEN_BYTES = 32
/** Lifetime of a link, in ms. */
export const LINK_MS = 60_000
/** Tabs that stay signed in; the oldest makes room for the next. */
const MAX_TABS = 100

/** A tab with a valid token. */
type Admission = {
  /** The tab's token to keep. */
  readonly token: string
  /** Whether the tab used a link instead of a tab's token. */
  readonly isNew: boolean
}

/**
 * Access to the browser version: the token of the only link works once, within a minute, and is exchanged for a tab's token, which works
 * until all are revoked or the listener closes.
 */
export class AccessTokens {
  #link: { readonly token: string; readonly expiry: Disposable } | undefined
  #tabs: string[] = []

  constructor(
    private readonly time: Pick<Timekeeper, 'after'>,
    /** Called when the last link has expired. */
    private readonly onLinkEnd: () => void = () => undefined,
  ) {}

  /** Creates a token for a new link, base64url; the previous link expires. */
  issueLink(): string {
    this.#link?.expiry[Symbol.dispose]()
    const token = newToken()
    this.#link = { token, expiry: this.time.after(LINK_MS, () => this.#endLink()) }
    return token
  }

  /** Undefined for an unknown token. */
  admit(offered: string): Admission | undefined {
    const tab = this.#tabs.find((token) => isSame(token, offered))
    if (tab !== undefined) return { token: tab, isNew: false }
    if (!this.#link || !isSame(this.#link.token, offered)) return undefined
    this.#endLink()
    const token = newToken()
    this.#tabs = [...this.#tabs.slice(1 - MAX_TABS), token]
    return { token, isNew: true }
  }

  /** Tabs that used a link since the start, or since all were signed out. */
  get tabs(): number {
    return this.#tabs.length
  }

  /** Revokes the tokens of all tabs, and the link. */
  revokeAll(): void {
    this.#tabs = []
    this.#endLink()
  }

  #endLink(): void {
    if (!this.#link) return
    this.#link.expiry[Symbol.dispose]()
    this.#link = undefined
    this.onLinkEnd()
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

function isSame(known: string, offered: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(offered)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const MAX_SOCKETS = 64
/** Most open sockets without a token. */
const UNAUTHENTICATED_LIMIT = 16
/** Most connections without a token, including those that only load files. */
const MAX_UNAUTHENTICATED = 256

/** A request is a line and some headers: a slow one only holds a connection; in ms. */
const SLOW_REQUEST = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
}

/** The browser version, listening on 127.0.0.1 only. */
export type LoopbackListener = {
  readonly port: number
  /** Creates a link that opens the app once, within a minute; the previous one expires. */
  issueLink(): string
  /** Signs out every tab: each needs a new link. */
  signOutTabs(): void
  close(): Promise<void>
}

/**
 * Serves the renderer's files without any data, and the contract over `/socket` with a token. Port 0 takes a free one. Rejects if the port
 * is taken.
 */
export async function listenOnLoopback(options: {
  readonly patchbay: ServedCore
  readonly rendererDir: string
  readonly port: number
  readonly time?: Pick<Timekeeper, 'after'>
  /** Called when the last link has expired. */
  readonly onLinkEnd?: () => void
  /** Called when a tab after the first used a link, with the number of such tabs. */
  readonly onFurtherTab?: (tabs: number) => void
}): Promise<LoopbackListener> {
  const { time = systemTime } = options
  const tokens = new AccessTokens(time, options.onLinkEnd)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_REQUEST_BYTES })
  const unauthenticated = new UnauthenticatedConnections<WebSocket>(
    UNAUTHENTICATED_LIMIT,
    (socket) => socket.terminate(),
  )
  const site: GuardedSite<string> = {
    decideAccess,
    serve: (path, request, response) => serveFile(path, request, response, options.rendererDir),
    upgrade: (request, socket, head) => {
      if (request.url !== '/socket' || sockets.clients.size >= MAX_SOCKETS) return false
      sockets.handleUpgrade(request, socket, head, (client) => {
        const release = unauthenticated.receive(client)
        serveSocket(client, options.patchbay, { tokens, time }, (isNew) => {
          release()
          listener.admit(socket)
          if (isNew && tokens.tabs > 1) options.onFurtherTab?.(tokens.tabs)
        })
      })
      return true
    },
    onFault: (error) => {
      process.stderr.write(`patchbay: the browser way in: ${String(error)}\n`)
    },
    form: (text) => ({ type: 'text/plain', text }),
  }
  const listener = await open(site, options.port)
  const { port } = listener
  return {
    port,
    issueLink: () => `http://${LOOPBACK}:${String(port)}/#token=${tokens.issueLink()}`,
    signOutTabs: () => {
      tokens.revokeAll()
      const before = [...sockets.clients]
      // The requester gets its answer first.
      setImmediate(() => {
        for (const client of before) endSocket(client, 'Signed out.')
      })
    },
    close: () => {
      tokens.revokeAll()
      for (const client of sockets.clients) client.terminate()
      return listener.close()
    },
  }
}

/** Files contain no data, so everyone who may request this address may read them. */
function decideAccess({ method, url = '/' }: IncomingMessage): AccessDecision<string> {
  if (method !== 'GET' && method !== 'HEAD')
    return { refusal: { status: 405, message: 'Use GET.', headers: { allow: 'GET, HEAD' } } }
  return { who: url.split(/[?#]/u)[0] ?? '/' }
}

async function serveFile(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  rendererDir: string,
): Promise<Refusal | undefined> {
  const connect = ["'self'", `ws://${request.headers.host ?? ''}`]
  const file = await readRendererFile(rendererDir, path, connect)
  // Keeps pages of other addresses from loading a file, and so from detecting Patchbay.
  const headers = { ...file.headers, 'cross-origin-resource-policy': 'same-origin' }
  response.writeHead(file.status, headers)
  response.end(request.method === 'HEAD' ? undefined : file.body)
  return undefined
}

async function open(site: GuardedSite<string>, port: number): Promise<GuardedListener<string>> {
  try {
    return await GuardedListener.open(site, {
      ...{ port, patience: SLOW_REQUEST, maxUnauthenticated: MAX_UNAUTHENTICATED },
    })
  } catch (cause) {
    const reason = errorMessage(cause)
    const message = `Can't use port ${String(port)}: ${reason}.`
    throw new AppError('NOT_AVAILABLE_HERE', message, {
      cause,
      hint: 'Choose another port with --port, or omit it to use a free one.',
    })
  }
}

/** The part of the core that pages reach. */
export type ServedCore = Pick<Patchbay, 'handlers' | 'onEvent'>

const GREETING_MS = 5_000
const CLOSING_MS = 1_000
const GREETING_LENGTH = 1_024
/** A reader this many bytes behind is disconnected: it reconnects and gets a new snapshot. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024

const CLOSE = { badToken: 4401, badMessage: 1007, behind: 1013 } as const

const Greeting = z.object({ token: z.string() })
const Request = z.object({
  id: z.number().int().nonnegative(),
  channel: z.enum(REQUEST_CHANNELS),
  input: z.unknown(),
})

/**
 * Serves the typed contract over one socket. The first message must be the token; before it nothing is read or sent. Closes with 4401 if
 * the token is missing, late or wrong; `onAdmitted` is called when it is right, with whether it was a link's.
 */
function serveSocket(
  socket: WebSocket,
  patchbay: ServedCore,
  access: { readonly tokens: AccessTokens; readonly time: Pick<Timekeeper, 'after'> },
  onAdmitted: (isNew: boolean) => void,
): void {
  // A broken socket is followed by its close, which cleans up.
  socket.on('error', () => socket.terminate())
  const timeout = access.time.after(GREETING_MS, () => endSocket(socket, 'The token is missing.'))
  socket.once('close', () => timeout[Symbol.dispose]())
  socket.once('message', (raw: Buffer) => {
    timeout[Symbol.dispose]()
    const text = raw.length > GREETING_LENGTH ? '' : raw.toString('utf8')
    const greeting = Greeting.safeParse(jsonIn(text)).data
    const admission = greeting && access.tokens.admit(greeting.token)
    if (admission === undefined) {
      endSocket(socket, 'The token is invalid.')
      return
    }
    onAdmitted(admission.isNew)
    socket.send(JSON.stringify({ type: 'welcome', token: admission.token }))
    connect(socket, patchbay)
  })
}

/** Closes a socket without a valid token. */
function endSocket(socket: WebSocket, why: string): void {
  socket.close(CLOSE.badToken, why)
  // The close waits for an answer, but not forever.
  setTimeout(() => socket.terminate(), CLOSING_MS).unref()
}

function connect(socket: WebSocket, patchbay: ServedCore): void {
  const events = patchbay.onEvent(({ channel, payload }) => {
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.close(CLOSE.behind, 'Too far behind.')
    else socket.send(JSON.stringify({ event: channel, payload }))
  })
  socket.once('close', () => events[Symbol.dispose]())
  socket.on('message', (raw: Buffer) => {
    const request = Request.safeParse(jsonIn(raw.toString('utf8'))).data
    if (!request) {
      socket.close(CLOSE.badMessage, 'Invalid message.')
      return
    }
    void answer(patchbay.handlers, request.channel, request.input).then((reply) =>
      socket.send(asText(request.id, reply)),
    )
  })
}

/** A reply as JSON; one that JSON can't represent (too deep) becomes an error, so that the caller gets an answer. */
function asText(id: number, reply: Reply<unknown>): string {
  try {
    return JSON.stringify({ id, reply })
  } catch (error) {
    process.stderr.write(`patchbay: an answer could not be sent: ${String(error)}\n`)
    const message = 'The response is nested too deeply to show.'
    return JSON.stringify({ id, reply: { ok: false, error: { code: 'INTERNAL', message } } })
  }
}
