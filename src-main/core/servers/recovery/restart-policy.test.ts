import { describe, expect, it } from 'vitest'

import { decisionsOf, HALF, live } from '../../../../e2e/fixtures/recovery-life'
import { AppErrorCode } from '../../../../src-shared/domain/app-error'
import { Settings } from '../../../../src-shared/domain/state/settings'
import { isTransient } from '../../failure/transient-failure'
import { decideRestart, NO_FAILURES } from './restart-policy'

const DEFAULTS = Settings.parse({})

describe('A8: a failed start', () => {
  it('is retried with doubling waits, and the fifth in a row pauses with a reason', () => {
    const verdicts = live([
      [1, 'failed'],
      [2, 'failed'],
      [4, 'failed'],
      [8, 'failed'],
      [16, 'failed'],
    ])
    expect(decisionsOf(verdicts)).toEqual([
      ['failedStart', 1, 2, 5],
      ['failedStart', 2, 3, 5],
      ['failedStart', 4, 4, 5],
      ['failedStart', 8, 5, 5],
      'pause',
    ])
    expect(verdicts.at(-1)).toEqual({ kind: 'pause', reason: 'Failed to start 5 times in a row.' })
  })

  it('starts a new streak after a success, but the waits keep growing', () => {
    const settings = { ...DEFAULTS, startTries: 2 }
    const verdicts = live(
      [
        [1, 'failed'],
        [2, 'ready'],
        [3, 'lost'],
        [5, 'failed'],
        [9, 'failed'],
      ],
      settings,
    )
    expect(decisionsOf(verdicts)).toEqual([
      ['failedStart', 1, 2, 2],
      ['lostSession', 2, 2, undefined],
      ['failedStart', 4, 2, 2],
      'pause',
    ])
  })

  it('stays an error if only the user can fix it or automatic restarts are off', () => {
    const decideAccess = (code: AppErrorCode, startsAgain: boolean): string =>
      decideRestart(
        NO_FAILURES,
        { kind: 'failedStart', at: 0, quietMs: 0, code, counts: true },
        { ...DEFAULTS, startsAgain },
        HALF,
      ).decision.kind
    for (const code of AppErrorCode.options) {
      expect(decideAccess(code, false)).toBe('stay')
      expect(decideAccess(code, true)).toBe(isTransient(code) ? 'wait' : 'stay')
    }
    expect(AppErrorCode.options.filter(isTransient)).toContain('INSTALL_FAILED')
    expect(decideAccess('RUNNER_NOT_RUNNING', true)).toBe('wait')
    expect(decideAccess('RUNNER_NOT_ALLOWED', true)).toBe('stay')
    expect(AppErrorCode.options.filter(isTransient)).not.toContain('CONSENT_REQUIRED')
  })
})

describe('B11: a lost session', () => {
  it('restarts with waits that double up to the longest, until it was Ready for that long', () => {
    const settings = { ...DEFAULTS, breakerLosses: 100, longestWaitMs: 5_000 }
    const flapping = [0, 10, 20, 30].flatMap((s) => [
      [s, 'ready'] as const,
      [s + 1, 'lost'] as const,
    ])
    const steady = [[40, 'ready'] as const, [45, 'lost'] as const]
    expect(decisionsOf(live([...flapping, ...steady], settings))).toEqual([
      ['lostSession', 1, 1, undefined],
      ['lostSession', 2, 2, undefined],
      ['lostSession', 4, 3, undefined],
      ['lostSession', 5, 4, undefined],
      ['lostSession', 1, 1, undefined],
    ])
  })

  const opening = [0, 20, 40, 60, 80].flatMap((s) => [
    [s, 'ready'] as const,
    [s + 5, 'lost'] as const,
  ])

  it('opens the circuit breaker after five losses within two minutes, and a lasting test start closes it', () => {
    const verdicts = live([...opening, [150, 'ready'], [210, 'lost'], [220, 'failed']])
    expect(decisionsOf(verdicts.slice(3))).toEqual([
      ['lostSession', 8, 4, undefined],
      ['rest', 60, 1, 5],
      ['lostSession', 1, 1, undefined],
      ['failedStart', 2, 2, 5],
    ])
  })

  it('opens the breaker for repeated hangs too, however late they are noticed, and says why', () => {
    const hanging = [0, 110, 220, 330, 440].flatMap((s) => [
      [s, 'ready'] as const,
      [s + 105, 'hung'] as const,
    ])
    const verdicts = live([...hanging, [610, 'ready'], [715, 'hung']])
    expect(decisionsOf(verdicts.slice(3))).toEqual([
      ['lostSession', 8, 4, undefined],
      ['rest', 60, 1, 5],
      ['rest', 60, 2, 5],
    ])
    for (const rest of verdicts.slice(4))
      expect(rest).toMatchObject({ openedBy: { losses: 5, withinMs: 120_000 } })
  })

  it('keeps the breaker closed if the losses are spread over more than the window', () => {
    const steps = [0, 40, 80, 120, 160, 200].flatMap((s) => [
      [s, 'ready'] as const,
      [s + 1, 'lost'] as const,
    ])
    expect(decisionsOf(live(steps)).map((one) => (one as unknown[])[0])).toEqual(
      steps.filter(([, what]) => what === 'lost').map(() => 'lostSession'),
    )
  })

  it('cools down again if its test start fails or is lost early, and pauses after five failed test starts', () => {
    const verdicts = live([
      ...opening,
      [145, 'failed'],
      [205, 'ready'],
      [210, 'lost'],
      [270, 'failed'],
      [330, 'failed'],
      [390, 'failed'],
    ])
    expect(decisionsOf(verdicts.slice(4))).toEqual([
      ['rest', 60, 1, 5],
      ['rest', 60, 2, 5],
      ['rest', 60, 3, 5],
      ['rest', 60, 4, 5],
      ['rest', 60, 5, 5],
      'pause',
    ])
    expect(verdicts.at(-1)).toMatchObject({
      reason: 'Crashed repeatedly, and 5 test starts in a row failed.',
    })
  })

  it("doesn't count around a sleep of the computer, and neither does a failed start then", () => {
    const asleep = Array.from({ length: 20 }, (_, n) => [n, 'lostAsleep'] as const)
    const failing = Array.from({ length: 20 }, (_, n) => [n, 'failedAsleep'] as const)
    expect(new Set(decisionsOf(live(asleep)).map(String))).toEqual(new Set(['lostSession,1,1,']))
    expect(new Set(decisionsOf(live(failing)).map(String))).toEqual(new Set(['failedStart,1,1,5']))
    // A loss during a sleep is retried soon and doesn't end the run.
    expect(
      decisionsOf(live([...opening, [145, 'failedAsleep'], [150, 'failed']])).slice(5),
    ).toEqual([
      ['failedStart', 16, 1, 5],
      ['rest', 60, 2, 5],
    ])
  })
})
