import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import {
  ALL_MESSAGES,
  asFilter,
  isNarrowed,
  type MessageView,
  methodCounts,
  shownEntries,
  type TextMatches,
  typedId,
} from './message-filter'

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
const answer = (seq: number, requestSeq: number, part: Partial<MessageEntry> = {}): MessageEntry =>
  entry(seq, { direction: 'received', kind: 'result', requestSeq, ...part })

const LIST = { method: 'tools/list', id: '1' }
const CALL = { method: 'tools/call', id: '2' }
const ENTRIES = [
  entry(0, LIST),
  answer(1, 0, LIST),
  entry(2, { kind: 'notification', direction: 'received', method: 'notifications/message' }),
  entry(3, CALL),
  answer(4, 3, { ...CALL, kind: 'error', code: -32602 }),
  entry(5, { method: 'ping', id: '"2"' }),
]
const seqs = (change: Partial<MessageView>, found?: TextMatches): number[] =>
  shownEntries(ENTRIES, { ...ALL_MESSAGES, ...change }, found).map(({ seq }) => seq)
const found = (text: string, ...at: number[]): TextMatches => ({
  text,
  upTo: 5,
  seqs: new Set(at),
})

describe('D5: message filters', () => {
  it('return the same list if nothing is set', () => {
    expect(shownEntries(ENTRIES, ALL_MESSAGES, found('old', 1))).toBe(ENTRIES)
    expect(isNarrowed({ ...ALL_MESSAGES, isPaired: true, text: '  ', id: ' ' })).toBe(false)
  })

  it('filter by method with responses, by direction, by error, and by all together', () => {
    expect(seqs({ method: 'tools/call' })).toEqual([3, 4])
    expect(seqs({ direction: 'received' })).toEqual([1, 2, 4])
    expect(seqs({ isOnlyErrors: true })).toEqual([4])
    expect(seqs({ method: 'tools/list', direction: 'sent' })).toEqual([0])
    expect(seqs({ method: 'tools/list', isOnlyErrors: true })).toEqual([])
  })

  it('match an id as a number, and as a string if there is no such number', () => {
    expect(seqs({ id: ' 2 ' })).toEqual([3, 4])
    expect(seqs({ id: '"2"' })).toEqual([5])
    expect(seqs({ id: '3' })).toEqual([])
    expect(typedId('abc', [entry(0, { id: '"abc"' })])).toBe('"abc"')
    expect(typedId('abc', ENTRIES)).toBe('abc')
  })

  it("use main's result for a text, and the previous one until it arrives", () => {
    expect(seqs({ text: 'oops' }, found('oops', 4))).toEqual([4])
    expect(seqs({ text: 'oops!' }, found('oops', 4))).toEqual([4])
    expect(seqs({ text: 'oops' })).toEqual([0, 1, 2, 3, 4, 5])
    expect(seqs({ text: '', direction: 'sent' }, found('oops', 4))).toEqual([0, 3, 5])
  })

  it('include the other message of each pair on request', () => {
    expect(seqs({ isOnlyErrors: true, isPaired: true })).toEqual([3, 4])
    expect(seqs({ direction: 'sent', isPaired: true })).toEqual([0, 1, 3, 4, 5])
    expect(seqs({ text: 'x', isPaired: true }, found('x', 1, 2))).toEqual([0, 1, 2])
  })

  it('never show unknown messages, and pairs only add some', () => {
    const view = fc.record({
      text: fc.constantFrom('', 'x'),
      method: fc.constantFrom(undefined, 'tools/call', 'ping'),
      direction: fc.constantFrom('all' as const, 'sent' as const, 'received' as const),
      isOnlyErrors: fc.boolean(),
      id: fc.constantFrom('', '1', '2'),
    })
    fc.assert(
      fc.property(view, fc.uniqueArray(fc.nat(5)), (some, at) => {
        const alone = seqs({ ...some, isPaired: false }, found('x', ...at))
        const paired = seqs({ ...some, isPaired: true }, found('x', ...at))
        expect(paired).toEqual(paired.toSorted((a, b) => a - b))
        expect(paired).toEqual(expect.arrayContaining(alone))
        expect(seqs({})).toEqual(expect.arrayContaining(paired))
      }),
    )
  })
})

describe('D5: derived filter data', () => {
  it("contains main's filter for an export, without unset members", () => {
    expect(asFilter(ALL_MESSAGES, ENTRIES)).toEqual({})
    const all = { text: 'a', method: 'ping', direction: 'sent', isOnlyErrors: true } as const
    expect(asFilter({ ...ALL_MESSAGES, isPaired: true }, ENTRIES)).toEqual({})
    expect(asFilter({ ...all, id: '"2"', isPaired: true }, ENTRIES)).toEqual({
      isPaired: true,
      text: 'a',
      method: 'ping',
      direction: 'sent',
      isError: true,
      id: '"2"',
    })
  })

  it('lists the present methods, most frequent first', () => {
    expect(methodCounts([...ENTRIES, answer(6, 99)])).toEqual([
      { method: 'tools/call', count: 2 },
      { method: 'tools/list', count: 2 },
      { method: 'notifications/message', count: 1 },
      { method: 'ping', count: 1 },
    ])
  })
})
