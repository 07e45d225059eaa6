import {
  type MetricsRange,
  type MetricsStep,
  type PhaseTimes,
  type ServerMetrics,
  type TreeUse,
} from '../../../src-shared/domain/running/metrics'
import { StartPhase } from '../../../src-shared/domain/running/run-status'
import { summariseLatency } from './latency-bins'
import { addMinute, emptyMinute, type Minute, MINUTE_MS } from './minute'

/** How many minutes a step has, and how many steps there are. */
const RANGES: Record<MetricsRange, { readonly length: number; readonly count: number }> = {
  '1h': { length: 1, count: 60 },
  '6h': { length: 3, count: 120 },
  '24h': { length: 12, count: 120 },
}
/** Most codes of failures that are told apart. */
const MOST_CODES = 50

/** What the figures of a range are made of. */
export type MetricsSource = {
  readonly installationId: string
  readonly name: string
  /** In any order; one may come in several parts. */
  readonly minutes: readonly Minute[]
  /** Epoch ms. */
  readonly now: number
  readonly use: TreeUse | undefined
}

/**
 * The figures of a range that ends now. Steps lie on whole multiples of their length, so that what was shown
 * stays where it is; the last one is under way.
 */
export function compileMetrics(source: MetricsSource, range: MetricsRange): ServerMetrics {
  const { installationId, name, now, use } = source
  const { length, count } = RANGES[range]
  const stepMs = length * MINUTE_MS
  const first = (Math.floor(now / stepMs) - count + 1) * length
  const steps = Array.from({ length: count }, (_, index) => emptyMinute(first + index * length))
  // Those of the future are of a clock that was wrong.
  for (const minute of source.minutes.filter((one) => one.minute * MINUTE_MS <= now)) {
    const step = steps[Math.floor((minute.minute - first) / length)]
    if (step) addMinute(step, minute)
  }
  const total = emptyMinute(first)
  for (const step of steps) {
    step.upMs = Math.min(stepMs, step.upMs)
    addMinute(total, step)
  }
  return {
    installationId,
    name,
    from: first * MINUTE_MS,
    to: now,
    stepMs,
    steps: steps.map(toStep),
    totals: totalsOf(total),
    phases: phaseTimes(total.phases ?? []),
    now: use,
  }
}

function toStep(sum: Minute): MetricsStep {
  const { minute, upMs, requests, bytesIn, bytesOut, stderrLines, noiseLines, rssBytes } = sum
  return {
    at: minute * MINUTE_MS,
    upMs: Math.round(upMs),
    requests,
    errors: Object.values(sum.errors ?? {}).reduce((all, one) => all + one, 0),
    latency: summariseLatency(sum.latency ?? {}),
    bytesIn,
    bytesOut,
    stderrLines,
    noiseLines,
    rssBytes,
    cpuPercent: sum.cpuOfMs > 0 ? (sum.cpuMs / sum.cpuOfMs) * 100 : undefined,
  }
}

function totalsOf(total: Minute): ServerMetrics['totals'] {
  const { upMs, requests, errors, latency, bytesIn, bytesOut, stderrLines, noiseLines } =
    toStep(total)
  const { starts, restarts, losses } = total
  const counted = { requests, errors, bytesIn, bytesOut, stderrLines, noiseLines }
  return { upMs, starts, restarts, losses, latency, ...counted, errorsByCode: byCode(total) }
}

/** Most first; the rarest beyond 50 codes go into `other`. */
function byCode({ errors = {} }: Minute): ServerMetrics['totals']['errorsByCode'] {
  const { other = 0, ...named } = errors
  const sorted = Object.entries(named)
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code, 'en'))
  const rest = sorted.slice(MOST_CODES).reduce((sum, { count }) => sum + count, other)
  return [...sorted.slice(0, MOST_CODES), ...(rest > 0 ? [{ code: 'other', count: rest }] : [])]
}

function phaseTimes(done: NonNullable<Minute['phases']>): PhaseTimes[] {
  return StartPhase.options.flatMap((phase) => {
    const times = done.filter(([one]) => one === phase).map(([, ms]) => ms)
    const lastMs = times.at(-1)
    const sorted = [...times].sort((a, b) => a - b)
    const medianMs = sorted[Math.ceil(sorted.length / 2) - 1]
    if (lastMs === undefined || medianMs === undefined) return []
    return [{ phase, count: times.length, lastMs, medianMs }]
  })
}
