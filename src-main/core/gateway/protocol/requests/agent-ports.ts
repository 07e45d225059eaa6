import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Agent, AgentView } from '../../../../../src-shared/domain/agents/agent'
import type { Timekeeper } from '../../../ports'
import type { ResourceWatches } from '../../../servers/resource-watches'
import type { ServerDirectory } from '../../../servers/server-directory'
import type { Hold } from '../../access/held-place'
import type { AgentCalls } from '../../calls/agent-calls'
import type { AgentListings } from '../../listing/agent-listings'
import type { WebExchange } from './web-exchange'

/** A request that may pass: its host, origin, key, rate and size are judged. `body` is the whole of a POST. */
export type AgentExchange = {
  readonly agent: Agent
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body?: Buffer | undefined
  /** For work that goes on when its connection is gone, so that it counts as under way until it is over. */
  readonly hold: Hold
}

/** A request that was read: `message` is the parsed body of a POST, and `text` that body. */
export type ReadRequest = {
  readonly exchange: WebExchange
  readonly message: unknown
  readonly text: string
  readonly hold: Hold
}

/** What an app calls itself. */
export type AgentApp = NonNullable<AgentView['app']>

/** What the endpoint answers from. */
export type EndpointParts = {
  readonly listings: Pick<AgentListings, 'of'>
  readonly calls: Pick<
    AgentCalls,
    'call' | 'callText' | 'read' | 'getPrompt' | 'complete' | 'serverOf'
  >
  readonly servers: Pick<ServerDirectory, 'all' | 'onDidBegin' | 'onDidNotify'>
  readonly watches: Pick<ResourceWatches, 'add'>
  /** Of a server, as its person calls it. */
  readonly nameOf: (installationId: string) => string
  /** Of Patchbay. */
  readonly version: string
  /** How a server is used, in its own words; untrusted. */
  readonly usageOf: (installationId: string) => string | undefined
  /** An agent said what its app is; its own words. */
  readonly onApp: (agentId: string, app: AgentApp) => void
  /** An agent asked for its tools. */
  readonly onListed: (agentId: string) => void
  /** Something of Patchbay's own went wrong. */
  readonly onFault: (error: unknown) => void
  readonly time: Timekeeper
}
