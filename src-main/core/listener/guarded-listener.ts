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

/** Why a request is not served: an HTTP status, a sentence for who reads it, and headers beside it. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly headers?: OutgoingHttpHeaders
}
/** Who sent a request, or why it is rejected. */
export type AccessDecision<Who> = { readonly who: Who } | { readonly refusal: Refusal }

/** Writes the sentence of a refusal as the body that its reader expects. */
export type RefusalForm = (message: string) => { readonly type: string; readonly text: string }

/** How connections are taken. */
export type GuardedOptions = {
  /** 0 takes a free one. */
  readonly port: number
  /** Listens on ::1 too, at the same port, where this computer has that address and nobody else has the port there. */
  readonly alsoOnIPv6?: boolean
  /** How slowly a request may arrive (ms), how large its head may be (bytes), and how long an idle connection is kept (ms). */
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
  /** Most connections that have not shown that they may be here: the oldest is cut off for a newer one. */
  readonly maxUnauthenticated: number
}

/** What answers the requests of a listener. */
export type GuardedSite<Who> = {
  /** Which hosts it is asked as, where those are not `127.0.0.1` and `localhost` with its port as they are written; `refusal` says why another is rejected. */
  readonly hosts?: {
    readonly isOwn: (host: string, port: number) => boolean
    readonly refusal: (host: string | undefined) => string
  }
  /** Judges by key, path and method, once Host and Origin are known to be right. */
  readonly decideAccess: (request: IncomingMessage) => AccessDecision<Who>
  /** Answers what was let in, or resolves to why it is rejected after all. */
  readonly serve: (
    who: Who,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<Refusal | undefined>
  /** Takes a connection over for another protocol, from a page of this address; false rejects it. Nothing is taken over where it is missing. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  readonly onFault: (error: unknown) => void
  readonly form: RefusalForm
}

/** How long what a peer still sends is taken after it was rejected, in ms: cut off immediately, it might not hear why. */
const LINGER_MS = 1_000
const HTTP = 'http://'
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost']
const OUT_OF_TURN: Refusal = {
  status: 400,
  message: 'Wait for the response before you send the next request on a connection.',
}
const FAILED: Refusal = { status: 500, message: 'Internal error in Patchbay.' }
const NOT_TAKEN_OVER = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'

/** HTTP on this computer's loopback alone: Host, Origin and the order of requests are checked before anything else looks at a request. The browser way in and the gateway both listen with it. */
export class GuardedListener<Who> {
  readonly port: number
  readonly #servers: Server[] = []
  readonly #site: GuardedSite<Who>
  /** The names under which this very listener is asked. */
  readonly #hosts: readonly string[]
  /** The answer to the last request of each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()
  readonly #unauthenticated: UnauthenticatedConnections<Socket>
  /** Each counts a connection no longer among the unauthenticated. */
  readonly #leaving = new WeakMap<Duplex, () => void>()
  /** Rejected once: what else came on them is not even looked at. */
  readonly #rejected = new WeakSet<Socket>()

  /** Rejects with the system's error where the port cannot be had. */
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
      // no IPv6 here, or the port is another program's there: the address that is returned is the other one
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

  /** Takes a connection for one that may be here: no other cuts it off. */
  admit(connection: Duplex): void {
    this.#leaving.get(connection)?.()
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
      this.#leaving.set(socket, this.#unauthenticated.receive(socket))
    })
    // Let go on only once it is known who asks.
    for (const event of ['request', 'checkContinue', 'checkExpectation'])
      server.on(event, this.#take)
    // Where nobody listens Node answers an upgrade as any other request.
    if (upgrade)
      server.on('upgrade', (request, socket, head) => {
        // Node hands the socket over bare: unheard, a peer that resets it would end the whole app.
        socket.on('error', () => socket.destroy())
        const isOwn = request.headers.origin !== undefined && !this.#strangeness(request.headers)
        if (!isOwn || !upgrade(request, socket, head)) socket.end(NOT_TAKEN_OVER)
      })
  }

  readonly #take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    if (this.#rejected.has(socket)) return
    const before = this.#answers.get(socket)
    this.#answers.set(socket, response)
    // A connection that breaks is an end like others; unheard, what is still written to it would be a fault.
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
   * Why a request is rejected, or undefined. `Host` must name this very listener (a page elsewhere that rebinds its name to
   * 127.0.0.1 sends its own), and `Origin`, where a browser sends one, must be this listener's.
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

  /** Says no and ends the connection: what may still come on it was sent in the belief that this was served. */
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

/** What can be among strangers: a connection that tells when it is over. */
type Connection = { once(event: 'close', listener: () => void): unknown }

/** The connections that have not shown yet that they may be here. The oldest is cut off when there are too many, so that whoever opens connections without a right to it keeps nobody out who has one. */
export class UnauthenticatedConnections<T extends Connection> {
  readonly #waiting = new Set<T>()

  constructor(
    private readonly most: number,
    private readonly cut: (connection: T) => void,
  ) {}

  /** Counts a new connection among them until the result is called or the connection closes. */
  receive(connection: T): () => void {
    const [oldest] = this.#waiting
    if (oldest && this.#waiting.size >= this.most) {
      this.#waiting.delete(oldest)
      this.cut(oldest)
    }
    this.#waiting.add(connection)
    const leave = (): void => void this.#waiting.delete(connection)
    connection.once('close', leave)
    return leave
  }
}
