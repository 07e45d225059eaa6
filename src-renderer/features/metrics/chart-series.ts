import type { MetricsStep } from '../../../src-shared/domain/running/metrics'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatTenths,
  formatWhole,
} from '../../ui/text/format'

/** One line or row of bars: a value for each step, null if nothing was measured. */
export type Series = {
  readonly label: string
  readonly look: 'bars' | 'line' | 'area'
  readonly role: 'chart' | 'error'
  /** Distinguishes the line from its neighbor without color. */
  readonly dashed?: true
  readonly values: readonly (number | null)[]
}

/** One chart of the metrics: its series share time axis and unit. */
export type ChartView = {
  readonly title: string
  /** What a value refers to, in few words. */
  readonly note?: string
  readonly unit: 'count' | 'ms' | 'bytes'
  readonly series: readonly Series[]
}

/** Formats a value of a chart. */
export function formatValue(unit: ChartView['unit'], value: number): string {
  switch (unit) {
    case 'count':
      return formatCount(value)
    case 'ms':
      if (value >= 995) return formatDuration(value)
      return `${formatTenths(value)} ms`
    case 'bytes':
      return formatBytes(value)
  }
}

/** Returns a series of one value per step. A zero count while the server was not running becomes null. */
function seriesOf(
  steps: readonly MetricsStep[],
  shape: Omit<Series, 'values'>,
  read: (step: MetricsStep) => number | undefined,
): Series {
  const values = steps.map((step) => {
    const isMissing = shape.look === 'bars' && step.upMs === 0 && read(step) === 0
    return isMissing ? null : (read(step) ?? null)
  })
  return { ...shape, values }
}

/** Returns the charts of a server's metrics; `stepMs` is the length of one step. */
export function chartsOf(steps: readonly MetricsStep[], stepMs: number): readonly ChartView[] {
  const [bars, line] = [{ look: 'bars' }, { look: 'line', role: 'chart' }] as const
  return [
    {
      ...{ title: 'Requests', note: `each ${formatWhole(stepMs)}`, unit: 'count' },
      series: [
        seriesOf(steps, { ...bars, label: 'Requests', role: 'chart' }, (step) => step.requests),
        seriesOf(steps, { ...bars, label: 'Errors', role: 'error' }, (step) => step.errors),
      ],
    },
    {
      ...{ title: 'Latency', unit: 'ms' },
      series: [
        seriesOf(steps, { ...line, label: 'Median' }, ({ latency }) => latency?.p50),
        seriesOf(
          steps,
          { ...line, label: '95th percentile', dashed: true },
          ({ latency }) => latency?.p95,
        ),
      ],
    },
    {
      ...{ title: 'Memory', unit: 'bytes' },
      series: [
        seriesOf(
          steps,
          { label: 'All processes', look: 'area', role: 'chart' },
          ({ rssBytes }) => rssBytes,
        ),
      ],
    },
  ]
}

/** Returns a series as a sentence: "Requests: 0 to 12, last 3."; says so if nothing was measured. */
export function seriesText(unit: ChartView['unit'], { label, values }: Series): string {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  if (last === undefined) return `${label}: no data.`
  const lowest = formatValue(unit, Math.min(...known))
  const highest = formatValue(unit, Math.max(...known))
  if (lowest === highest) return `${label}: constant at ${lowest}.`
  return `${label}: ${lowest} to ${highest}, last ${formatValue(unit, last)}.`
}
