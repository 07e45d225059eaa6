import { create } from 'zustand'

import { type ActivityQuery, CallOutcome } from '../../../src-shared/domain/agents/activity'

/** Time span of the list. */
export type Span = 'all' | 'hour' | 'day' | 'week'

/** Search and filters of the list. */
export type ActivityView = {
  readonly query: string
  readonly agentId: string | undefined
  readonly installationId: string | undefined
  /** `failed` includes every outcome but success. */
  readonly outcome: CallOutcome | 'all' | 'failed'
  readonly span: Span
  /** Time when the span was chosen, epoch ms. New calls don't move the span's start. */
  readonly spanAt: number
}

/** A view without filters and search. */
export const ALL_CALLS: ActivityView = {
  query: '',
  agentId: undefined,
  installationId: undefined,
  outcome: 'all',
  span: 'all',
  spanAt: 0,
}

/** The view, which persists across page changes. */
export const useActivityView = create<ActivityView>(() => ALL_CALLS)

/** Changes a part of the view. */
export const setActivityView = useActivityView.setState

/** The query of the list; pages load as they scroll into view. */
export type CallQuery = Omit<ActivityQuery, 'before' | 'after' | 'limit'>

const HOUR_MS = 3_600_000

const SPAN_MS: Readonly<Record<Exclude<Span, 'all'>, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
}

const FAILED = CallOutcome.options.filter((outcome) => outcome !== 'ok')

/** Returns the query for a view. */
export function callQuery(view: ActivityView): CallQuery {
  const { query, agentId, installationId, span, spanAt } = view
  return {
    text: query.trim().slice(0, 200),
    outcomes: outcomesOf(view),
    ...(agentId !== undefined && { agentId }),
    ...(installationId !== undefined && { installationId }),
    ...(span !== 'all' && { from: spanAt - SPAN_MS[span] }),
  }
}

function outcomesOf({ outcome }: ActivityView): CallOutcome[] {
  if (outcome === 'all') return []
  return outcome === 'failed' ? FAILED : [outcome]
}

/** Whether a search or filter is active. */
export function isNarrowed(view: ActivityView): boolean {
  const { query, agentId, installationId, outcome, span } = view
  const { outcome: every, span: ever } = ALL_CALLS
  const isChosen = agentId !== undefined || installationId !== undefined
  return query.trim() !== '' || isChosen || outcome !== every || span !== ever
}
