/** How many tools an agent takes at most, as its users found it. */
export type AgentLimit = { readonly limit: number; readonly agent: string }

/** The known limits, smallest first. */
export const AGENT_LIMITS = [
  { limit: 40, agent: 'Older Cursor' },
  { limit: 50, agent: 'Antigravity' },
  { limit: 80, agent: 'Cursor' },
  { limit: 100, agent: 'Windsurf' },
  { limit: 128, agent: 'VS Code Copilot' },
] as const satisfies readonly AgentLimit[]
