import { join } from 'node:path'

import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import type { AgentPresence } from '../../core/gateway/agents/agent-presence'
import type { AgentStore, ToolRef } from '../../core/gateway/agents/agent-store'
import type { AgentCalls } from '../../core/gateway/calls/agent-calls'
import type { RunningCalls } from '../../core/gateway/calls/running-calls'
import { AgentListings } from '../../core/gateway/listing/agent-listings'
import type { AgentEndpoint } from '../../core/gateway/protocol/endpoint'
import type { AgentExchange, EndpointParts } from '../../core/gateway/protocol/endpoint-context'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import type { Questions } from '../../core/questions/questions'
import type { ServerDirectory } from '../../core/servers/server-directory'
import { contextField } from '../../core/tools/context/context-field'
import type { OpenActivity } from './open-activity'
import { openAgentCalls } from './open-agent-calls'
import type { OpenTools } from './open-tools'

/** What agents are shown, what they do with it, and the protocol around both. */
export type OpenEndpoint = {
  readonly listings: AgentListings
  readonly calls: AgentCalls
  readonly running: RunningCalls
  /** Forgets what an agent may call without a question in this run. */
  forgetAllowed(agentId: string, tool?: ToolRef): void
  /** Answers a request that may pass; settles when that is done, or its stream is over. Never rejects. */
  serve(exchange: AgentExchange): Promise<void>
  /** Servers or their lists may be others. */
  changed(): void
  close(): void
}

export type EndpointOpening = {
  readonly info: Pick<AppInfo, 'version'>
  readonly profileDir: string
  readonly store: ProfileDocument
  readonly offered: Pick<OpenTools, 'tools' | 'watches'>
  readonly servers: EndpointParts['servers'] & Pick<ServerDirectory, 'find' | 'read'>
  readonly questions: Pick<Questions, 'ask'>
  readonly activity: Pick<OpenActivity, 'record'>
  readonly agents: AgentStore
  readonly presence: Pick<AgentPresence, 'named' | 'called' | 'listed'>
}

/** Opens what answers agents. */
export function openEndpoint(parts: EndpointOpening): OpenEndpoint {
  const { info, profileDir, store, offered, servers, agents, presence, activity } = parts
  const nameOf = (installationId: string): string =>
    store.find(installationId)?.name ?? installationId
  const listings = new AgentListings({
    ...{ tools: offered.tools, agents: () => agents, nameOf },
    onLeftOut: (installationId, words) =>
      servers.find(installationId)?.log.append('patchbay', 'warn', words),
  })
  const record: OpenActivity['record'] = (call) => {
    presence.called(call.agentId, call.outcome)
    activity.record(call)
  }
  const settings = (): ProfileDocument['settings'] => store.settings
  const reportOnce = reporterOf((installationId, words) =>
    servers.find(installationId)?.log.append('patchbay', 'warn', words),
  )
  const called = openAgentCalls({
    ...{ ...parts, activity: { record }, listings, settings, nameOf },
    onListed: (agentId) => presence.listed(agentId),
    onOutputBroken: ({ installationId, tool, hash }, problem) => {
      const words = `Results of ${contextField(tool.name)} don’t match its output schema: ${contextField(problem)} Agents get only their text.`
      reportOnce(installationId, hash, words)
    },
    onRetyped: ({ installationId, tool }, given, found) => {
      const words = `${contextField(tool.name)} sends ${found} as ${contextField(given) || 'no type'}. Agents get the type that the bytes show.`
      reportOnce(installationId, 'types', words)
    },
  })
  const { calls, running } = called
  const protocol = openProtocol({
    ...{ listings, calls, nameOf },
    version: info.version,
    sessionsFile: join(profileDir, 'sessions.json'),
    servers,
    watches: offered.watches,
    usageOf: (installationId) => offered.tools.usageOf(installationId),
    onApp: (agentId, app) => presence.named(agentId, app),
    onFault: (error) => {
      process.stderr.write(`patchbay: gateway: ${String(error)}\n`)
    },
    time: systemTime,
  })
  const following = agents.onDidChange(({ kind, agentId }) => {
    if (kind === 'removed' || kind === 'keyRenewed') protocol.cut(agentId)
    if (kind === 'removed') {
      listings.forget(agentId)
      called.forgetAllowed(agentId)
    }
    protocol.changed()
  })
  return {
    ...{ listings, calls, running },
    forgetAllowed: (agentId, tool) => called.forgetAllowed(agentId, tool),
    serve: (exchange) => protocol.serve(exchange),
    changed: () => protocol.changed(),
    close: () => {
      following[Symbol.dispose]()
      protocol.close()
    },
  }
}

/** The protocol is loaded with the first request: most of the app's starts have none. */
function openProtocol(parts: EndpointParts): Pick<OpenEndpoint, 'serve' | 'changed'> & {
  readonly cut: (agentId: string) => void
  readonly close: () => void
} {
  let endpoint: AgentEndpoint | undefined
  let isClosed = false
  const load = async (): Promise<AgentEndpoint> => {
    const { AgentEndpoint } = await import('../../core/gateway/protocol/endpoint')
    endpoint ??= new AgentEndpoint(parts)
    return endpoint
  }
  return {
    serve: async (exchange) => {
      const loaded = endpoint ?? (await load())
      if (isClosed) exchange.response.destroy()
      else await loaded.serve(exchange)
    },
    changed: () => endpoint?.changed(),
    cut: (agentId) => endpoint?.closeAgent(agentId),
    close: () => {
      isClosed = true
      endpoint?.close()
    },
  }
}

/** Faults in results that are reported in one run. */
const MOST_REPORTED = 1_000

/** Reports each fault of a server once. */
function reporterOf(
  report: (installationId: string, words: string) => void,
): (installationId: string, fault: string, words: string) => void {
  const reported = new Set<string>()
  return (installationId, fault, words) => {
    const key = `${installationId} ${fault}`
    if (reported.has(key) || reported.size >= MOST_REPORTED) return
    reported.add(key)
    report(installationId, words)
  }
}
