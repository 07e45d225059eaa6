import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Agent } from '../../../src-shared/domain/agents/agent'
import { LOOPBACK } from '../listener/bind-loopback'
import {
  GuardedListener,
  type GuardedOptions,
  type Judged,
  type Refusal,
  type RefusalForm,
  Strangers,
} from '../listener/guarded-listener'
import type { Timekeeper } from '../ports'
import { AgentLimits, type Limits, type RequestKind } from './access/agent-limits'
import { BodyReader, GATEWAY_PATH, guardRequest } from './access/request-guard'
import { type AgentMessage, readMessage } from './protocol/agent-message'
import type { AgentExchange } from './protocol/endpoint-context'

/** Answers what passed the guard. */
export type ServedEndpoint = {
  serve(exchange: AgentExchange): Promise<void> | void
}

export type ListenerOptions = {
  /** 0 takes a free one. */
  readonly port: number
  /** Whose key this is, in a time that does not depend on it; empty where none was sent. */
  readonly byKey: (key: string) => Agent | undefined
  readonly endpoint: ServedEndpoint
  readonly limits: () => Limits & { readonly maxMessageMb: number }
  readonly time: Pick<Timekeeper, 'monotonic'>
  readonly onUse: (agentId: string) => void
  readonly onConnections: (agentId: string) => void
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
/** Most connections on which no key was shown yet. */
export const MAX_STRANGERS = 256
/** Larger bodies are calls: no notification and no response is as long. */
const LONGEST_OTHER = 64 * 1024
/** A JSON-RPC error that belongs to no request. */
const AS_JSON_RPC: RefusalForm = (message) => {
  const error = { code: -32_000, message }
  return { type: 'application/json', text: JSON.stringify({ jsonrpc: '2.0', id: null, error }) }
}

/** The gateway on 127.0.0.1 with its guard: key, Host, Origin, size, rate and concurrency. */
export class GatewayListener {
  readonly #options: ListenerOptions
  readonly #limits: AgentLimits
  readonly #bodies = new BodyReader()
  readonly #strangers = new Strangers<Socket>(MAX_STRANGERS, (socket) => socket.destroy())
  /** Each calls a connection no stranger anymore. */
  readonly #leaving = new WeakMap<Socket, () => void>()
  /** The connections on which each agent showed its key: an app may use one for several agents. */
  readonly #sockets = new Map<string, Set<Socket>>()
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
      onConnection: (socket) => gateway.#receive(socket),
      form: AS_JSON_RPC,
    })
    return gateway
  }

  private constructor(options: ListenerOptions) {
    this.#options = options
    this.#limits = new AgentLimits(options.limits, options.time)
  }

  get port(): number {
    return this.#listener?.port ?? 0
  }

  get url(): string {
    return `http://${LOOPBACK}:${String(this.port)}${GATEWAY_PATH}`
  }

  connectionsOf(agentId: string): number {
    return this.#sockets.get(agentId)?.size ?? 0
  }

  /** Ends all connections of an agent whose key is void, whatever is under way on them. */
  cut(agentId: string): void {
    for (const socket of this.#sockets.get(agentId) ?? []) socket.destroy()
    this.#limits.forget(agentId)
  }

  async close(): Promise<void> {
    await this.#listener?.close()
  }

  /** A new connection is a stranger's until a key is shown on it. */
  #receive(socket: Socket): void {
    this.#leaving.set(socket, this.#strangers.receive(socket))
    socket.once('close', () => {
      for (const [agentId, sockets] of this.#sockets)
        if (sockets.delete(socket)) this.#options.onConnections(agentId)
    })
  }

  /** Finds whose request it is by its head. */
  #guard(request: IncomingMessage): Judged<Agent> {
    const guarded = guardRequest(request, this.#options.byKey, this.#maxBytes)
    if ('refusal' in guarded) return guarded
    const { agentId } = guarded.who
    const refusal = this.#admit(request.socket, agentId) ?? this.#limits.request(agentId)
    return refusal ? { refusal } : guarded
  }

  /** Counts a connection to an agent's, or says why it has too many. */
  #admit(socket: Socket, agentId: string): Refusal | undefined {
    const own = this.#sockets.get(agentId) ?? new Set()
    if (own.has(socket)) return undefined
    const most = this.#options.limits().agentCalls + SPARE_CONNECTIONS
    if (own.size >= most) {
      const message = `Connection limit reached: this agent has ${String(most)} connections.`
      return { status: 429, message }
    }
    this.#leaving.get(socket)?.()
    this.#sockets.set(agentId, own.add(socket))
    this.#options.onConnections(agentId)
    return undefined
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
    if (body && 'status' in body) return body
    const full = this.#limits.full(agentId, 'calls')
    if (full && body && body.length > LONGEST_OTHER) return full
    const message = body && readMessage(body.toString())
    const kind = kindOf(message)
    const refusal = kind === 'calls' ? full : this.#limits.full(agentId, kind)
    // Notifications and responses end what is under way, and must get through.
    const canWait = !message || message.kind === 'request' || message.kind === 'invalid'
    if (refusal && canWait) return refusal
    const hold = this.#limits.begin(agentId, kind)
    const connected = hold()
    response.once('close', () => connected[Symbol.dispose]())
    await this.#options.endpoint.serve({ agent, request, response, message, hold })
    return undefined
  }

  #bodyOf(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Buffer | Refusal | 'gone'> | undefined {
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
