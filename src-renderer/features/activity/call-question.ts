import { CallOutcome } from '../../../src-shared/domain/agents/activity'
import { type ActivityView, ALL_CALLS, type Span } from './activity-view-store'
import type { CallQuestion } from './found-calls'

const HOUR_MS = 3_600_000

const SPAN_MS: Readonly<Record<Exclude<Span, 'all'>, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
}

const FAILED = CallOutcome.options.filter((outcome) => outcome !== 'ok')

/** What a view asks for. */
export function callQuestion(view: ActivityView): CallQuestion {
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

/** Whether a search or a filter leaves calls out. */
export function isNarrowed(view: ActivityView): boolean {
  const { query, agentId, installationId, outcome, span } = view
  const { outcome: every, span: ever } = ALL_CALLS
  const isChosen = agentId !== undefined || installationId !== undefined
  return query.trim() !== '' || isChosen || outcome !== every || span !== ever
}
