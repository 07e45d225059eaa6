import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MetricsRange, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { binOf } from './latency-bins'
import { compileMetrics } from './metrics'
import { emptyMinute, type Minute, MINUTE_MS } from './minute'

const NOW_MINUTE = 29_700_007
const NOW = NOW_MINUTE * MINUTE_MS + 30_000
const source = {
  installationId: '8f14e45f-ceea-467f-9575-a1b2c3d4e5f6',
  name: 'One',
  now: NOW,
  use: undefined,
}
const at = (minute: number, part: Partial<Minute>): Minute => ({ ...emptyMinute(minute), ...part })
const compile = (minutes: Minute[], range: MetricsRange = '1h'): ServerMetrics =>
  ServerMetrics.parse(compileMetrics({ ...source, minutes }, range))

describe('B11: the metrics of a range', () => {
  it.each(MetricsRange.options)('of %s have at most 120 steps without a gap up to now', (range) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (now) => {
        const { from, to, stepMs, steps } = compileMetrics({ ...source, now, minutes: [] }, range)
        expect(steps.length).toBeLessThanOrEqual(120)
        expect(stepMs * steps.length).toBe(Number.parseInt(range, 10) * 3_600_000)
        steps.forEach((step, index) => expect(step.at).toBe(from + index * stepMs))
        expect(to).toBe(now)
        expect((steps.at(-1)?.at ?? 0) <= now && now < from + stepMs * steps.length).toBe(true)
      }),
    )
  })

  it('contain every minute of the range once, and none beyond it', () => {
    const minute = fc
      .integer({ min: NOW_MINUTE - 1_500, max: NOW_MINUTE + 100 })
      .map((number) => at(number, { requests: 1, bytesIn: 10, upMs: MINUTE_MS }))
    fc.assert(
      fc.property(
        fc.uniqueArray(minute, { selector: (one) => one.minute }),
        fc.constantFrom(...MetricsRange.options),
        (minutes, range) => {
          const { from, steps, totals } = compile(minutes, range)
          const inside = minutes.filter(
            (one) => one.minute * MINUTE_MS >= from && one.minute <= NOW_MINUTE,
          )
          const sum = (of: (step: (typeof steps)[number]) => number): number =>
            steps.reduce((all, step) => all + of(step), 0)
          expect(sum((step) => step.requests)).toBe(inside.length)
          expect(totals).toMatchObject({
            requests: inside.length,
            bytesIn: 10 * inside.length,
            upMs: MINUTE_MS * inside.length,
          })
        },
      ),
    )
  })

  it('add up two parts of a minute, but never to more than a minute', () => {
    const part = at(NOW_MINUTE, { upMs: 50_000, requests: 2, rssBytes: 5, cpuMs: 1, cpuOfMs: 10 })
    const other = at(NOW_MINUTE, { upMs: 50_000, requests: 1, rssBytes: 7, cpuMs: 8, cpuOfMs: 10 })
    expect(compile([part, other]).steps.at(-1)).toMatchObject({
      upMs: MINUTE_MS,
      requests: 3,
      rssBytes: 7,
      cpuPercent: 45,
    })
  })

  it("omit what wasn't measured", () => {
    const { steps, totals } = compile([])
    for (const { latency, rssBytes, cpuPercent } of [...steps, { ...totals, ...steps[0] }])
      expect([latency, rssBytes, cpuPercent]).toEqual([undefined, undefined, undefined])
  })

  it('summarize latencies and failures over all steps', () => {
    const latency = { [binOf(10)]: 19, [binOf(1_000)]: 1 }
    const { totals, steps } = compile([
      at(NOW_MINUTE - 3, { requests: 20, latency, errors: { REQUEST_TIMEOUT: 1, '-32603': 2 } }),
      at(NOW_MINUTE - 2, { requests: 20, latency, errors: { REQUEST_TIMEOUT: 3 } }),
    ])
    expect(totals.errors).toBe(6)
    expect(totals.errorsByCode).toEqual([
      { code: 'REQUEST_TIMEOUT', count: 4 },
      { code: '-32603', count: 2 },
    ])
    expect(totals.latency?.p50).toBeGreaterThan(9)
    expect(totals.latency?.p95).toBeLessThan(11)
    expect(steps.filter((step) => step.latency !== undefined)).toHaveLength(2)
  })

  it('merge the rarest failures beyond 50 codes', () => {
    const errors = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`C${String(index)}`, index + 1]),
    )
    const { errorsByCode, errors: all } = compile([
      at(NOW_MINUTE, { errors: { ...errors, other: 100 } }),
    ]).totals
    expect(errorsByCode).toHaveLength(51)
    expect(errorsByCode[0]).toEqual({ code: 'C59', count: 60 })
    expect(errorsByCode.at(-1)).toEqual({ code: 'other', count: 155 })
    expect(errorsByCode.reduce((sum, { count }) => sum + count, 0)).toBe(all)
  })

  it('show how long the phases of starts took, in order', () => {
    const { phases } = compile([
      at(NOW_MINUTE, {
        phases: [
          ['handshake', 300],
          ['spawn', 20],
        ],
      }),
      at(NOW_MINUTE - 9, {
        phases: [
          ['spawn', 10],
          ['spawn', 90],
        ],
      }),
    ])
    expect(phases).toEqual([
      { phase: 'spawn', count: 3, lastMs: 20, medianMs: 20 },
      { phase: 'handshake', count: 1, lastMs: 300, medianMs: 300 },
    ])
  })
})
