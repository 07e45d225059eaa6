import type { LatencySummary } from '../../../src-shared/domain/running/metrics'

/** Factor between the times of two consecutive bins. */
export const BIN_FACTOR = 1.1

const MIN_MS = 0.1
const MAX_MS = 3_600_000
const LAST_BIN = Math.floor(Math.log(MAX_MS / MIN_MS) / Math.log(BIN_FACTOR))

/** Counts by bin number, only those above 0. */
export type LatencyBins = Readonly<Record<string, number>>

/** The bin of a time: geometric from 0.1 ms to 1 h, with everything beyond in the first or last one. */
export function binOf(ms: number): number {
  const bin = Math.floor(Math.log(Math.max(ms, MIN_MS) / MIN_MS) / Math.log(BIN_FACTOR))
  return Math.min(bin, LAST_BIN)
}

/** Quantiles by nearest rank, from 0.1 ms to 1 h; their error is at most the square root of the factor (5%). */
export function summariseLatency(bins: LatencyBins): LatencySummary | undefined {
  const sorted = Object.entries(bins)
    .map(([bin, count]) => [Number(bin), count] as const)
    .sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return undefined
  return { p50: timeAt(sorted, total * 0.5), p95: timeAt(sorted, total * 0.95) }
}

function timeAt(sorted: readonly (readonly [bin: number, count: number])[], rank: number): number {
  let below = 0
  let last = 0
  for (const [bin, count] of sorted) {
    last = bin
    below += count
    if (below >= rank) break
  }
  // The geometric middle has the same error to both sides.
  return MIN_MS * BIN_FACTOR ** (last + 0.5)
}
