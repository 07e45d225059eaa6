import type { AgentsState, AgentView } from '../../../src-shared/domain/agents/agent'
import { useApp } from '../../stores/app-store'

/** All agents and the endpoint; undefined until the first snapshot. */
export function useAgents(): AgentsState | undefined {
  return useApp(({ app }) => app?.agents)
}

/** One agent, or undefined where there is none with this id. */
export function useAgent(agentId: string): AgentView | undefined {
  return useApp(({ app }) => app?.agents.agents.find((agent) => agent.agentId === agentId))
}

/** Where agents connect, or will once the endpoint is open. */
export function useGatewayUrl(): string {
  return useApp(({ app }) => {
    if (app?.agents.gateway.kind === 'open') return app.agents.gateway.url
    return `http://127.0.0.1:${String(app?.settings.gatewayPort ?? '')}/mcp`
  })
}
