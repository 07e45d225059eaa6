import type { ActivityCounts } from '../../../src-shared/domain/agents/activity'
import { counted, formatCount, formatTime } from '../../ui/text/format'

/** All calls of the day, and those that failed. */
export function sumOf({ steps }: Pick<ActivityCounts, 'steps'>): {
  readonly calls: number
  readonly failed: number
} {
  return {
    calls: steps.reduce((sum, { calls }) => sum + calls, 0),
    failed: steps.reduce((sum, { failed }) => sum + failed, 0),
  }
}

/** How many went wrong, as a sentence. */
export function outcomeWords({ calls, failed }: ReturnType<typeof sumOf>): string {
  if (calls === 0) return 'Tool calls of the last 24 hours appear here.'
  if (failed === 0) return 'All calls succeeded.'
  return `${counted(failed, 'call')} failed.`
}

/** What the chart shows, as text: "Calls each half hour: 0 to 66, most at 14:30." */
export function chartWords({ from, stepMs, steps }: ActivityCounts): string {
  const most = Math.max(0, ...steps.map(({ calls }) => calls))
  if (most === 0) return 'No calls.'
  const least = Math.min(...steps.map(({ calls }) => calls))
  const at = formatTime(from + stepMs * steps.findIndex(({ calls }) => calls === most))
  return `Calls per half hour: ${formatCount(least)} to ${formatCount(most)}, most at ${at}.`
}
