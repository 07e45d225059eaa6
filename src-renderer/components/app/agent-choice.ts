import type { AgentView } from '../../../src-shared/domain/agents/agent'
import type { HostRow } from './host-rows'

/** What is chosen for an app: an agent that is there, or else the name of a new one. */
export type AgentChoice = { readonly agentId: string | undefined; readonly name: string }

/** The agent that the app was, or the one of its name; else a new one of its name. */
export function firstChoice(
  { host, connection }: { host: Pick<HostRow['host'], 'name'> } & Pick<HostRow, 'connection'>,
  agents: readonly Pick<AgentView, 'agentId' | 'name'>[],
): AgentChoice {
  const own = agents.find(({ agentId }) => agentId === connection?.agentId)
  const name = host.name.toLowerCase()
  const known = own ?? agents.find((agent) => agent.name.toLowerCase() === name)
  return { agentId: known?.agentId, name: host.name }
}
