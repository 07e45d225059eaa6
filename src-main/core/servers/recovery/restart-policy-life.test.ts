import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decisionsOf, HALF, live } from '../../../../e2e/fixtures/recovery-life'
import { Settings } from '../../../../src-shared/domain/state/settings'
import { decideRestart, NO_FAILURES, type Recovery, recoveryAfterReturn } from './restart-policy'

const DEFAULTS = Settings.parse({})

describe('B11: a start that reaches no server', () => {
  const away = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => [from + n, 'away'] as const)

  it('is retried without end, with waits that double up to the longest', () => {
    const verdicts = live([...away(0, 9), [9, 'ready'], ...away(10, 1)])
    expect(decisionsOf(verdicts)).toEqual([
      ...[1, 2, 4, 8, 16, 32, 60, 60, 60].map((s, n) => ['unreached', s, n + 2, undefined]),
      ['unreached', 1, 2, undefined],
    ])
    const endless = live(away(0, 2_000))
    expect(decisionsOf(endless).at(-1)).toEqual(['unreached', 60, 2_001, undefined])
  })

  it('neither ends nor extends a streak of failures or test starts', () => {
    const failed = [0, 10, 20, 30, 40].map((s) => [s, 'failed'] as const)
    const between = failed.flatMap((one) => [one, ...away(one[0] + 1, 3)])
    expect(
      decisionsOf(live(between)).filter((one) => !String(one).startsWith('unreached')),
    ).toEqual(decisionsOf(live(failed)))
    const opening = [0, 20, 40, 60, 80].flatMap((s) => [
      [s, 'ready'] as const,
      [s + 5, 'lost'] as const,
    ])
    expect(decisionsOf(live([...opening, ...away(145, 2), [150, 'failed']])).slice(4)).toEqual([
      ['rest', 60, 1, 5],
      ['unreached', 1, 2, undefined],
      ['unreached', 2, 3, undefined],
      ['rest', 60, 2, 5],
    ])
  })

  it('begins with the first wait again when the network is back', () => {
    const failure = { kind: 'unreached', at: 0, quietMs: 0, code: 'REMOTE_UNREACHABLE' } as const
    const decideAccess = (recovery: Recovery) =>
      decideRestart(recovery, { ...failure, counts: true }, DEFAULTS, HALF)
    const { recovery } = decideAccess(decideAccess(decideAccess(NO_FAILURES).recovery).recovery)
    expect(
      decisionsOf([
        decideAccess(recovery).decision,
        decideAccess(recoveryAfterReturn(recovery)).decision,
      ]),
    ).toEqual([
      ['unreached', 8, 5, undefined],
      ['unreached', 1, 2, undefined],
    ])
  })
})

describe('B11: any history of failures', () => {
  const settings = fc.record({
    firstWaitMs: fc.integer({ min: 100, max: 600_000 }),
    longestWaitMs: fc.integer({ min: 100, max: 3_600_000 }),
    startTries: fc.integer({ min: 1, max: 100 }),
    breakerLosses: fc.integer({ min: 2, max: 100 }),
    breakerWindowMs: fc.integer({ min: 1_000, max: 3_600_000 }),
  })
  const events = fc.array(
    fc.tuple(
      fc.integer({ min: 0, max: 600 }),
      fc.constantFrom('ready', 'lost', 'failed', 'away', 'lostAsleep', 'failedAsleep'),
    ),
    { maxLength: 60 },
  )

  it('waits within its bounds, never exceeds the retries, and never pauses before them', () => {
    fc.assert(
      fc.property(
        settings,
        events,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (some, gaps, random) => {
          const all = { ...DEFAULTS, ...some }
          let s = 0
          const steps = gaps.map(([gap, what]) => [(s += gap), what] as const)
          const verdicts = live(steps, all, random)
          const longest = Math.max(all.firstWaitMs, all.longestWaitMs)
          const failures = steps.filter(([, what]) => what !== 'ready')
          let counted = 0
          for (const [index, decision] of verdicts.entries()) {
            const isAway = failures[index]?.[1] === 'away'
            if (!isAway) counted += 1
            expect(decision.kind === 'wait' && decision.because === 'unreached').toBe(isAway)
            if (decision.kind === 'pause') expect(counted).toBeGreaterThanOrEqual(all.startTries)
            if (decision.kind !== 'wait') continue
            expect(decision.attempt).toBeGreaterThan(0)
            if (decision.of !== undefined) expect(decision.attempt).toBeLessThanOrEqual(decision.of)
            const isRest = decision.because === 'rest'
            expect(decision.delayMs).toBeGreaterThanOrEqual(
              isRest ? all.breakerRestMs : all.firstWaitMs,
            )
            expect(decision.delayMs).toBeLessThanOrEqual(isRest ? all.breakerRestMs : longest)
          }
        },
      ),
    )
  })

  it('jitters its waits', () => {
    const delays = [0, 0.3, 0.6, 0.99].map(
      (random) =>
        decisionsOf(
          live(
            [
              [0, 'failed'],
              [1, 'failed'],
            ],
            DEFAULTS,
            random,
          ),
        )[1],
    )
    expect(new Set(delays.map(String)).size).toBe(4)
  })
})
