import type { DatabaseSync } from 'node:sqlite'

import type { ActivityCounts, CallOutcome } from '../../../../src-shared/domain/agents/activity'

/** Steps of one length, one after the other: `from` and `stepMs` in epoch ms and ms. */
export type CountSpan = {
  readonly from: number
  readonly stepMs: number
  readonly steps: number
}

const STEP_MS = 1_800_000
const STEPS = 48
/** How calls end that went wrong by themselves. */
const FAILED: readonly CallOutcome[] = [
  'toolError',
  'refused',
  'rejected',
  'timedOut',
  'unreachable',
]

/** The 24 h that end with the half hour of `now` (epoch ms); steps begin at whole half hours. */
export function lastDay(now: number): CountSpan {
  const newest = now - (now % STEP_MS)
  return { from: newest - (STEPS - 1) * STEP_MS, stepMs: STEP_MS, steps: STEPS }
}

/** The counts of a span in which nothing was called. */
export function noCounts({ from, stepMs, steps }: CountSpan): ActivityCounts {
  return { from, stepMs, steps: Array.from({ length: steps }, () => ({ calls: 0, failed: 0 })) }
}

/** Counts the calls of each step. Throws SQLite's errors. */
export function countCalls(database: DatabaseSync, span: CountSpan): ActivityCounts {
  const { from, stepMs, steps } = span
  const counts = noCounts(span)
  const marks = FAILED.map(() => '?').join(', ')
  const rows = database
    .prepare(
      `SELECT CAST((at - ?) / ? AS INTEGER) AS step, count(*) AS calls,
        sum(outcome IN (${marks})) AS failed
        FROM call WHERE at >= ? AND at < ? GROUP BY step`,
    )
    .all(from, stepMs, ...FAILED, from, from + steps * stepMs)
  for (const row of rows) {
    const step = counts.steps[Number(row.step)]
    if (step) Object.assign(step, { calls: Number(row.calls), failed: Number(row.failed) })
  }
  return counts
}
