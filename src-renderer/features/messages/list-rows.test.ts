import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { countAfter, rowAt, rowsOf } from './list-rows'

const entry = (seq: number, session: number): MessageEntry => ({
  seq,
  session,
  at: 1_000 + seq,
  direction: 'sent',
  kind: 'request',
  bytes: 10,
  hasText: true,
})
const ENTRIES = [entry(5, 1), entry(6, 1), entry(7, 2), entry(9, 2)]
const brief = (shown: MessageEntry[]): string[] =>
  rowsOf(shown, ENTRIES).map((row) =>
    row.kind === 'session' ? `session ${row.session} at ${row.at}` : String(row.seq),
  )

describe('D5 the lines of the traffic', () => {
  it('have one above each session, with the time of its first message, hidden or not', () => {
    expect(brief(ENTRIES)).toEqual(['session 1 at 1005', '5', '6', 'session 2 at 1007', '7', '9'])
    expect(brief(ENTRIES.slice(3))).toEqual(['session 2 at 1007', '9'])
    expect(brief([])).toEqual([])
  })

  it('say where a message stands', () => {
    const rows = rowsOf(ENTRIES, ENTRIES)
    expect([5, 6, 7, 9].map((seq) => rowAt(rows, seq))).toEqual([1, 2, 4, 5])
    expect([4, 8, 10].map((seq) => rowAt(rows, seq))).toEqual([undefined, undefined, undefined])
  })

  it('count what came after one', () => {
    expect([4, 5, 8, 9].map((seq) => countAfter(ENTRIES, seq))).toEqual([4, 3, 1, 0])
  })
})
