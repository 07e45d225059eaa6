import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { BIN_FACTOR, binOf, summariseLatency } from './latency-bins'
import { addCounts } from './minute'

/** Times over the whole range, evenly distributed by magnitude. */
const time = fc
  .double({ min: Math.log(0.1), max: Math.log(3_600_000), noNaN: true })
  .map((exponent) => Math.exp(exponent))
const times = fc.array(time, { minLength: 1, maxLength: 300 })

function binsOf(samples: readonly number[]): Record<string, number> {
  const bins: Record<string, number> = {}
  for (const ms of samples) addCounts(bins, { [binOf(ms)]: 1 })
  return bins
}

/** By nearest rank. */
function exact(samples: readonly number[], quantile: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * quantile) - 1] ?? 0
}

const MAX_RATIO = Math.sqrt(BIN_FACTOR) * (1 + 1e-9)

describe('B11: latency bins', () => {
  it("give the quantiles of any samples within a bin's error", () => {
    fc.assert(
      fc.property(times, (samples) => {
        const { p50 = 0, p95 = 0 } = summariseLatency(binsOf(samples)) ?? {}
        for (const [reported, is] of [
          [p50, exact(samples, 0.5)],
          [p95, exact(samples, 0.95)],
        ] as const) {
          expect(Math.max(reported / is, is / reported)).toBeLessThanOrEqual(MAX_RATIO)
        }
      }),
    )
  })

  it('give the same result merged as counted together', () => {
    fc.assert(
      fc.property(times, times, (some, others) => {
        const merged = binsOf(some)
        addCounts(merged, binsOf(others))
        expect(summariseLatency(merged)).toEqual(summariseLatency(binsOf([...some, ...others])))
      }),
    )
  })

  it('count values outside the range in the first or last bin', () => {
    expect([0, -5, 0.1].map(binOf)).toEqual([0, 0, 0])
    expect(binOf(1e12)).toBe(binOf(3_600_000))
    expect(binOf(3_600_000)).toBeLessThan(200)
  })

  it('have no summary without samples', () => {
    expect(summariseLatency({})).toBeUndefined()
  })
})
