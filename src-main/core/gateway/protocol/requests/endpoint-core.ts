import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../../src-shared/domain/app-error'
import { Disposables } from '../../../lifecycle/disposables'
import type { WatchListener } from '../../../servers/resource-watches'
import type { EndpointParts } from './agent-ports'
import { type AgentRequest, AgentRequests } from './agent-requests'
import { GatewayInstructions } from './gateway-instructions'
import { LogRelay } from './log-relay'
import { CODES, RequestError } from './request-error'
import { ShownWatches } from './shown-watches'

/** What every connection of an agent is served from, in either era. */
export class EndpointCore implements Disposable {
  readonly listings: EndpointParts['listings']
  readonly version: string
  readonly instructions: GatewayInstructions
  readonly onFault: EndpointParts['onFault']
  readonly requests: AgentRequests
  readonly logs: LogRelay
  readonly time: EndpointParts['time']
  readonly onApp: EndpointParts['onApp']
  readonly onListed: EndpointParts['onListed']
  readonly #shown: ShownWatches
  readonly #owned = new Disposables()

  constructor(parts: EndpointParts) {
    this.listings = parts.listings
    this.version = parts.version
    this.instructions = new GatewayInstructions(parts.usageOf)
    this.onFault = parts.onFault
    this.time = parts.time
    this.onApp = parts.onApp
    this.onListed = parts.onListed
    this.requests = new AgentRequests(parts)
    const { servers, watches, calls } = parts
    this.logs = this.#owned.add(
      new LogRelay({
        news: () => servers.all().flatMap(({ news }) => news ?? []),
        nameOf: parts.nameOf,
        time: parts.time,
      }),
    )
    this.#shown = new ShownWatches(watches, (agentId, uri) => calls.serverOf({ agentId }, uri))
    this.#owned.add(servers.onDidBegin(({ news }) => this.logs.begin(news)))
    this.#owned.add(
      servers.onDidNotify(({ installationId, news }) => {
        if (news.kind === 'log') this.logs.tell(installationId, news.params)
      }),
    )
  }

  /** The server that a request is for, by its id, where what the agent is shown tells. */
  workerOf({ agentId }: Agent, { method, params }: AgentRequest): string | undefined {
    const { byName, prompts, resources } = this.listings.of(agentId)
    switch (method) {
      case 'tools/call':
        return byName.get(String(params.name))?.placed.installationId
      case 'prompts/get':
        return prompts.find(({ exposedName }) => exposedName === params.name)?.installationId
      case 'resources/read':
        return resources.find(({ resource }) => resource.uri === params.uri)?.installationId
      default:
        return undefined
    }
  }

  /** See `ShownWatches.add`; rejects with a `RequestError` where the server tells of no changes. */
  async watch(agent: Agent, uri: string, listener: WatchListener): Promise<Disposable> {
    try {
      return await this.#shown.add(agent.agentId, uri, listener)
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_AVAILABLE_HERE')
        throw new RequestError(CODES.methodNotFound, error.message)
      throw error
    }
  }

  /** What an agent is shown is another. */
  review(agentId: string): void {
    this.#shown.review(agentId)
  }

  [Symbol.dispose](): void {
    this.#owned[Symbol.dispose]()
  }
}
