import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { Agent } from '../../../src-shared/domain/agents/agent'
import { bindLoopback, LOOPBACK, portOf } from '../network/bind-loopback'
import type { Timekeeper } from '../ports'
import { Admissions } from './access/admissions'
import { AgentLimits, type Limits } from './access/agent-limits'
import { answerUnreadable } from './access/answer-unreadable'
import { type BodyFault, BodyReader } from './access/body-reader'
import { isCall } from './access/is-call'
import { GATEWAY_PATH, isAgent, judgeRequest, keyOf, tooLarge } from './access/judge-request'
import { type Refusal, refuse } from './access/refusal'
import { requestKind } from './access/request-kind'
import type { AgentExchange } from './protocol/requests/agent-ports'

/** Who answers what the listener lets through. */
export type ServedEndpoint = {
  /** Settles when it is answered, or when its stream is over. */
  serve(asked: AgentExchange): Promise<void> | void
}

export type ListenerOptions = {
  /** 0 takes a free one. */
  readonly port: number
  readonly byKey: (key: string) => Agent | undefined
  readonly find: (agentId: string) => Agent | undefined
  readonly endpoint: ServedEndpoint
  readonly limits: () => Limits & { readonly maxMessageMb: number }
  readonly time: Pick<Timekeeper, 'monotonic'>
  /** An agent asked for something. */
  readonly onUse: (agentId: string) => void
  /** The number of an agent's connections is another. */
  readonly onConnections: (agentId: string) => void
  /** Something of Patchbay's own went wrong. */
  readonly onFault: (error: unknown) => void
  readonly patience?: Patience | undefined
}

/** How long the head of a request, and the whole of it, may take to arrive, and how often that is looked at, in ms. An answer takes as long as it takes. */
export type Patience = {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
}

const PATIENCE: Patience = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
}
/** How long a connection stays open without a request, in ms: longer than agents keep theirs, so that none uses one that ends. */
const KEEP_ALIVE_MS = 65_000
const MOST_HEADER_BYTES = 16 * 1024
/** What an agent may have open beside one connection for each call. */
const SPARE_CONNECTIONS = 64
const OUT_OF_TURN: Refusal = {
  status: 400,
  message: 'Wait for the answer before you send the next request on a connection.',
}
const NO_ROOM: Refusal = {
  status: 503,
  message: 'Too many large messages are on their way to Patchbay.',
  headers: { 'retry-after': '1' },
}

/** The gateway's door on 127.0.0.1: who comes in, how much and how fast. What comes in is answered elsewhere. */
export class GatewayListener {
  readonly port: number
  readonly #options: ListenerOptions
  readonly #server: Server
  readonly #admissions: Admissions
  readonly #limits: AgentLimits
  readonly #bodies = new BodyReader()
  /** The answer to the last request of each connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>()
  /** The header with the key that was proven on each connection, and whose it was. */
  readonly #proven = new WeakMap<Socket, { readonly header: string; readonly agent: Agent }>()
  /** Refused once: what else came on them is not even looked at. */
  readonly #refused = new WeakSet<Socket>()

  /** Rejects with the system's error where the port cannot be had. */
  static async open(options: ListenerOptions): Promise<GatewayListener> {
    const settings = { ...PATIENCE, ...options.patience, maxHeaderSize: MOST_HEADER_BYTES }
    const server = createServer({ ...settings, keepAliveTimeout: KEEP_ALIVE_MS })
    await bindLoopback(server, options.port, options.onFault)
    return new GatewayListener(server, options)
  }

