import { median } from '../measure/median'
import { type Bar, type Row, toRow } from '../measure/row'
import type { Census } from './census'

/** None of these may increase after the warm-up. */
const EXACT = ['handles', 'processes', 'processListeners', 'signalListeners'] as const
/**
 * Most growth per cycle: a leak of one per cycle has a slope of 1; caches and late collection stay far below. Promises also vary with the
 * machine's other processes, which the core looks at.
 */
const PER_CYCLE = {
  sessions: 0.5,
  transports: 0.5,
  logs: 0.5,
  timers: 0.5,
  emitters: 0.5,
  abortSignals: 0.5,
  closures: 0.5,
  promises: 5,
} as const
const MAX_HEAP_KB = 32

/** Assesses censuses `stride` cycles apart, without the first ones during warm-up. */
export function assess(censuses: readonly Census[], stride: number): Row[] {
  const warm = censuses.slice(warmUp(censuses.length))
  const series = (kind: string): number[] => warm.map((census) => census[kind] ?? Number.NaN)
  return [
    ...EXACT.map((kind) => toRow(countBar(`${kind}-left`, 0), rise(series(kind)).by)),
    ...Object.entries(PER_CYCLE).map(([kind, most]) =>
      toRow(countBar(`${kind}-per-cycle`, most), perStep(rise(series(kind))) / stride),
    ),
    toRow(
      { metric: 'heap-kb-per-cycle', unit: 'KB', op: '<=', bar: MAX_HEAP_KB },
      slope(series('heapKb')) / stride,
    ),
  ]
}

/** Number of first censuses that don't count. */
export function warmUp(count: number): number {
  return Math.min(Math.max(3, Math.floor(count / 5)), count - 2)
}

/** The median slope between all pairs of values, robust against outliers (Theil and Sen). */
export function slope(values: readonly number[]): number {
  const slopes = values.flatMap((from, first) =>
    values.slice(first + 1).map((to, behind) => (to - from) / (behind + 1)),
  )
  return median(slopes)
}

type Rise = { readonly by: number; readonly steps: number }

/** From the lowest first values to the lowest last ones, so that peaks don't count. */
function rise(values: readonly number[]): Rise {
  const few = Math.max(2, Math.floor(values.length / 3))
  return {
    by: Math.min(...values.slice(-few)) - Math.min(...values.slice(0, few)),
    steps: values.length - few,
  }
}

function perStep({ by, steps }: Rise): number {
  return by / Math.max(1, steps)
}

function countBar(metric: string, bar: number): Bar {
  return { metric, unit: 'count', op: '<=', bar }
}
