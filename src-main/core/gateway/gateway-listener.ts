import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Agent } from '../../../src-shared/domain/agents/agent'
import { LOOPBACK } from '../listener/bind-loopback'
import { GuardedListener, type GuardedOptions, type Judged } from '../listener/guarded-listener'
import { AS_JSON_RPC, type Refusal } from '../listener/refusal'
import type { Timekeeper } from '../ports'
import { AgentConnections } from './access/agent-connections'
import { AgentLimits, type Limits, type RequestKind } from './access/agent-limits'
import { type BodyFault, BodyReader } from './access/body-reader'
import { GATEWAY_PATH, guardRequest, keyOf, tooLarge } from './access/request-guard'
import { type AgentMessage, readMessage } from './protocol/agent-message'
import type { AgentExchange } from './protocol/endpoint-context'

/** Answers what passed the guard. */
export type ServedEndpoint = {
  /** Settles when the request is answered. */
  serve(exchange: AgentExchange): Promise<void> | void
}

export type ListenerOptions = {
  /** 0 takes a free one. */
  readonly port: number
  readonly byKey: (key: string) => Agent | undefined
  readonly find: (agentId: string) => Agent | undefined
  readonly endpoint: ServedEndpoint
  readonly limits: () => Limits & { readonly maxMessageMb: number }
  readonly time: Pick<Timekeeper, 'monotonic'>
  /** An agent sent a request. */
  readonly onUse: (agentId: string) => void
  /** The number of an agent's connections changed. */
  readonly onConnections: (agentId: string) => void
  /** Something of Patchbay's own went wrong. */
  readonly onFault: (error: unknown) => void
  readonly patience?: Patience | undefined
}

export type Patience = Partial<GuardedOptions<Agent>['patience']>

/** An answer takes as long as it takes. */
const PATIENCE: Patience = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  // Longer than agents keep theirs, so that none uses a connection that ends.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}
/** Connections that an agent may have besides one for each call. */
const SPARE_CONNECTIONS = 64
/** Larger bodies are calls: no notification and no response is as long. */
const LONGEST_OTHER = 64 * 1024
const NO_ROOM: Refusal = {
  status: 503,
  message: 'Too many large messages are in progress.',
  headers: { 'retry-after': '1' },
}

/** The gateway on 127.0.0.1 with its guard: key, Host, Origin, size, rate and concurrency. */
export class GatewayListener {
  readonly #options: ListenerOptions
  readonly #connections: AgentConnections
  readonly #limits: AgentLimits
  readonly #bodies = new BodyReader()
  /** The header with the key that was proven on each connection, and whose it was. */
  readonly #proven = new WeakMap<Socket, { readonly header: string; readonly agent: Agent }>()
  #listener: GuardedListener<Agent> | undefined

  /** Rejects with the system's error where the port cannot be had. */
  static async open(options: ListenerOptions): Promise<GatewayListener> {
    const gateway = new GatewayListener(options)
    const { port, patience, onFault } = options
    gateway.#listener = await GuardedListener.open<Agent>({
      port,
      onFault,
      patience: { ...PATIENCE, ...patience },
      judge: (request) => gateway.#guard(request),
      serve: (agent, request, response) => gateway.#serve(agent, request, response),
      onConnection: (socket) => gateway.#connections.receive(socket),
      form: AS_JSON_RPC,
    })
    return gateway
  }

  private constructor(options: ListenerOptions) {
    this.#options = options
    this.#connections = new AgentConnections(options.onConnections)
    this.#limits = new AgentLimits(options.limits, options.time)
  }

  get port(): number {
    return this.#listener?.port ?? 0
  }

  get url(): string {
    return `http://${LOOPBACK}:${String(this.port)}${GATEWAY_PATH}`
  }

  connectionsOf(agentId: string): number {
    return this.#connections.countOf(agentId)
  }

  /** Ends all connections of an agent whose key is void. */
  cut(agentId: string): void {
    this.#connections.cut(agentId)
    this.#limits.forget(agentId)
  }

  async close(): Promise<void> {
    await this.#listener?.close()
  }

  /** Finds whose request it is by its head. */
  #guard(request: IncomingMessage): Judged<Agent> {
    const { socket } = request
    const ownerOf = (header: string): Agent | undefined => this.#ownerOf(socket, header)
    const guarded = guardRequest(request, { ownerOf, mostBytes: this.#maxBytes })
    if ('refusal' in guarded) return guarded
    const { agentId } = guarded.who
    const most = this.#options.limits().agentCalls + SPARE_CONNECTIONS
    if (!this.#connections.admit(socket, agentId, most)) {
      const message = `Connection limit reached: this agent has ${String(most)} connections.`
      return { refusal: { status: 429, message } }
    }
    const refusal = this.#limits.request(agentId)
    return refusal ? { refusal } : guarded
  }

  /** Reads the whole of a request and has it answered; resolves to a refusal where its body is one too many. */
  async #serve(
    agent: Agent,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Refusal | undefined> {
    const { agentId } = agent
    this.#options.onUse(agentId)
    const body = await this.#bodyOf(request, response)
    if (body === 'gone' || response.closed) return undefined
    if (body === 'noRoom') return NO_ROOM
    if (body === 'tooLarge') return tooLarge(this.#maxBytes)
    const full = this.#limits.full(agentId, 'calls')
    if (full && body && body.length > LONGEST_OTHER) return full
    const message = body && readMessage(body.toString())
    const kind = kindOf(message)
    const refusal = kind === 'calls' ? full : this.#limits.full(agentId, kind)
    if (refusal && (!message || isCall(message))) return refusal
    const hold = this.#limits.begin(agentId, kind)
    const connected = hold()
    response.once('close', () => connected[Symbol.dispose]())
    await this.#options.endpoint.serve({ agent, request, response, message, hold })
    return undefined
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

  /** The body of a POST. */
  #bodyOf(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Buffer | BodyFault> | undefined {
    if (request.method !== 'POST') return undefined
    if (request.headers.expect !== undefined) response.writeContinue()
    return this.#bodies.read(request, this.#maxBytes)
  }

  get #maxBytes(): number {
    return this.#options.limits().maxMessageMb * 1024 * 1024
  }
}

function kindOf(message: AgentMessage | undefined): RequestKind {
  if (!message) return 'streams'
  const isListen = message.kind === 'request' && message.method === 'subscriptions/listen'
  return isListen ? 'listens' : 'calls'
}

/** Notifications and responses end what is under way, and must get through. */
function isCall({ kind }: AgentMessage): boolean {
  return kind === 'request' || kind === 'invalid'
}
