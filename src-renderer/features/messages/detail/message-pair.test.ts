import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { indexAt, otherHalf, pairOf } from './message-pair'

const entry = (seq: number, part: Partial<MessageEntry> = {}): MessageEntry => ({
  seq,
  session: 1,
  at: seq,
  direction: 'sent',
  kind: 'request',
  bytes: 10,
  hasText: true,
  ...part,
})
const ask = entry(3, { id: '1' })
const notification = entry(4, { kind: 'notification' })
const result = entry(7, { kind: 'result', direction: 'received', id: '1', requestSeq: 3 })
const orphan = entry(8, { kind: 'error', direction: 'received', requestSeq: 1 })
const ENTRIES = [ask, notification, result, orphan]

describe('D5 the pairs of the traffic', () => {
  it('are a request and its answer, seen from either of them', () => {
    const pair = { request: ask, answer: result, alone: undefined }
    expect(pairOf(ENTRIES, 3)).toEqual(pair)
    expect(pairOf(ENTRIES, 7)).toEqual(pair)
    expect(otherHalf(pair, 3)).toBe(7)
    expect(otherHalf(pair, 7)).toBe(3)
  })

  it('lack what is gone or not there yet, and a notification has none', () => {
    const waiting = { request: ask, answer: undefined, alone: undefined }
    expect(pairOf([ask, notification], 3)).toEqual(waiting)
    expect(otherHalf(waiting, 3)).toBeUndefined()
    expect(pairOf(ENTRIES, 8)).toEqual({ request: undefined, answer: orphan, alone: undefined })
    expect(pairOf(ENTRIES, 4)).toEqual({
      request: undefined,
      answer: undefined,
      alone: notification,
    })
    expect(pairOf(ENTRIES, 5)).toBeUndefined()
  })

  it('are found by the number, whatever numbers are missing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50)), fc.nat(60), (numbers, seq) => {
        const rising = numbers.toSorted((a, b) => a - b).map((one) => ({ seq: one }))
        const first = rising.findIndex((one) => one.seq >= seq)
        expect(indexAt(rising, seq)).toBe(first === -1 ? rising.length : first)
      }),
    )
  })
})
