import { describe, expect, it } from 'vitest'

import type { HistoryEvent, HistoryFact } from '../../../src-shared/domain/running/history'
import { recoveryOf } from './history'

const lost = (message: string): HistoryFact => ({
  ...{ kind: 'failed', code: 'SERVER_EXITED', wasRunning: true },
  message,
})
const again: HistoryFact = { kind: 'started', isByItself: true }
const byUser: HistoryFact = { kind: 'started', isByItself: false }
const ready: HistoryFact = { kind: 'ready', phases: [] }
const stopped: HistoryFact = { kind: 'stopped', isByPerson: true }

/** The recovery reported for events one second apart. */
const reported = (facts: readonly HistoryFact[], since = 0): string | undefined => {
  const events = facts.map((fact, index): HistoryEvent => ({
    ...{ eventId: index + 1, at: (index + 1) * 1_000 },
    fact,
  }))
  const found = recoveryOf(events, since)
  return found && `${String(found.failedAt)} ${found.message} ${String(found.at)}`
}

describe('B11: an automatic recovery', () => {
  it('shows the first words of the failure that a server recovered from without a user', () => {
    expect(reported([byUser, ready, lost('a'), again, ready])).toBe('3000 a 5000')
    expect(reported([lost('a'), again, lost('b'), again, ready])).toBe('1000 a 5000')
    expect(reported([lost('a'), again, ready, lost('b'), again, ready])).toBe('4000 b 6000')
  })

  it("isn't a user's repair, an open failure, or an earlier report", () => {
    expect(reported([lost('a'), byUser, ready])).toBeUndefined()
    expect(reported([lost('a'), stopped, again, ready])).toBeUndefined()
    expect(reported([lost('a'), again])).toBeUndefined()
    expect(reported([ready])).toBeUndefined()
    expect(reported([lost('a'), again, ready], 3_000)).toBeUndefined()
    expect(reported([lost('a'), again, ready], 2_999)).toBe('1000 a 3000')
  })
})
