import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { background } from '../lifecycle/background'
import { bindLoopback, LOOPBACK_6 } from './bind-loopback'

/** Why a request is rejected: an HTTP status, a sentence, and headers. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}
/** The sender of a request, or why it is rejected. */
export type AccessDecision<Who> = { readonly who: Who } | { readonly refusal: Refusal }

/** Formats a rejection's sentence as the body that its reader expects. */
export type RefusalForm = (message: string) => { readonly type: string; readonly text: string }

/** How connections are taken. */
export type GuardedOptions = {
  /** 0 takes a free one. */
  readonly port: number
  /** Also listens on ::1 at the same port, if this computer has IPv6 and the port is free there. */
  readonly alsoOnIPv6?: boolean
  /** Time limits of a request (ms), size limit of its head (bytes), and keep-alive of idle connections (ms). */
  readonly patience: Pick<
    ServerOptions,
    | 'headersTimeout'
    | 'requestTimeout'
    | 'connectionsCheckingInterval'
    | 'keepAliveTimeout'
    | 'maxHeaderSize'
    | 'keepAlive'
    | 'keepAliveInitialDelay'
  >
  /** Most unauthenticated connections; a newer one replaces the oldest. */
  readonly maxUnauthenticated: number
}

/** The handler of a listener's requests. */
export type GuardedSite<Who> = {
  /** Accepted hosts, if not only `127.0.0.1` and `localhost` with the port; `refusal` is the reason for any other. */
  readonly hosts?: {
    readonly isOwn: (host: string, port: number) => boolean
    readonly refusal: (host: string | undefined) => string
  }
  /** Decides by key, path and method, after Host and Origin were checked. */
  readonly decideAccess: (request: IncomingMessage) => AccessDecision<Who>
  /** Answers an accepted request, or resolves to a late rejection. */
  readonly serve: (
    who: Who,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<Refusal | undefined>
  /** Takes over a connection for another protocol, from a page of this address; false rejects. Without it, upgrades are rejected. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  readonly onFault: (error: unknown) => void
  readonly form: RefusalForm
}

/** How long a rejected request is still read, in ms: cut off immediately, the peer might not get the response. */
const LINGER_MS = 1_000
const HTTP = 'http://'
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost']
const OUT_OF_TURN: Refusal = {
  status: 400,
  message: 'Wait for the response before you send the next request on a connection.',
}
const FAILED: Refusal = { status: 500, message: 'Internal error in Patchbay.' }
const UPGRADE_REJECTED = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'

/**
 * HTTP on loopback only: Host, Origin and the order of requests are checked before anything else reads a request. Used by the browser way
 * in and the gateway.
 */
export class GuardedListener<Who> {
  readonly port: number
  readonly #servers: Server[] = []
  readonly #site: GuardedSite<Who>
  /** The host names of this listener. */
  readonly #hosts: readonly string[]
  /** The last response of each connection. */
  readonly #responses = new WeakMap<Duplex, ServerResponse>()
  readonly #unauthenticated: UnauthenticatedConnections<Socket>
  /** Removes a connection from the unauthenticated ones. */
  readonly #releases = new WeakMap<Duplex, () => void>()
  /** Rejected connections, whose later requests are ignored. */
  readonly #rejected = new WeakSet<Socket>()

  /** Rejects with the system's error if the port isn't available. */
  static async open<Who>(
    site: GuardedSite<Who>,
    options: GuardedOptions,
  ): Promise<GuardedListener<Who>> {
    const { alsoOnIPv6, patience, maxUnauthenticated } = options
    const { onFault } = site
    const server = createServer(patience)
    const port = await bindLoopback(server, options.port, onFault)
    const listener = new GuardedListener(port, site, maxUnauthenticated)
    listener.#attach(server)
    if (!alsoOnIPv6) return listener
    const other = createServer(patience)
    try {
      await bindLoopback(other, port, onFault, LOOPBACK_6)
      listener.#attach(other)
    } catch {
      // No IPv6 here, or the port is taken there: the IPv4 address is returned.
    }
    return listener
  }

  private constructor(port: number, site: GuardedSite<Who>, maxUnauthenticated: number) {
    this.port = port
    this.#hosts = LOOPBACK_NAMES.map((name) => `${name}:${String(this.port)}`)
    this.#site = site
    this.#unauthenticated = new UnauthenticatedConnections(maxUnauthenticated, (socket) =>
      socket.destroy(),
    )
  }

  /** Marks a connection as authenticated, so that no other replaces it. */
  admit(connection: Duplex): void {
    this.#releases.get(connection)?.()
  }

  /** Cuts all connections; settles when the port is free. */
  async close(): Promise<void> {
    const closing = this.#servers.map((server) => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      server.close(() => resolve(undefined))
      server.closeAllConnections()
      return promise
    })
    await Promise.all(closing)
  }

  #attach(server: Server): void {
    const { upgrade } = this.#site
    this.#servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.#releases.set(socket, this.#unauthenticated.receive(socket))
    })
    // 100-continue only after the sender was checked.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.on(event, this.#accept)
    // Without this listener Node handles an upgrade like any other request.
    if (upgrade)
      server.on('upgrade', (request, socket, head) => {
        // Node passes the bare socket: without a listener, a reset by the peer would end the app.
        socket.on('error', () => socket.destroy())
        const isOwn = request.headers.origin !== undefined && !this.#strangeness(request.headers)
        if (!isOwn || !upgrade(request, socket, head)) socket.end(UPGRADE_REJECTED)
      })
  }

  readonly #accept = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    if (this.#rejected.has(socket)) return
    const before = this.#responses.get(socket)
    this.#responses.set(socket, response)
    // A broken connection is a normal end; without a listener, pending writes would be a fault.
    response.on('error', () => socket.destroy())
    const isFree = before?.writableEnded ?? true
    const decision = isFree ? this.#decideAccess(request) : { refusal: OUT_OF_TURN }
    if ('refusal' in decision) this.#refuse(request, response, decision.refusal)
    else background(this.#serve(decision.who, request, response), 'answering a request')
  }

  /** Never rejects. */
  async #serve(who: Who, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = await this.#site.serve(who, request, response)
      if (refusal) this.#refuse(request, response, refusal)
    } catch (error) {
      this.#site.onFault(error)
      if (response.headersSent) request.socket.destroy()
      else this.#refuse(request, response, FAILED)
    }
  }

  #decideAccess(request: IncomingMessage): AccessDecision<Who> {
    const message = this.#strangeness(request.headers)
    return message === undefined
      ? this.#site.decideAccess(request)
      : { refusal: { status: 403, message } }
  }

  /**
   * Why a request is rejected, or undefined. `Host` must name this listener (a page that rebinds its name to 127.0.0.1 sends its own), and
   * `Origin`, if a browser sends one, must be this listener's.
   */
  #strangeness({ host, origin }: IncomingHttpHeaders): string | undefined {
    const { hosts } = this.#site
    const isOwn = (name: string): boolean =>
      hosts ? hosts.isOwn(name, this.port) : this.#hosts.includes(name)
    if (host === undefined || !isOwn(host))
      return hosts?.refusal(host) ?? 'This address accepts requests for 127.0.0.1 only.'
    const isFromHere =
      origin === undefined || (origin.startsWith(HTTP) && isOwn(origin.slice(HTTP.length)))
    return isFromHere ? undefined : 'Web pages of other addresses have no access.'
  }

  /** Rejects and ends the connection, because later requests on it expected this one to be served. */
  #refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    this.#rejected.add(request.socket)
    const { type, text } = this.#site.form(refusal.message)
    response.writeHead(refusal.status, {
      ...refusal.headers,
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    })
    if (request.complete) {
      response.end(text)
      return
    }
    response.write(text)
    const end = (): void => void response.end()
    const tooLong = setTimeout(end, LINGER_MS).unref()
    request.once('end', end).resume()
    response.once('close', () => clearTimeout(tooLong))
  }
}

/** A connection with a close event. */
type Connection = { once(event: 'close', listener: () => void): unknown }

/**
 * Connections that aren't authenticated yet. Beyond the limit the oldest is cut off, so that unauthorized connections can't lock out
 * authorized ones.
 */
export class UnauthenticatedConnections<T extends Connection> {
  readonly #waiting = new Set<T>()

  constructor(
    private readonly most: number,
    private readonly cut: (connection: T) => void,
  ) {}

  /** Counts a new connection until the result is called or the connection closes. */
  receive(connection: T): () => void {
    const [oldest] = this.#waiting
    if (oldest && this.#waiting.size >= this.most) {
      this.#waiting.delete(oldest)
      this.cut(oldest)
    }
    this.#waiting.add(connection)
    const release = (): void => void this.#waiting.delete(connection)
    connection.once('close', release)
    return release
  }
}
