import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { testCall, testQuery } from '../../../../e2e/fixtures/test-calls'
import { CallOutcome } from '../../../../src-shared/domain/agents/activity'
import type { NewCall } from './audit-call'
import { AuditStore, type CallFilter } from './audit-store'

const BOUNDS = { calls: 10_000, bytes: 64 * 1024 * 1024, exportBytes: 1_000_000 }

function open(): AuditStore {
  const store = new AuditStore({ folder: tempFolder('audit'), bounds: BOUNDS, onLost: () => {} })
  onTestFinished(() => store[Symbol.dispose]())
  return store
}

/** Whether all words of a text occur in a call, by a plain look. */
function hasWords(call: NewCall, text = ''): boolean {
  const texts = [call.target, call.message ?? '', call.agentName].map((is) => is.toLowerCase())
  const words = text.toLowerCase().split(' ')
  return words.every((word) => texts.some((is) => is.includes(word)))
}

function fits(call: NewCall, { text, outcomes, ...asked }: CallFilter): boolean {
  const is = {
    agentId: call.agentId,
    installationId: call.installationId,
    from: 0,
    to: 10,
    ...asked,
  }
  return (
    hasWords(call, text) &&
    is.agentId === call.agentId &&
    is.installationId === call.installationId &&
    (!outcomes?.length || outcomes.includes(call.outcome)) &&
    call.at >= is.from &&
    call.at < is.to
  )
}

describe('D6 the search for calls', () => {
  it('finds each word in any of the texts, whatever its case, and takes no letter for a wildcard', () => {
    const store = open()
    store.append(
      [
        testCall({ target: 'read_note' }),
        testCall({ target: 'readXnote', serverName: 'Café Zürich' }),
        testCall({ target: 'write', message: '100% of the DISK is full', agentName: 'Cursor' }),
        testCall({ target: 'list', arguments: String.raw`{"path":"C:\\Users"}` }),
      ],
      0,
    )
    const found = (text: string): string[] =>
      store.page(testQuery({ text }), 0).calls.map(({ target }) => target)
    expect(found('read_')).toEqual(['read_note'])
    expect(found('100%')).toEqual(['write'])
    expect(found('disk cursor')).toEqual(['write'])
    expect(found('disk claude')).toEqual([])
    expect(found('ZÜRICH café')).toEqual(['readXnote'])
    expect(found('users')).toEqual(['list'])
    expect(found(String.raw`C:\\`)).toEqual(['list'])
    expect(found("' OR 1=1 --")).toEqual([])
  })

  it('and its filters leave exactly what a plain look through all calls leaves', () => {
    const word = fc.constantFrom('a', 'B', 'ab', '%', '_', 'ü', '\\', "'")
    const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(''))
    const agentId = fc.constantFrom('one', 'two')
    const call = fc.record({
      ...{ target: text, message: text, agentName: text, agentId },
      at: fc.integer({ min: 0, max: 9 }),
      outcome: fc.constantFrom(...CallOutcome.options),
      installationId: fc.constantFrom('i', 'j'),
    })
    const query = fc.record(
      {
        text: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
        agentId,
        installationId: fc.constantFrom('i', 'j'),
        outcomes: fc.subarray([...CallOutcome.options], { maxLength: 4 }),
        from: fc.integer({ min: 0, max: 9 }),
        to: fc.integer({ min: 0, max: 9 }),
      },
      { requiredKeys: [] },
    )
    const store = open()
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), query, (parts, asked) => {
        store.clear()
        const calls = parts.map((part) => testCall({ ...part, serverName: undefined }))
        const { newest } = store.append(calls, 0)
        const first = newest - calls.length + 1
        const expected = calls.flatMap((one, index) => (fits(one, asked) ? [first + index] : []))
        const page = store.page(testQuery(asked), 0)
        expect(page.calls.map(({ callId }) => callId)).toEqual(expected.toReversed())
        expect(store.page(testQuery({ ...asked, limit: 1 }), 0).total).toBe(expected.length)
        const lines = store.export(asked, 0).text.split('\n').slice(0, -1)
        expect(lines).toHaveLength(expected.length)
      }),
      { numRuns: 150 },
    )
  })
})
