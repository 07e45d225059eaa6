import type { MetricsStep } from '../../../src-shared/domain/running/metrics'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatTenths,
  formatWhole,
} from '../../ui/text/format'

/** One line or row of bars: a value for each step, null where nothing was measured. */
export type Series = {
  readonly label: string
  readonly look: 'bars' | 'line' | 'area'
  /** The role that colours it. */
  readonly role: 'chart' | 'error'
  /** Told from its neighbour by more than the colour. */
  readonly dashed?: true
  readonly values: readonly (number | null)[]
}

/** One chart of the metrics: its series share the time and the unit. */
export type ChartView = {
  readonly title: string
  /** What a value is of, in few words. */
  readonly note?: string
  readonly unit: 'count' | 'ms' | 'bytes'
  readonly series: readonly Series[]
}

/** A value of a chart in words. */
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

/** Counts of a step in which the server did not run are no zeros. */
function counted(
  steps: readonly MetricsStep[],
  read: (step: MetricsStep) => number,
): (number | null)[] {
  return steps.map((step) => (step.upMs === 0 && read(step) === 0 ? null : read(step)))
}

function measured(
  steps: readonly MetricsStep[],
  read: (step: MetricsStep) => number | undefined,
): (number | null)[] {
  return steps.map((step) => read(step) ?? null)
}

type Reading = readonly MetricsStep[]

function bars(
  steps: Reading,
  label: string,
  role: Series['role'],
  read: (step: MetricsStep) => number,
): Series {
  return { label, look: 'bars', role, values: counted(steps, read) }
}

function latency(steps: Reading): readonly Series[] {
  const line = { look: 'line', role: 'chart' } as const
  return [
    { ...line, label: 'Median', values: measured(steps, (step) => step.latency?.p50) },
    {
      ...line,
      label: '95th percentile',
      dashed: true,
      values: measured(steps, (step) => step.latency?.p95),
    },
  ]
}

/** The charts of a server's metrics; `stepMs` is the length of one step. */
export function chartsOf(steps: Reading, stepMs: number): readonly ChartView[] {
  const each = `each ${formatWhole(stepMs)}`
  return [
    {
      title: 'Requests',
      note: each,
      unit: 'count',
      series: [
        bars(steps, 'Requests', 'chart', ({ requests }) => requests),
        bars(steps, 'Errors', 'error', ({ errors }) => errors),
      ],
    },
    { title: 'Latency', unit: 'ms', series: latency(steps) },
    {
      title: 'Memory',
      unit: 'bytes',
      series: [
        {
          ...{ label: 'All processes', look: 'area', role: 'chart' },
          values: measured(steps, ({ rssBytes }) => rssBytes),
        },
      ],
    },
  ]
}

/** A series as a sentence: "Requests: 0 to 12, last 3."; says so when nothing was measured. */
export function seriesSentence(unit: ChartView['unit'], { label, values }: Series): string {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  if (last === undefined) return `${label}: no data.`
  const least = formatValue(unit, Math.min(...known))
  const most = formatValue(unit, Math.max(...known))
  if (least === most) return `${label}: constant at ${least}.`
  return `${label}: ${least} to ${most}, last ${formatValue(unit, last)}.`
}
