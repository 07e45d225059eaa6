import { useState } from 'react'

import type { ToolDetail, ToolView } from '../../../src-shared/domain/agents/tools'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { type Loaded, useAction, useRequest } from '../../ipc/use-request'
import { visibleText } from '../../ui/text/format'

/** What a user decides of a tool. */
export type ToolDecision = 'approve' | 'refuse'

type SeenTool = Pick<ToolView, 'name' | 'hash'>

/** One tool under review among those of its server. */
export type Review = {
  readonly tools: readonly ToolView[]
  readonly current: ToolView
  /** Stays what was seen while the tool changes: a decision counts for that alone. */
  readonly loaded: Loaded<ToolDetail>
  readonly retry: () => void
  /** Names of tools that changed while they were looked at. */
  readonly stale: readonly string[]
  readonly isBusy: boolean
  readonly choose: (name: string) => void
  /** Goes to the tool so many places further, within the list. */
  readonly move: (by: number) => void
  /** Decides about the tool that is shown, then goes to the next one that is held. */
  readonly decide: (decision: ToolDecision) => void
  readonly decideAll: (decision: ToolDecision) => void
}

/** The held one after a place, or the first one, or none. */
function nextHeld(tools: readonly ToolView[], current: ToolView): ToolView | undefined {
  const others = tools.filter(({ name, exposure }) => exposure === 'held' && name !== current.name)
  const place = tools.findIndex(({ name }) => name === current.name)
  return others.find((tool) => tools.indexOf(tool) > place) ?? others[0]
}

/** The tools of a server that are under review, the one to begin with, and who carries out the decisions. */
export type ReviewSubject = {
  readonly installationId: string
  readonly tools: readonly [ToolView, ...ToolView[]]
  readonly wanted: string | undefined
  readonly settle: Decisions['settle']
}

type Decided = {
  readonly decision: ToolDecision
  readonly reviewed: readonly SeenTool[]
  /** The tool to go to then. */
  readonly next: string | undefined
}

/** What is under review, and the decisions. */
export function useReview({ installationId, tools, wanted, settle }: ReviewSubject): Review {
  const [name, setName] = useState(wanted)
  const [stale, setStale] = useState<readonly string[]>([])
  const current = tools.find((tool) => tool.name === name) ?? tools[0]
  const { loaded, retry } = useRequest('tools.read', { installationId, name: current.name })
  const held = tools.filter(({ exposure }) => exposure === 'held')
  function choose(next: string): void {
    setName(next)
    if (next !== current.name) setStale([])
  }
  const { isBusy, run } = useAction(
    ({ decision, reviewed }: Decided) => settle(decision, reviewed),
    (changed, { next }) => {
      setStale(changed)
      if (changed.length > 0) retry()
      else setName(next)
    },
  )
  function review(decision: ToolDecision, reviewed: readonly SeenTool[]): void {
    if (reviewed.length > 0) run({ decision, reviewed, next: nextHeld(tools, current)?.name })
  }
  return {
    tools,
    current,
    loaded,
    retry,
    stale,
    isBusy,
    choose,
    move: (by) => choose((tools[tools.indexOf(current) + by] ?? current).name),
    decide: (decision) => {
      if (loaded.kind === 'ready') review(decision, [loaded.value.view])
    },
    decideAll: (decision) => review(decision, held),
  }
}

type Decision = { readonly decision: ToolDecision; readonly tools: readonly SeenTool[] }

/** The decisions about the tools of a server. */
export type Decisions = {
  readonly last: Decision | null
  /** Judges tools as they were seen; the names of those that are others by now. */
  readonly settle: (decision: ToolDecision, seen: readonly SeenTool[]) => Promise<readonly string[]>
}

const DONE: Readonly<Record<ToolDecision, string>> = { approve: 'approved', refuse: 'rejected' }

/** The other decision and its button. */
export const INSTEAD = {
  approve: { decision: 'refuse', label: 'Reject instead' },
  refuse: { decision: 'approve', label: 'Approve instead' },
} as const

/** What was decided, as a sentence: "save_note is approved." */
export function decisionWords({ decision, tools }: Decision): string {
  const [first] = tools
  return tools.length === 1 && first
    ? `${visibleText(first.name)} ${DONE[decision]}.`
    : `${tools.length} tools ${DONE[decision]}.`
}

/** Carries out decisions and keeps the last one, so that it can be turned round. */
export function useDecisions(installationId: string): Decisions {
  const [last, setLast] = useState<Decision | null>(null)
  const settle: Decisions['settle'] = async (decision, seen) => {
    const decided = seen.map(({ name, hash }) => ({ name, hash }))
    try {
      const { stale } = await call('tools.review', { installationId, decision, tools: decided })
      const tools = decided.filter(({ name }) => !stale.includes(name))
      setLast(tools.length === 0 ? null : { decision, tools })
      return stale
    } catch (thrown) {
      showFailure(thrown)
      return []
    }
  }
  return { last, settle }
}
