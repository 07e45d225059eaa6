import type {
  Agent,
  AgentsState,
  AgentTool,
  AgentView,
  GatewayStatus,
} from '../../../../src-shared/domain/agents/agent'
import type { Presence } from './agent-presence'

/** What an agent is shown; `exposed` counts what it is told of, which in search mode is less than the tools that it can call. */
export type ShownTools = {
  readonly exposed: number
  readonly overCap: number
  readonly tools: readonly AgentTool[]
}

/** All agents as the screens show them. */
export function agentsState(parts: {
  readonly status: GatewayStatus
  readonly agents: readonly Agent[]
  readonly shownTo: (agentId: string) => ShownTools
  readonly presenceOf: (agentId: string) => Presence
  readonly connectionsOf: (agentId: string) => number
}): AgentsState {
  const { status, agents, shownTo, presenceOf, connectionsOf } = parts
  return {
    gateway: status,
    agents: agents.map((agent): AgentView => {
      const { agentId, name, createdAt, keyTail, profile, allowed } = agent
      const { exposed, overCap, tools } = shownTo(agentId)
      return {
        ...{ agentId, name, createdAt, keyTail, profile, allowed },
        exposed,
        overCap,
        tokens: profile.searchMode ? undefined : tokensOf(tools),
        connections: connectionsOf(agentId),
        ...presenceOf(agentId),
      }
    }),
  }
}

function tokensOf(tools: readonly AgentTool[]): number | undefined {
  let sum = 0
  for (const { tokens } of tools) {
    if (tokens === undefined) return undefined
    sum += tokens
  }
  return sum
}
