import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MetricsRange } from '../../../src-shared/domain/running/metrics'
import { compileMetrics } from './metrics'
import { emptyMinute, type Minute, MINUTE_MS } from './minute'
import { MinuteHistory } from './server-recorder'

const DAY = 1_440
const source = { installationId: '', name: '', use: undefined }
const busy = (minute: number): Minute => ({
  ...emptyMinute(minute),
  upMs: MINUTE_MS - (minute % 7),
  requests: 1 + (minute % 5),
  latency: { [String(minute % 180)]: 1 },
  rssBytes: minute,
  phases: [['spawn', minute % 50]],
})

describe('B11: the kept minutes of a server', () => {
  it('give every range the same metrics as all minutes would', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 28_000_000, max: 28_000_100 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 1_500, size: 'max' }),
        (first, gaps) => {
          const history = new MinuteHistory()
          const all: Minute[] = []
          let now = first
          for (const gap of gaps) {
            all.push(busy(now))
            history.add(busy(now), now + 1)
            now += gap
          }
          for (const range of MetricsRange.options) {
            const read = (minutes: readonly Minute[]): unknown =>
              compileMetrics({ ...source, minutes, now: now * MINUTE_MS }, range)
            expect(read(history.all())).toEqual(read(all))
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  it('are few, and cover at least a day', () => {
    const history = new MinuteHistory()
    for (let minute = 0; minute < 5 * DAY; minute += 1) history.add(busy(minute), minute + 1)
    const kept = history.all()
    expect(kept.length).toBeLessThanOrEqual(300)
    const oldest = Math.min(...kept.map(({ minute }) => minute))
    expect(oldest).toBeLessThanOrEqual(4 * DAY)
    const counted = kept.reduce((sum, { requests }) => sum + requests, 0)
    expect(counted).toBe(
      Array.from({ length: 5 * DAY - oldest }, (_, index) => busy(oldest + index).requests).reduce(
        (sum, one) => sum + one,
      ),
    )
  })

  it('survive a clock that jumps a year ahead or back', () => {
    for (const jump of [365 * DAY, -365 * DAY]) {
      const history = new MinuteHistory()
      for (let minute = 0; minute < 600; minute += 1)
        history.add(busy(400 * DAY + minute), 400 * DAY + minute + 1)
      for (let minute = 0; minute < 10; minute += 1) {
        const wrong = 400 * DAY + 600 + jump + minute
        history.add(busy(wrong), wrong + 1)
      }
      history.add(busy(400 * DAY + 610), 400 * DAY + 611)
      const metrics = compileMetrics(
        { ...source, minutes: history.all(), now: (400 * DAY + 611) * MINUTE_MS },
        '24h',
      )
      expect(metrics.phases[0]?.count).toBe(601)
    }
  })

  it('of earlier runs come before those of this one', () => {
    const history = new MinuteHistory()
    history.add(busy(1_000_000), 1_000_001)
    history.addEarlier([busy(999_990), busy(1_000_000)], 1_000_001)
    expect(history.all().map(({ minute }) => minute)).toEqual([999_990, 1_000_000])
    expect(history.all()[1]?.requests).toBe(2 * busy(1_000_000).requests)
  })
})
