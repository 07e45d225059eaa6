import { useMemo } from 'react'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { useApp } from '../../stores/app-store'
import { counted, formatCount, formatList } from '../../ui/text/format'

/** The tool limit of one connected app, and how many of its tools exceed it. */
export type AppLimit = {
  readonly agentId: string
  readonly name: string
  /** Number of tools without the limit. */
  readonly tools: number
  readonly limit: number
  readonly over: number
}

/** Returns the tool limits of the connected apps, smallest first. An app in search mode lists two tools and has no limit. */
export function appLimits(agents: readonly AgentView[]): readonly AppLimit[] {
  return agents
    .filter(({ profile }) => !profile.searchMode)
    .map(({ agentId, name, profile, exposed, overCap }) => {
      const ownLimit = profile.appLimit ?? profile.toolCap
      const excess = overCap + Math.max(0, exposed - ownLimit)
      return {
        agentId,
        name,
        tools: exposed + overCap,
        limit: Math.min(profile.toolCap, ownLimit),
        over: excess,
      }
    })
    .toSorted((one, other) => one.limit - other.limit)
}

/** Returns the limits that omit tools. */
export function limitsBelow(limits: readonly AppLimit[]): readonly AppLimit[] {
  return limits.filter(({ over: excess }) => excess > 0)
}

/** Returns "Cursor is over its limit by 12 tools and Windsurf by 3."; empty if no tool is omitted. */
export function limitMessage(limits: readonly AppLimit[]): string {
  const [first, ...others] = limitsBelow(limits)
  if (!first) return ''
  const parts = [
    `${first.name} is over its limit by ${counted(first.over, 'tool')}`,
    ...others.map(({ name, over: excess }) => `${name} by ${formatCount(excess)}`),
  ]
  return `${formatList(parts)}.`
}

const NO_AGENTS: readonly AgentView[] = []

/** Returns the current tool limits of the connected apps, smallest first. */
export function useAppLimits(): readonly AppLimit[] {
  const agents = useApp(({ app }) => app?.agents.agents) ?? NO_AGENTS
  return useMemo(() => appLimits(agents), [agents])
}