  private constructor(server: Server, options: ListenerOptions) {
    this.port = portOf(server)
    this.#server = server
    this.#options = options
    this.#admissions = new Admissions(options.onConnections)
    this.#limits = new AgentLimits(options.limits, options.time)
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      this.#take(request, response)
    }
    server.on('connection', (socket: Socket) => this.#admissions.receive(socket))
    server.on('request', take)
    // Told to go on only once it is known who asks.
    server.on('checkContinue', take)
    server.on('checkExpectation', take)
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const last = this.#answers.get(socket)
      answerUnreadable(error.code, socket, !last?.headersSent || last.writableEnded)
    })
  }

  get url(): string {
    return `http://${LOOPBACK}:${String(this.port)}${GATEWAY_PATH}`
  }

  connectionsOf(agentId: string): number {
    return this.#admissions.countOf(agentId)
  }

  /** Ends all connections of an agent whose key is void. */
  cut(agentId: string): void {
    this.#admissions.cut(agentId)
    this.#limits.forget(agentId)
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#server.close(() => resolve(undefined))
    this.#server.closeAllConnections()
    await promise
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    if (this.#refused.has(socket)) return
    const before = this.#answers.get(socket)
    this.#answers.set(socket, response)
    // A connection that breaks is an end like others; unheard, what is still written to it would be a fault.
    response.on('error', () => socket.destroy())
    const isFree = before?.writableEnded ?? true
    const judged = isFree ? this.#judge(request) : OUT_OF_TURN
    if (!isAgent(judged)) {
      this.#refuse(request, response, judged)
      return
    }
    this.#options.onUse(judged.agentId)
    this.#serve(judged, request, response).catch((error: unknown) => {
      this.#options.onFault(error)
      if (response.headersSent) socket.destroy()
      else this.#refuse(request, response, { status: 500, message: 'Patchbay failed at this.' })
    })
  }

  #judge(request: IncomingMessage): Agent | Refusal {
    const { limits } = this.#options
    const { maxMessageMb, agentCalls } = limits()
    const mostBytes = bytesOf(maxMessageMb)
    const ownerOf = (header: string): Agent | undefined => this.#ownerOf(request.socket, header)
    const judged = judgeRequest(request, { port: this.port, ownerOf, mostBytes })
    if (!isAgent(judged)) return judged
    const most = agentCalls + SPARE_CONNECTIONS
    const isAdmitted = this.#admissions.admit(request.socket, judged.agentId, most)
    if (isAdmitted) return this.#limits.request(judged.agentId) ?? judged
    return { status: 429, message: `This agent has ${most} connections, the most it may have.` }
  }

  /** Whose key is in the header; one that the connection has shown before is not hashed with each request. */
  #ownerOf(socket: Socket, header: string): Agent | undefined {
    const { byKey, find } = this.#options
    const proven = this.#proven.get(socket)
    if (proven?.header === header) {
      const known = find(proven.agent.agentId)
      if (known?.keyHash === proven.agent.keyHash) return known
    }
    const agent = byKey(keyOf(header))
    if (agent) this.#proven.set(socket, { header, agent })
    return agent
  }

  async #serve(agent: Agent, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { agentId } = agent
    const body = request.method === 'POST' ? await this.#bodyOf(request, response) : undefined
    if (body === 'gone' || response.closed) return
    if (body === 'tooLarge' || body === 'noRoom') {
      const mostBytes = bytesOf(this.#options.limits().maxMessageMb)
      this.#refuse(request, response, body === 'noRoom' ? NO_ROOM : tooLarge(mostBytes))
      return
    }
    const kind = requestKind(request, body)
    const full = this.#limits.full(agentId, kind)
    if (full && (body === undefined || isCall(body))) {
      this.#refuse(request, response, full)
      return
    }
    const hold = this.#limits.begin(agentId, kind)
    const connected = hold()
    response.once('close', () => connected[Symbol.dispose]())
    await this.#options.endpoint.serve({ agent, request, response, body, hold })
  }

  #bodyOf(request: IncomingMessage, response: ServerResponse): Promise<Buffer | BodyFault> {
    if (request.headers.expect !== undefined) response.writeContinue()
    return this.#bodies.read(request, bytesOf(this.#options.limits().maxMessageMb))
  }

  #refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    this.#refused.add(request.socket)
    refuse(request, response, refusal)
  }
}

function bytesOf(megabytes: number): number {
  return megabytes * 1024 * 1024
}
