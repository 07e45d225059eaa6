import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/client'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { reportFailure } from '../../lifecycle/background'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentListing } from '../listing/agent-listing'
import type { AgentMessage } from './agent-message'
import { type AgentExchange, EndpointContext } from './endpoint-context'
import { HttpAnswer } from './http-answer'
import type { ListKind } from './server-events'
import { Sessions } from './sessions'
import { StatelessRequests } from './stateless'
import { isStateless, metaOf } from './stateless-headers'

/**
 * The first and the longest pause after a change notification, in ms. Many agents list again each time, and some servers change with every
 * list.
 */
const PAUSE_MS = { first: 200, longest: 3_000 } as const
/** Time without a change after which the pause resets to the first one, in ms. */
const QUIET_MS = 6_000
const MAX_NAME_LENGTH = 200

type Connected = {
  readonly sessions: Sessions
  readonly stateless: StatelessRequests
  /** The agent's current listing, and the one it was last notified of. */
  listing: AgentListing
  notified: AgentListing
  pause?: Disposable | undefined
  pauseMs: number
  /** Monotonic time of the last notification, in ms. */
  notifiedAt: number
  app?: AgentView['app']
}

/**
 * MCP for agents over Streamable HTTP: sessions (2024-11-05 to 2025-11-25) and stateless requests (2026-07-28) at one address. One session
 * to each server serves all agents, unless the server's sharing setting differs (B12).
 */
export class AgentEndpoint {
  readonly #context: EndpointContext
  readonly #agents = new Map<string, Connected>()

  constructor(...parts: ConstructorParameters<typeof EndpointContext>) {
    this.#context = new EndpointContext(...parts)
  }

  /** Serves one request; settles when the response is complete. Never rejects. */
  async serve(exchange: AgentExchange): Promise<void> {
    const { agent, request, response, message } = exchange
    const answer = new HttpAnswer(request, response)
    const { method, headers } = request
    const { json, events } = answer.accepted
    try {
      if (!events && (method === 'GET' || !json)) {
        const accepted = 'Accept application/json, text/event-stream, or both.'
        answer.error('null', new RequestError(CODES.failed, accepted), 406)
      } else if (message?.kind === 'invalid') answer.error(message.id, message.error, 400)
      else {
        const connected = this.#connectedOf(agent.agentId)
        const { sessions, stateless } = connected
        this.#learnApp(agent.agentId, connected, message)
        if (message?.kind === 'request') answer.streamWhenSlow(this.#context.time)
        await (isStateless(message, headers)
          ? stateless.serve(agent, message, headers, answer)
          : sessions.serve(exchange, answer))
      }
    } catch (error) {
      reportFailure('gateway', error)
      answer.cut()
    }
  }

  changed(): void {
    for (const [agentId, connected] of this.#agents) this.#review(agentId, connected)
  }

  /** Ends everything of an agent that was removed or whose key is void. */
  closeAgent(agentId: string): void {
    const connected = this.#agents.get(agentId)
    this.#agents.delete(agentId)
    connected?.pause?.[Symbol.dispose]()
    connected?.sessions[Symbol.dispose]()
    connected?.stateless[Symbol.dispose]()
    this.#context.modules.servers.endInstances({ agentId })
  }

  close(): void {
    for (const agentId of [...this.#agents.keys()]) this.closeAgent(agentId)
    this.#context[Symbol.dispose]()
  }

  #connectedOf(agentId: string): Connected {
    const known = this.#agents.get(agentId)
    if (known) return known
    const listing = this.#context.modules.listings.of(agentId)
    const connected: Connected = {
      sessions: new Sessions(this.#context),
      stateless: new StatelessRequests(this.#context),
      ...{ listing, notified: listing, pauseMs: 0, notifiedAt: -Infinity },
    }
    this.#agents.set(agentId, connected)
    return connected
  }

  #review(agentId: string, connected: Connected): void {
    const { listing: before } = connected
    connected.listing = this.#context.modules.listings.of(agentId)
    // The server's sharing may have changed.
    this.#context.watches.review(agentId)
    if (before === connected.listing) return
    if (!connected.pause) this.#notify(connected)
  }

  /** Notifies of changes since the last notification; changes within the pause follow at its end. */
  #notify(connected: Connected): void {
    const { notified: before, listing: now } = connected
    connected.pause = undefined
    if (before === now) return
    connected.notified = now
    const { time } = this.#context
    const isQuiet = time.monotonic() - connected.notifiedAt > QUIET_MS
    connected.pauseMs = isQuiet ? PAUSE_MS.first : Math.min(2 * connected.pauseMs, PAUSE_MS.longest)
    connected.notifiedAt = time.monotonic()
    connected.pause = time.after(connected.pauseMs, () => this.#notify(connected))
    const changed = (kind: ListKind): void => {
      connected.sessions.listChanged(kind)
      connected.stateless.listChanged(kind)
    }
    if (before.definitions !== now.definitions) changed('tools')
    if (before.prompts !== now.prompts) changed('prompts')
    if (before.resources !== now.resources || before.templates !== now.templates)
      changed('resources')
  }

  #learnApp(agentId: string, connected: Connected, message: AgentMessage | undefined): void {
    if (message?.kind !== 'request') return
    const { method, params } = message
    const named = method === 'initialize' ? params.clientInfo : metaOf(params)[CLIENT_INFO_META_KEY]
    const { name, version } = isJsonObject(named) ? named : {}
    if (typeof name !== 'string') return
    const app = {
      name: name.slice(0, MAX_NAME_LENGTH),
      version: typeof version === 'string' ? version.slice(0, MAX_NAME_LENGTH) : undefined,
    }
    if (app.name === connected.app?.name && app.version === connected.app.version) return
    connected.app = app
    this.#context.modules.presence.named(agentId, app)
  }
}
