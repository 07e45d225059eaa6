import type { Settings } from '../../../src-shared/domain/state/settings'
import type { AgentStore, ToolRef } from '../../core/gateway/agents/agent-store'
import { ArgumentValidator } from '../../core/gateway/arguments/argument-validator'
import { AgentCalls, type AgentCallsParts } from '../../core/gateway/calls/agent-calls'
import { Confirmations } from '../../core/gateway/calls/confirmations'
import { RunningCalls } from '../../core/gateway/calls/running-calls'
import type { AgentListings } from '../../core/gateway/listing/agent-listings'
import { systemTime } from '../../core/lifecycle/system-time'
import type { Questions } from '../../core/questions/questions'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { OpenActivity } from './open-activity'
import type { OpenTools } from './open-tools'

/** The calls of agents with what checks them. */
export type OpenAgentCalls = {
  readonly calls: AgentCalls
  readonly running: RunningCalls
  /** Forgets what an agent may call without a question in this run. */
  forgetAllowed(agentId: string, tool?: ToolRef): void
}

/** Opens what brings calls of agents to servers; nothing runs before the first. */
export function openAgentCalls(parts: {
  readonly listings: AgentListings
  readonly agents: AgentStore
  readonly offered: Pick<OpenTools, 'tools'>
  readonly servers: Pick<ServerDirectory, 'find' | 'read'>
  readonly questions: Pick<Questions, 'ask'>
  readonly activity: Pick<OpenActivity, 'record'>
  readonly settings: () => Settings
  readonly nameOf: (installationId: string) => string
  readonly onListed: AgentCallsParts['onListed']
  readonly onOutputBroken: AgentCallsParts['onOutputBroken']
  readonly onRetyped: AgentCallsParts['onRetyped']
}): OpenAgentCalls {
  const { listings, agents, offered, servers, questions, activity, settings, nameOf } = parts
  const checks = new ArgumentValidator(({ installationId }, message) => {
    if (installationId !== undefined)
      servers.find(installationId)?.log.append('patchbay', 'warn', message)
  })
  const mask = (text: string, installationId?: string): string =>
    (installationId === undefined ? undefined : servers.find(installationId))?.log.redactor(text) ??
    text
  const confirmations = new Confirmations({
    questions,
    agents,
    callable: (agentId) => listings.of(agentId).callable.map(({ resolved }) => resolved),
    nameOf,
    waitMs: () => settings().questionMs,
    mask,
  })
  const { tools } = offered
  const running = new RunningCalls(systemTime, mask)
  const calls = new AgentCalls({
    ...{ listings, tools, servers, checks, confirmations, nameOf, running },
    ...{ audit: activity, onListed: parts.onListed },
    ...{ onOutputBroken: parts.onOutputBroken, onRetyped: parts.onRetyped },
  })
  return {
    ...{ calls, running },
    forgetAllowed: (agentId, tool) => confirmations.forget(agentId, tool),
  }
}
