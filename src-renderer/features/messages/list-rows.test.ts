import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { countAfter, counterpartOf, indexAt, pairOf, rowAt, rowsOf } from './list-rows'

const entry = (seq: number, part: Partial<MessageEntry> = {}): MessageEntry => ({
  seq,
  session: 1,
  at: 1_000 + seq,
  direction: 'sent',
  kind: 'request',
  bytes: 10,
  hasText: true,
  ...part,
})
const ENTRIES = [entry(5), entry(6), entry(7, { session: 2 }), entry(9, { session: 2 })]
const brief = (shown: MessageEntry[]): string[] =>
  rowsOf(shown, ENTRIES).map((row) =>
    row.kind === 'session' ? `session ${row.session} at ${row.at}` : String(row.seq),
  )

describe('D5: rows of the message list', () => {
  it('include one above each session, with the time of its first message, even if that is hidden', () => {
    expect(brief(ENTRIES)).toEqual(['session 1 at 1005', '5', '6', 'session 2 at 1007', '7', '9'])
    expect(brief(ENTRIES.slice(3))).toEqual(['session 2 at 1007', '9'])
    expect(brief([])).toEqual([])
  })

  it('are found by message number', () => {
    const rows = rowsOf(ENTRIES, ENTRIES)
    expect([5, 6, 7, 9].map((seq) => rowAt(rows, seq))).toEqual([1, 2, 4, 5])
    expect([4, 8, 10].map((seq) => rowAt(rows, seq))).toEqual([undefined, undefined, undefined])
  })

  it('count the later messages', () => {
    expect([4, 5, 8, 9].map((seq) => countAfter(ENTRIES, seq))).toEqual([4, 3, 1, 0])
  })
})

const ask = entry(3, { id: '1' })
const notification = entry(4, { kind: 'notification' })
const result = entry(7, { kind: 'result', direction: 'received', id: '1', requestSeq: 3 })
const orphan = entry(8, { kind: 'error', direction: 'received', requestSeq: 1 })
const PAIRS = [ask, notification, result, orphan]

describe('D5: message pairs', () => {
  it('contain a request and its response, found from either', () => {
    const pair = { request: ask, answer: result, alone: undefined }
    expect(pairOf(PAIRS, 3)).toEqual(pair)
    expect(pairOf(PAIRS, 7)).toEqual(pair)
    expect(counterpartOf(pair, 3)).toBe(7)
    expect(counterpartOf(pair, 7)).toBe(3)
  })

  it('lack a deleted or pending message; a notification stands alone', () => {
    const waiting = { request: ask, answer: undefined, alone: undefined }
    expect(pairOf([ask, notification], 3)).toEqual(waiting)
    expect(counterpartOf(waiting, 3)).toBeUndefined()
    expect(pairOf(PAIRS, 8)).toEqual({ request: undefined, answer: orphan, alone: undefined })
    expect(pairOf(PAIRS, 4)).toEqual({
      request: undefined,
      answer: undefined,
      alone: notification,
    })
    expect(pairOf(PAIRS, 5)).toBeUndefined()
  })

  it('are found by number, whatever numbers are missing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50)), fc.nat(60), (numbers, seq) => {
        const rising = numbers.toSorted((a, b) => a - b).map((one) => ({ seq: one }))
        const first = rising.findIndex((one) => one.seq >= seq)
        expect(indexAt(rising, seq)).toBe(first === -1 ? rising.length : first)
      }),
    )
  })
})
