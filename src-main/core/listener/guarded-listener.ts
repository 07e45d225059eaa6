import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { bindLoopback, portOf } from './bind-loopback'
import { answerUnreadable, type Refusal, type RefusalForm, refuse } from './refusal'

/** Who sent a request, or why it is refused. */
export type Judged<Who> = { readonly who: Who } | { readonly refusal: Refusal }

export type GuardedOptions<Who> = {
  /** 0 takes a free one. */
  readonly port: number
  /** How slowly a request may arrive (ms), how large its head may be (bytes), and how long an idle connection is kept (ms). */
  readonly patience: Pick<
    ServerOptions,
    | 'headersTimeout'
    | 'requestTimeout'
    | 'connectionsCheckingInterval'
    | 'keepAliveTimeout'
    | 'maxHeaderSize'
  >
  readonly maxConnections?: number
  /** Judges by key, path and method, once Host and Origin are known to be right. */
  readonly judge: (request: IncomingMessage) => Judged<Who>
  /** Answers what was let in, or resolves to why it is refused after all. */
  readonly serve: (
    who: Who,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<Refusal | undefined>
  /** Takes a connection over for another protocol, from a page of this address; false refuses it. Nothing is taken over where it is missing. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean
  readonly onConnection?: (socket: Socket) => void
  /** Something of Patchbay's own went wrong. */
  readonly onFault: (error: unknown) => void
  readonly form: RefusalForm
}

const OUT_OF_TURN: Refusal = {
  status: 400,
  message: 'Wait for the response before you send the next request on a connection.',
}
const FAILED: Refusal = { status: 500, message: 'Internal error in Patchbay.' }
const NOT_TAKEN_OVER = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'

/**
 * HTTP on 127.0.0.1 alone: Host, Origin and the order of requests are checked before anything else looks at a request. The browser
 * way in and the gateway both listen with it.
 */
export class GuardedListener<Who> {
  readonly port: number
  readonly #server: Server
  readonly #options: GuardedOptions<Who>
  /** The answer to the last request of each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()
  /** Refused once: what else came on them is not even looked at. */
  readonly #refused = new WeakSet<Socket>()

  /** Rejects with the system's error where the port cannot be had. */
  static async open<Who>(options: GuardedOptions<Who>): Promise<GuardedListener<Who>> {
    const server = createServer(options.patience)
    if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections
    await bindLoopback(server, options.port, options.onFault)
    return new GuardedListener(server, options)
  }

  private constructor(server: Server, options: GuardedOptions<Who>) {
    this.port = portOf(server)
    this.#server = server
    this.#options = options
    if (options.onConnection) server.on('connection', options.onConnection)
    server.on('request', this.#take)
    // Told to go on only once it is known who asks.
    server.on('checkContinue', this.#take)
    server.on('checkExpectation', this.#take)
    const { upgrade, form } = options
    // Where nobody listens Node answers an upgrade as any other request.
    if (upgrade) server.on('upgrade', (...asked) => this.#upgrade(upgrade, ...asked))
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const last = this.#answers.get(socket)
      const isFree = !last?.headersSent || last.writableEnded
      answerUnreadable(error.code, socket, { isFree, form })
    })
  }

  /** Cuts all connections; settles when the port is free. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#server.close(() => resolve(undefined))
    this.#server.closeAllConnections()
    await promise
  }

  readonly #take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    if (this.#refused.has(socket)) return
    const before = this.#answers.get(socket)
    this.#answers.set(socket, response)
    // A connection that breaks is an end like others; unheard, what is still written to it would be a fault.
    response.on('error', () => socket.destroy())
    const isFree = before?.writableEnded ?? true
    const judged = isFree ? this.#judge(request) : { refusal: OUT_OF_TURN }
    if ('refusal' in judged) {
      this.#refuse(request, response, judged.refusal)
      return
    }
    void this.#serve(judged.who, request, response)
  }

  /** Never rejects. */
  async #serve(who: Who, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = await this.#options.serve(who, request, response)
      if (refusal) this.#refuse(request, response, refusal)
    } catch (error) {
      this.#options.onFault(error)
      if (response.headersSent) request.socket.destroy()
      else this.#refuse(request, response, FAILED)
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    this.#refused.add(request.socket)
    refuse(request, response, refusal, this.#options.form)
  }

  #judge(request: IncomingMessage): Judged<Who> {
    const message = refusalOf(request.headers, this.port)
    return message === undefined
      ? this.#options.judge(request)
      : { refusal: { status: 403, message } }
  }

  #upgrade(
    upgrade: NonNullable<GuardedOptions<Who>['upgrade']>,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    // Node hands the socket over bare: unheard, a peer that resets it would end the whole app.
    socket.on('error', () => socket.destroy())
    const { headers } = request
    const isOwn = headers.origin !== undefined && refusalOf(headers, this.port) === undefined
    if (!isOwn || !upgrade(request, socket, head)) socket.end(NOT_TAKEN_OVER)
  }
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost']

/**
 * Why a request is rejected, or undefined. `Host` must name this very listener (a page elsewhere that rebinds its name to
 * 127.0.0.1 sends its own), and `Origin`, where a browser sends one, must be this listener's.
 */
function refusalOf({ host, origin }: IncomingHttpHeaders, port: number): string | undefined {
  const hosts = LOOPBACK_NAMES.map((name) => `${name}:${String(port)}`)
  if (host === undefined || !hosts.includes(host))
    return 'This address accepts requests for 127.0.0.1 only.'
  const isOwn = origin === undefined || hosts.some((one) => origin === `http://${one}`)
  return isOwn ? undefined : 'Web pages of other addresses have no access.'
}
