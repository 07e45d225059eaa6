import { useState } from 'react'

import type { ToolDetail, ToolView } from '../../../src-shared/domain/agents/tools'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { type Loaded, useAction, useRequest } from '../../ipc/use-request'
import { visibleText } from '../../ui/text/untrusted-text'

/** The user's decision about a tool. */
export type ToolDecision = 'approve' | 'reject'

type SeenTool = Pick<ToolView, 'name' | 'hash'>

/** The tool under review, and the other tools of its server to review. */
export type Review = {
  readonly tools: readonly ToolView[]
  readonly current: ToolView
  /** Keeps the seen definition if the tool changes meanwhile: a decision applies only to what was seen. */
  readonly loaded: Loaded<ToolDetail>
  readonly retry: () => void
  /** Names of tools that changed during the review. */
  readonly stale: readonly string[]
  readonly isBusy: boolean
  readonly choose: (name: string) => void
  /** Moves by this many tools, within the list. */
  readonly move: (by: number) => void
  /** Decides about the shown tool, then moves to the next held one. */
  readonly decide: (decision: ToolDecision) => void
  readonly decideAll: (decision: ToolDecision) => void
}

/** Returns the next held tool after the current one, else the first held one; undefined if there is none. */
function nextHeld(tools: readonly ToolView[], current: ToolView): ToolView | undefined {
  const others = tools.filter(
    ({ name, exposure }) => exposure === 'needsReview' && name !== current.name,
  )
  const position = tools.findIndex(({ name }) => name === current.name)
  return others.find((tool) => tools.indexOf(tool) > position) ?? others[0]
}

/** The tools of a server to review, the one to start with, and the function that saves decisions. */
export type ReviewSubject = {
  readonly installationId: string
  readonly tools: readonly [ToolView, ...ToolView[]]
  readonly wanted: string | undefined
  readonly decide: Decisions['decide']
}

type Decided = {
  readonly decision: ToolDecision
  readonly reviewed: readonly SeenTool[]
  /** The tool to move to afterwards. */
  readonly next: string | undefined
}

/** Returns the review with its decisions. */
export function useReview({ installationId, tools, wanted, decide }: ReviewSubject): Review {
  const [name, setName] = useState(wanted)
  const [stale, setStale] = useState<readonly string[]>([])
  const current = tools.find((tool) => tool.name === name) ?? tools[0]
  const { loaded, retry } = useRequest('tools.read', { installationId, name: current.name })
  const waiting = tools.filter(({ exposure }) => exposure === 'needsReview')
  function choose(next: string): void {
    setName(next)
    if (next !== current.name) setStale([])
  }
  const { isBusy, run } = useAction(
    ({ decision, reviewed }: Decided) => decide(decision, reviewed),
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
    decideAll: (decision) => review(decision, waiting),
  }
}

type Decision = { readonly decision: ToolDecision; readonly tools: readonly SeenTool[] }

/** The decisions about the tools of a server. */
export type Decisions = {
  readonly last: Decision | null
  /** Saves a decision about tools as the user saw them; returns the names of tools that changed meanwhile. */
  readonly decide: (decision: ToolDecision, seen: readonly SeenTool[]) => Promise<readonly string[]>
}

const DONE: Readonly<Record<ToolDecision, string>> = { approve: 'approved', reject: 'rejected' }

/** The opposite decision and its button. */
export const INSTEAD = {
  approve: { decision: 'reject', label: 'Reject instead' },
  reject: { decision: 'approve', label: 'Approve instead' },
} as const

/** Returns the decision as a sentence: "save_note approved." */
export function decisionText({ decision, tools }: Decision): string {
  const [first] = tools
  return tools.length === 1 && first
    ? `${visibleText(first.name)} ${DONE[decision]}.`
    : `${tools.length} tools ${DONE[decision]}.`
}

/** Saves decisions and keeps the last one, so that the user can reverse it. */
export function useDecisions(installationId: string): Decisions {
  const [last, setLast] = useState<Decision | null>(null)
  const decide: Decisions['decide'] = async (decision, seen) => {
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
  return { last, decide }
}
