import { useMemo } from 'react'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { useApp } from '../../stores/app-store'
import { type AppLimit, appLimits } from './app-limits'

const NO_AGENTS: readonly AgentView[] = []

/** The tool limits of the connected apps now, smallest first. */
export function useAppLimits(): readonly AppLimit[] {
  const agents = useApp(({ app }) => app?.agents.agents) ?? NO_AGENTS
  return useMemo(() => appLimits(agents), [agents])
}
