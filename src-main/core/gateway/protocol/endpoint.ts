import type { IncomingMessage, ServerResponse } from 'node:http'

import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { Throttle } from '../../lifecycle/throttle'
import type { Hold } from '../access/agent-limits'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentListing } from '../listing/agent-listing'
import type { AgentMessage } from './agent-message'
import { type AgentApp, EndpointContext, type EndpointParts } from './endpoint-context'
import { HttpAnswer } from './http-answer'
import { envelopeOf, isStateless } from './protocol-version'
import { Sessions } from './sessions'
import { StatelessRequests } from './stateless'

/** A request that passed the guard: host, origin, key, rate and size are checked. A POST has a message. */
export type AgentExchange = {
  readonly agent: Agent
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly message: AgentMessage | undefined
  /** For work that goes on when its connection is gone, so that it counts as under way until it is over. */
  readonly hold: Hold
}

/** Agents are notified of changes at most this often, in ms: twenty servers that get ready are one change. */
const NOTIFY_EVERY_MS = 200
const LONGEST_NAME = 200

const Text = z.string().transform((text) => text.slice(0, LONGEST_NAME))
const App = z.object({ name: Text, version: Text.optional().catch(undefined) })

/** What one agent has under way, in all protocol versions. */
type Connected = {
  readonly sessions: Sessions
  readonly stateless: StatelessRequests
  /** The lists that the agent was notified of last. */
  notified: AgentListing
  app?: AgentApp
}

/**
 * MCP for agents over Streamable HTTP: sessions (2024-11-05 to 2025-11-25) and stateless requests (2026-07-28) at one
 * address. One session to each server serves all agents (B12).
 */
export class AgentEndpoint {
  readonly #context: EndpointContext
  readonly #agents = new Map<string, Connected>()
  readonly #notifying = new Throttle(NOTIFY_EVERY_MS, () => {
    for (const [agentId, connected] of this.#agents) this.#notify(agentId, connected)
  })

  constructor(parts: EndpointParts) {
    this.#context = new EndpointContext(parts)
  }

  /** Answers one request; settles when that is done. Never rejects. */
  async serve({ agent, request, response, message, hold }: AgentExchange): Promise<void> {
    const answer = new HttpAnswer(request, response)
    const { method = '', headers } = request
    const { json, events } = answer.accepted
    try {
      if (method === 'GET' ? !events : !json && !events) {
        const accepted = 'Accept application/json, text/event-stream, or both.'
        answer.error('null', new RequestError(CODES.failed, accepted), 406)
      } else if (message?.kind === 'invalid') answer.error(message.id, message.error, 400)
      else {
        const connected = this.#connectedOf(agent.agentId)
        const { sessions, stateless } = connected
        this.#learnApp(agent.agentId, connected, message)
        await (isStateless(message, headers)
          ? stateless.serve(agent, message, headers, answer)
          : sessions.serve({ agent, method, headers, message, answer, hold }))
      }
    } catch (error) {
      this.#context.parts.onFault(error)
      answer.cut()
    }
  }

  /** Listings of agents may have changed. */
  changed(): void {
    this.#notifying.call()
  }

  /** Ends all that an agent has under way: it was removed, or its key is void. */
  closeAgent(agentId: string): void {
    const connected = this.#agents.get(agentId)
    this.#agents.delete(agentId)
    connected?.sessions[Symbol.dispose]()
    connected?.stateless[Symbol.dispose]()
  }

  /** Ends all that agents have under way. */
  close(): void {
    this.#notifying[Symbol.dispose]()
    for (const agentId of [...this.#agents.keys()]) this.closeAgent(agentId)
    this.#context[Symbol.dispose]()
  }

  #connectedOf(agentId: string): Connected {
    const known = this.#agents.get(agentId)
    if (known) return known
    const connected: Connected = {
      sessions: new Sessions(this.#context),
      stateless: new StatelessRequests(this.#context),
      notified: this.#context.parts.listings.of(agentId),
    }
    this.#agents.set(agentId, connected)
    return connected
  }

  #notify(agentId: string, connected: Connected): void {
    const before = connected.notified
    const now = this.#context.parts.listings.of(agentId)
    connected.notified = now
    if (before === now) return
    this.#context.review(agentId)
    const changed = (kind: 'tools' | 'prompts' | 'resources'): void => {
      connected.sessions.changed(kind)
      connected.stateless.changed(kind)
    }
    if (before.definitions !== now.definitions) changed('tools')
    if (before.prompts !== now.prompts) changed('prompts')
    if (before.resources !== now.resources || before.templates !== now.templates)
      changed('resources')
  }

  #learnApp(agentId: string, connected: Connected, message: AgentMessage | undefined): void {
    if (message?.kind !== 'request') return
    const named =
      message.method === 'initialize'
        ? message.params.clientInfo
        : envelopeOf(message.params).clientInfo
    if (named === undefined) return
    const { data: app } = App.safeParse(named)
    if (!app || (app.name === connected.app?.name && app.version === connected.app.version)) return
    connected.app = app
    this.#context.parts.onApp(agentId, app)
  }
}
