import { join } from 'node:path'

import type { AgentPresence } from '../../core/gateway/agents/agent-presence'
import type { AgentStore, ToolRef } from '../../core/gateway/agents/agent-store'
import { ArgumentValidator } from '../../core/gateway/arguments/argument-validator'
import { AgentCalls } from '../../core/gateway/calls/agent-calls'
import { Confirmations } from '../../core/gateway/calls/confirmations'
import { RunningCalls } from '../../core/gateway/calls/running-calls'
import { AgentListings } from '../../core/gateway/listing/agent-listings'
import type { AgentEndpoint } from '../../core/gateway/protocol/endpoint'
import type { AgentExchange, EndpointParts } from '../../core/gateway/protocol/endpoint-context'
import { reportFailure } from '../../core/lifecycle/background'
import type { ServerDirectory } from '../../core/servers/server-directory'
import { contextField } from '../../core/tools/context/context-field'
import type { ActivityModule } from './activity'
import type { AppContext } from './context'
import type { ToolsModule } from './tools'

/** What agents are shown, what they do with it, and the protocol around both. */
export type EndpointModule = {
  readonly listings: AgentListings
  readonly calls: AgentCalls
  readonly running: RunningCalls
  /** Forgets what an agent may call without approval in this run. */
  forgetAllowed(agentId: string, tool?: ToolRef): void
  /** Answers a request that may pass; settles when that is done, or its stream is over. Never rejects. */
  serve(exchange: AgentExchange): Promise<void>
  /** Servers or their lists may be others. */
  changed(): void
  close(): void
}

export type EndpointDeps = {
  readonly servers: ServerDirectory
  readonly tools: ToolsModule
  readonly activity: Pick<ActivityModule, 'record'>
  readonly agents: AgentStore
  readonly presence: AgentPresence
}

/** Opens what answers agents. */
export function openEndpoint(ctx: AppContext, deps: EndpointDeps): EndpointModule {
  const { info, profileDir, store, time } = ctx
  const { servers, agents, presence } = deps
  const { tools, watches } = deps.tools
  const nameOf = (installationId: string): string =>
    store.find(installationId)?.name ?? installationId
  const warn = (installationId: string, message: string): unknown =>
    servers.find(installationId)?.log.append('patchbay', 'warn', message)
  const listings = new AgentListings({
    ...{ tools, agents: () => agents, nameOf },
    onLeftOut: warn,
  })
  const { calls, running, confirmations } = openCalls(ctx, { ...deps, listings, nameOf, warn })
  const protocol = openProtocol({
    ...{ listings, calls, nameOf, servers, watches, time },
    version: info.version,
    sessionsFile: join(profileDir, 'sessions.json'),
    usageOf: (installationId) => tools.usageOf(installationId),
    onApp: (agentId, app) => presence.named(agentId, app),
    onFault: (error) => reportFailure('gateway', error),
  })
  const following = agents.onDidChange(({ kind, agentId }) => {
    if (kind === 'removed' || kind === 'keyRenewed') protocol.cut(agentId)
    if (kind === 'removed') {
      listings.forget(agentId)
      confirmations.forget(agentId)
    }
    protocol.changed()
  })
  return {
    ...{ listings, calls, running },
    forgetAllowed: (agentId, tool) => confirmations.forget(agentId, tool),
    serve: (exchange) => protocol.serve(exchange),
    changed: () => protocol.changed(),
    close: () => {
      following[Symbol.dispose]()
      protocol.close()
    },
  }
}

/** Opens what brings calls of agents to servers; nothing runs before the first. */
function openCalls(
  { settings, time, questions }: AppContext,
  deps: EndpointDeps & {
    readonly listings: AgentListings
    readonly nameOf: (installationId: string) => string
    readonly warn: (installationId: string, message: string) => unknown
  },
): { calls: AgentCalls; running: RunningCalls; confirmations: Confirmations } {
  const { servers, agents, presence, activity, listings, nameOf, warn } = deps
  const { tools } = deps.tools
  const checks = new ArgumentValidator(({ installationId }, message) => {
    if (installationId !== undefined) warn(installationId, message)
  })
  const mask = (text: string, installationId?: string): string =>
    (installationId === undefined ? undefined : servers.find(installationId))?.log.redactor(text) ??
    text
  const confirmations = new Confirmations({
    ...{ questions, agents, nameOf, mask },
    callable: (agentId) => listings.of(agentId).callable.map(({ resolved }) => resolved),
    waitMs: () => settings().questionMs,
  })
  const running = new RunningCalls(time, mask)
  const reportOnce = reporterOf(warn)
  const calls = new AgentCalls({
    ...{ listings, tools, servers, checks, confirmations, nameOf, running },
    audit: {
      record: (call) => {
        presence.called(call.agentId, call.outcome)
        activity.record(call)
      },
    },
    onListed: (agentId) => presence.listed(agentId),
    onOutputBroken: ({ installationId, tool, hash }, problem) =>
      reportOnce(
        installationId,
        hash,
        `Results of ${contextField(tool.name)} don’t match its output schema: ${contextField(problem)} Agents get only their text.`,
      ),
    onRetyped: ({ installationId, tool }, given, found) =>
      reportOnce(
        installationId,
        'types',
        `${contextField(tool.name)} sends ${found} as ${contextField(given) || 'no type'}. Agents get the type that the bytes show.`,
      ),
  })
  return { calls, running, confirmations }
}

/** The protocol is loaded with the first request: most of the app's starts have none. */
function openProtocol(parts: EndpointParts): Pick<EndpointModule, 'serve' | 'changed'> & {
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
  report: (installationId: string, message: string) => unknown,
): (installationId: string, fault: string, message: string) => void {
  const reported = new Set<string>()
  return (installationId, fault, message) => {
    const key = `${installationId} ${fault}`
    if (reported.has(key) || reported.size >= MOST_REPORTED) return
    reported.add(key)
    report(installationId, message)
  }
}
