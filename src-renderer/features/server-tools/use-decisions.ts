import { useState } from 'react'

import type { SeenTool, ToolDecision } from '../../components/tool/tool-decisions'
import { decideTools } from '../../components/tool/tool-decisions'
import { visibleText } from '../../ui/text/visible-text'

/** What was decided last. */
export type Decision = { readonly verdict: ToolDecision; readonly tools: readonly SeenTool[] }

/** The decisions about the tools of a server. */
export type Decisions = {
  readonly last: Decision | null
  /** Judges tools as they were seen; the names of those that are others by now. */
  readonly settle: (verdict: ToolDecision, seen: readonly SeenTool[]) => Promise<readonly string[]>
}

const DONE: Readonly<Record<ToolDecision, string>> = { approve: 'approved', refuse: 'rejected' }

/** The other decision and its button. */
export const INSTEAD = {
  approve: { verdict: 'refuse', label: 'Reject instead' },
  refuse: { verdict: 'approve', label: 'Approve instead' },
} as const

/** What was decided, as a sentence: "save_note is approved." */
export function decisionWords({ verdict, tools }: Decision): string {
  const [first] = tools
  return tools.length === 1 && first
    ? `${visibleText(first.name)} ${DONE[verdict]}.`
    : `${tools.length} tools ${DONE[verdict]}.`
}

/** Carries out decisions and keeps the last one, so that it can be turned round. */
export function useDecisions(installationId: string): Decisions {
  const [last, setLast] = useState<Decision | null>(null)
  const settle: Decisions['settle'] = async (verdict, seen) => {
    const stale = await decideTools(installationId, verdict, seen)
    if (stale === null) return []
    const tools = seen.filter(({ name }) => !stale.includes(name))
    setLast(tools.length === 0 ? null : { verdict, tools })
    return stale
  }
  return { last, settle }
}
