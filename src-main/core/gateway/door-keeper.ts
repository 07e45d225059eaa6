import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { Agent } from '../../../src-shared/domain/agents/agent'
import type { Judged } from '../listener/guarded-listener'
import type { Refusal } from '../listener/refusal'
import type { Timekeeper } from '../ports'
import { Admissions } from './access/admissions'
import { AgentLimits, type Limits } from './access/agent-limits'
import { type BodyFault, BodyReader } from './access/body-reader'
import { isCall } from './access/is-call'
import { judgeRequest, keyOf, tooLarge } from './access/judge-request'
import { requestKind } from './access/request-kind'
import type { AgentExchange } from './protocol/requests/agent-ports'

/** Who answers what is let in. */
export type ServedEndpoint = {
  /** Settles when it is answered, or when its stream is over. */
  serve(asked: AgentExchange): Promise<void> | void
}

export type DoorKeeperOptions = {
  readonly byKey: (key: string) => Agent | undefined
  readonly find: (agentId: string) => Agent | undefined
  readonly endpoint: ServedEndpoint
  readonly limits: () => Limits & { readonly maxMessageMb: number }
  readonly time: Pick<Timekeeper, 'monotonic'>
  /** An agent asked for something. */
  readonly onUse: (agentId: string) => void
  /** The number of an agent's connections is another. */
  readonly onConnections: (agentId: string) => void
}

/** What an agent may have open beside one connection for each call. */
const SPARE_CONNECTIONS = 64
const NO_ROOM: Refusal = {
  status: 503,
  message: 'Too many large messages are on their way to Patchbay.',
  headers: { 'retry-after': '1' },
}

/** Which agents come in, with how much and how fast. */
export class DoorKeeper {
  readonly admissions: Admissions
  readonly #options: DoorKeeperOptions
  readonly #limits: AgentLimits
  readonly #bodies = new BodyReader()
  /** The header with the key that was proven on each connection, and whose it was. */
  readonly #proven = new WeakMap<Socket, { readonly header: string; readonly agent: Agent }>()

  constructor(options: DoorKeeperOptions) {
    this.#options = options
    this.admissions = new Admissions(options.onConnections)
    this.#limits = new AgentLimits(options.limits, options.time)
  }

  /** Ends all connections of an agent whose key is void. */
  cut(agentId: string): void {
    this.admissions.cut(agentId)
    this.#limits.forget(agentId)
  }

  /** Tells by the head of a request whose it is. */
  judge(request: IncomingMessage): Judged<Agent> {
    const { limits } = this.#options
    const { maxMessageMb, agentCalls } = limits()
    const mostBytes = bytesOf(maxMessageMb)
    const ownerOf = (header: string): Agent | undefined => this.#ownerOf(request.socket, header)
    const judged = judgeRequest(request, { ownerOf, mostBytes })
    if ('refusal' in judged) return judged
    const { agentId } = judged.who
    const most = agentCalls + SPARE_CONNECTIONS
    const isAdmitted = this.admissions.admit(request.socket, agentId, most)
    const refusal = isAdmitted ? this.#limits.request(agentId) : tooManyConnections(most)
    return refusal ? { refusal } : judged
  }

  /** Reads the whole of a request and has it answered; resolves to a refusal where its body is one too many. */
  async serve(
    agent: Agent,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Refusal | undefined> {
    const { agentId } = agent
    this.#options.onUse(agentId)
    const body = request.method === 'POST' ? await this.#bodyOf(request, response) : undefined
    if (body === 'gone' || response.closed) return undefined
    if (body === 'noRoom') return NO_ROOM
    if (body === 'tooLarge') return tooLarge(bytesOf(this.#options.limits().maxMessageMb))
    const kind = requestKind(request, body)
    const full = this.#limits.full(agentId, kind)
    if (full && (body === undefined || isCall(body))) return full
    const hold = this.#limits.begin(agentId, kind)
    const connected = hold()
    response.once('close', () => connected[Symbol.dispose]())
    await this.#options.endpoint.serve({ agent, request, response, body, hold })
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

  #bodyOf(request: IncomingMessage, response: ServerResponse): Promise<Buffer | BodyFault> {
    if (request.headers.expect !== undefined) response.writeContinue()
    return this.#bodies.read(request, bytesOf(this.#options.limits().maxMessageMb))
  }
}

function tooManyConnections(most: number): Refusal {
  return {
    status: 429,
    message: `This agent has ${String(most)} connections, the most it may have.`,
  }
}

function bytesOf(megabytes: number): number {
  return megabytes * 1024 * 1024
}
