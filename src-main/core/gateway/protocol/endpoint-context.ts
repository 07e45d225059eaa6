import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { PASSED_EXTENSIONS, UI_EXTENSION } from '../../../../src-shared/domain/agents/extensions'
import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import type { AppInfo } from '../../../../src-shared/domain/state/app-state'
import { reportFailure } from '../../lifecycle/background'
import { exactJson } from '../../mcp/json/exact-json'
import { RejectedRequestError } from '../../mcp/peer/request-failure'
import type { Timekeeper } from '../../ports'
import type { ResourceWatches } from '../../servers/resource-watches'
import type { ServerDirectory } from '../../servers/server-directory'
import { serverInstructions } from '../../tools/context/server-instructions'
import type { Tools } from '../../tools/tools'
import type { AgentPresence } from '../agents/agent-presence'
import type { AgentCalls } from '../calls/agent-calls'
import type { Caller } from '../calls/agent-request'
import { GATEWAY_CAPABILITIES } from '../calls/gateway-capabilities'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentListing } from '../listing/agent-listing'
import type { AgentListings } from '../listing/agent-listings'
import { type AgentMessage, type RequestMessage, tokenText } from './agent-message'
import type { HttpAnswer } from './http-answer'
import { type LoggingServers, LogRelay, ShownWatches } from './server-events'
import { SessionIds } from './session-ids'

/** The reason when a request's connection is gone, for the server and the log. */
export const DISCONNECTED = 'The agent disconnected.'

/** Keeps a request counted until the result is disposed, even if its connection closes earlier. */
export type Hold = () => Disposable

/** A request that passed the guard: host, origin, key, rate and size are checked. A POST has a message. */
export type AgentExchange = {
  readonly agent: Agent
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly message: AgentMessage | undefined
  readonly hold: Hold
}

/** Error codes outside a call: no server has the resource, or its server lacks the feature. */
const CODE_OF: Partial<Record<AppErrorCode, number>> = {
  NOT_FOUND: CODES.resourceNotFound,
  NOT_AVAILABLE_HERE: CODES.methodNotFound,
}

/** Modules that the endpoint uses. */
export type EndpointModules = {
  readonly listings: Pick<AgentListings, 'of' | 'nameOf'>
  readonly calls: Pick<AgentCalls, 'handle' | 'routeOf'>
  readonly watches: Pick<ResourceWatches, 'add'>
  readonly servers: LoggingServers &
    Pick<ServerDirectory, 'endInstances' | 'keyFor' | 'rootsChanged'>
  readonly tools: Pick<Tools, 'usageOf'>
  readonly presence: Pick<AgentPresence, 'named'>
}

/** Shared context of all agents' sessions and stateless requests. */
export class EndpointContext implements Disposable {
  readonly logs: LogRelay
  readonly serverInfo: JsonObject
  readonly watches: ShownWatches
  readonly sessionIds: SessionIds

  constructor(
    readonly modules: EndpointModules,
    { version, profileDir }: Pick<AppInfo, 'version' | 'profileDir'>,
    readonly time: Timekeeper,
  ) {
    const { calls, listings, servers, watches } = modules
    this.sessionIds = new SessionIds(join(profileDir, 'sessions.json'))
    this.serverInfo = { name: 'patchbay', title: 'Patchbay', version }
    this.logs = new LogRelay(servers, listings, time)
    this.watches = new ShownWatches(watches, calls, servers)
  }

  /** Returns the gateway's description of itself (MCP, `initialize` and `server/discover`). */
  infoFor(agentId: string): JsonObject {
    const { uiOwners, servers } = this.modules.listings.of(agentId)
    // Apps draw pages only if the server announces the extension.
    const ui = { extensions: { [UI_EXTENSION]: PASSED_EXTENSIONS[UI_EXTENSION] } }
    return {
      capabilities: { ...GATEWAY_CAPABILITIES, ...(uiOwners.size > 0 && ui) },
      instructions: this.#instructionsFor(servers),
    }
  }

  /** Returns the id of a request's server, if the agent's listing names one. */
  serverOf(agentId: string, { method, params }: RequestMessage): string | undefined {
    const { byName, prompts, resources } = this.modules.listings.of(agentId)
    switch (method) {
      case 'tools/call':
        return byName.get(String(params.name))?.resolved.installationId
      case 'prompts/get':
        return prompts.find(({ exposedName }) => exposedName === params.name)?.installationId
      case 'resources/read':
        return resources.find(({ resource }) => resource.uri === params.uri)?.installationId
      default:
        return undefined
    }
  }

  /** Converts an error for the agent; an unexpected error becomes Patchbay's own. */
  requestErrorOf(error: unknown): RequestError {
    if (error instanceof RequestError) return error
    // The server's own message, code and data, as for any other request.
    if (error instanceof RejectedRequestError) {
      const { code, message, data, exactData = data } = error.refusal
      return new RequestError(code, message, exactData)
    }
    if (error instanceof AppError) {
      return new RequestError(CODE_OF[error.code] ?? CODES.internal, error.message)
    }
    reportFailure('gateway', error)
    return new RequestError(CODES.internal, 'Internal error in Patchbay.')
  }

  [Symbol.dispose](): void {
    this.logs[Symbol.dispose]()
    this.sessionIds[Symbol.dispose]()
  }

  /** Lists the servers with their own instructions, fenced as quotes (C6). */
  #instructionsFor(servers: AgentListing['servers']): string {
    const intro = 'Patchbay gives access to the MCP servers on this computer.'
    if (servers.length === 0)
      return `${intro} No servers are available to you yet; this can change at any time.`
    const names = servers.map(({ name }) => name).join(', ')
    const overview = `${intro} Available servers: ${names}. Servers can change: list again after a list_changed notification.`
    const quoted = serverInstructions(
      servers.map(({ installationId, name, alias }) => ({
        ...{ name, alias },
        instructions: this.modules.tools.usageOf(installationId),
      })),
    )
    return quoted === '' ? overview : `${overview}\n\n${quoted}`
  }
}

/** Forwards progress under the token of a request, with the digits that the agent wrote; undefined if it has no token. */
export function progressFor(message: RequestMessage, answer: HttpAnswer): Caller['onProgress'] {
  const { _meta: meta } = message.params
  const token = isJsonObject(meta) ? meta.progressToken : undefined
  const written = tokenText(token, message.text, ['params', '_meta', 'progressToken'])
  if (written === undefined) return undefined
  const progressToken = exactJson(written)
  return (progress) => answer.notify('notifications/progress', { progressToken, ...progress })
}
