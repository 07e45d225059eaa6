import type { Agent, AgentView } from '../../../../src-shared/domain/agents/agent'
import { PASSED_EXTENSIONS, UI_EXTENSION } from '../../../../src-shared/domain/agents/extensions'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { Disposables } from '../../lifecycle/disposables'
import type { Timekeeper } from '../../ports'
import type { ResourceWatches, WatchListener } from '../../servers/resource-watches'
import type { ServerDirectory } from '../../servers/server-directory'
import type { AgentCalls } from '../calls/agent-calls'
import { RequestHandler, type RequestHandlerParts } from '../calls/handle'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentListing } from '../listing/agent-listing'
import { GATEWAY_CAPABILITIES } from './gateway-capabilities'
import { GatewayInstructions } from './gateway-instructions'
import { LogRelay } from './log-relay'
import { ShownWatches } from './shown-watches'

/** How an app names itself. */
export type AgentApp = NonNullable<AgentView['app']>

/** What the endpoint answers from. */
export type EndpointParts = RequestHandlerParts & {
  readonly calls: RequestHandlerParts['calls'] & Pick<AgentCalls, 'routeOf'>
  readonly servers: Pick<ServerDirectory, 'all' | 'onDidBegin' | 'onDidNotify'>
  readonly watches: Pick<ResourceWatches, 'add'>
  /** Of a server, as its user calls it. */
  readonly nameOf: (installationId: string) => string
  /** Of Patchbay. */
  readonly version: string
  /** How a server is used, in its own words; untrusted. */
  readonly usageOf: (installationId: string) => string | undefined
  /** An agent named its app; its own words. */
  readonly onApp: (agentId: string, app: AgentApp) => void
  readonly time: Timekeeper
}

/** How the gateway introduces itself (MCP, `initialize` and `server/discover`). */
export type GatewayInfo = {
  readonly serverInfo: JsonObject
  readonly capabilities: JsonObject
  readonly instructions: string
}

/** What sessions and stateless requests of all agents are served from. */
export class EndpointContext implements Disposable {
  readonly parts: EndpointParts
  readonly handler: RequestHandler
  readonly logs: LogRelay
  readonly serverInfo: JsonObject
  readonly #instructions: GatewayInstructions
  readonly #watches: ShownWatches
  readonly #owned = new Disposables()

  constructor(parts: EndpointParts) {
    this.parts = parts
    this.handler = new RequestHandler(parts)
    this.serverInfo = { name: 'patchbay', title: 'Patchbay', version: parts.version }
    this.#instructions = new GatewayInstructions(parts.usageOf)
    const { servers, watches, calls, nameOf, time } = parts
    this.logs = this.#owned.add(
      new LogRelay({ news: () => servers.all().flatMap(({ news }) => news ?? []), nameOf, time }),
    )
    this.#watches = new ShownWatches(watches, (agentId, uri) => calls.routeOf(agentId, uri))
    this.#owned.add(servers.onDidBegin(({ news }) => this.logs.begin(news)))
    this.#owned.add(
      servers.onDidNotify(({ installationId, news }) => {
        if (news.kind === 'log') this.logs.tell(installationId, news.params)
      }),
    )
  }

  infoFor({ agentId }: Agent): GatewayInfo {
    const listing = this.parts.listings.of(agentId)
    const instructions = this.#instructions.of(listing)
    const capabilities = { ...GATEWAY_CAPABILITIES, ...extensionsOf(listing) }
    return { serverInfo: this.serverInfo, capabilities, instructions }
  }

  /** The server that a request is for, by its id, where the listing of the agent names one. */
  serverOf(
    { agentId }: Agent,
    { method, params }: { readonly method: string; readonly params: JsonObject },
  ): string | undefined {
    const { byName, prompts, resources } = this.parts.listings.of(agentId)
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

  /** See `ShownWatches.add`; rejects with a `RequestError` where the server cannot notify of changes. */
  async watch(agent: Agent, uri: string, listener: WatchListener): Promise<Disposable> {
    try {
      return await this.#watches.add(agent.agentId, uri, listener)
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_AVAILABLE_HERE')
        throw new RequestError(CODES.methodNotFound, error.message)
      throw error
    }
  }

  /** The listing of an agent changed. */
  review(agentId: string): void {
    this.#watches.review(agentId)
  }

  [Symbol.dispose](): void {
    this.#owned[Symbol.dispose]()
  }
}

/** The extensions that a server has which the agent is shown: hosts draw pages only where they are announced. */
function extensionsOf({ uiOwners }: AgentListing): JsonObject {
  if (uiOwners.size === 0) return {}
  return { extensions: { [UI_EXTENSION]: PASSED_EXTENSIONS[UI_EXTENSION] } }
}

/** A failure as it is sent: one that no step expected is Patchbay's own. */
export function requestErrorOf(error: unknown, onFault: (error: unknown) => void): RequestError {
  if (error instanceof RequestError) return error
  if (error instanceof AppError) return new RequestError(CODES.internal, error.message)
  onFault(error)
  return new RequestError(CODES.internal, 'Internal error in Patchbay.')
}
