import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import { nextTryBrief, nextTrySentence, pausedSentence, untilWords } from './status-messages'

type BackingOff = Extract<RunStatus, { kind: 'backingOff' }>

const NOW = 1_700_000_000_000
const waiting = (part: Partial<BackingOff>): BackingOff => ({
  kind: 'backingOff',
  code: 'SERVER_EXITED',
  message: 'The server exited with code 1.',
  stderrTail: [],
  fields: [],
  because: 'failedStart',
  attempt: 3,
  until: NOW + 11_500,
  ...part,
})

describe('A8, B11: the words of a server that failed', () => {
  it('count down to the next try, of how many', () => {
    expect(nextTrySentence(waiting({ of: 5 }), NOW)).toBe('Next try in 12 s, attempt 3 of 5.')
    expect(nextTryBrief(waiting({ of: 5 }), NOW)).toBe('next try in 12 s, attempt 3 of 5')
    const lost = waiting({ because: 'lostSession', attempt: 2, until: NOW + 4_000 })
    expect(nextTrySentence(lost, NOW)).toBe('Next try in 4 s, attempt 2.')
  })

  it('say why it rests, with the numbers that made it rest where they are told', () => {
    const rests = waiting({ because: 'rest', attempt: 1, until: NOW + 48_000 })
    const rule = { losses: 5, withinMs: 120_000 }
    expect(nextTrySentence({ ...rests, ...rule }, NOW)).toBe(
      'Cooling down after 5 disconnects within 2 min. Test start in 48 s.',
    )
    expect(nextTrySentence(rests, NOW)).toContain('Cooling down after repeated disconnects.')
    expect(nextTrySentence({ ...rests, ...rule, attempt: 2, of: 5 }, NOW)).toBe(
      'Cooling down again after a failed test start. Test start in 48 s, attempt 2 of 5.',
    )
    expect(nextTryBrief(rests, NOW)).toBe('cooling down, test start in 48 s')
  })

  it('say that this computer is offline, where that is what it waits for', () => {
    const away = waiting({ because: 'unreached', attempt: 7, code: 'REMOTE_UNREACHABLE' })
    expect(nextTrySentence(away, NOW)).toBe('Next try in 12 s, attempt 7.')
    expect(nextTrySentence({ ...away, isOffline: true }, NOW)).toBe(
      'This computer is offline. Next try in 12 s, attempt 7, or as soon as you’re back online.',
    )
    expect(nextTryBrief({ ...away, isOffline: true }, NOW)).toBe(
      'offline, next try in 12 s, attempt 7',
    )
  })

  it('never count below zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (ahead) => {
        const words = untilWords(NOW + ahead, NOW)
        expect(words).toMatch(ahead <= 0 ? /^now$/ : /^in [1-9]\d* (s|min|h|d)( |$)/)
      }),
    )
  })

  it('say why a server is paused, and for whom it waits', () => {
    const { kind, because, attempt, until, ...failure } = waiting({ hint: 'Look at its log.' })
    expect([kind, because, attempt, until]).toHaveLength(4)
    expect(
      pausedSentence({ ...failure, kind: 'paused', reason: 'Five starts failed in a row.' }),
    ).toBe('Five starts failed in a row. The server exited with code 1. Look at its log.')
  })
})
