import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { call, TestMessageLog } from '../../../e2e/fixtures/test-message-log'

describe('D5: requests and their responses', () => {
  const pairs = async (said: TestMessageLog) =>
    (await said.entries()).map(({ requestSeq }) => requestSeq)

  it('are matched by the type of their id and by their sender', async () => {
    const said = new TestMessageLog()
    said.sent(call(1, 'ours'))
    said.received({ id: 1, method: 'roots/list' })
    said.received({ id: '1', method: 'elicitation/create' })
    said.sent({ id: '1', result: { action: 'cancel' } })
    said.received({ id: 1, result: {} })
    said.sent({ id: 1, result: { roots: [] } })
    expect(await pairs(said)).toEqual([undefined, undefined, undefined, 2, 0, 1])
    const methods = (await said.entries()).map(({ method }) => method)
    expect(methods.slice(3)).toEqual(['elicitation/create', 'tools/call', 'roots/list'])
  })

  it('match if a server returns a numeric id as text, unless that text is an id, too', async () => {
    const said = new TestMessageLog()
    said.sent(call(1))
    said.received({ id: '1', result: {} })
    said.sent(call(2))
    said.sent(call('2'))
    said.received({ id: '2', result: {} })
    said.received({ id: 2, result: {} })
    expect(await pairs(said)).toEqual([undefined, 0, undefined, undefined, 3, 2])
  })

  it('never match across sessions or twice', async () => {
    const said = new TestMessageLog()
    said.sent(call(1))
    said.beginSession()
    said.received({ id: 1, result: {} })
    said.sent(call(1))
    said.received({ id: 1, result: {} })
    said.received({ id: 1, result: {} })
    expect(await pairs(said)).toEqual([undefined, undefined, undefined, 2, undefined])
  })

  it('keep method and target for a response whose request was dropped', async () => {
    const said = new TestMessageLog([], { mostMessages: 600 })
    said.sent(call(0, 'slow'))
    await said.entries()
    for (let at = 1; at < 1_300; at += 1) said.received({ method: 'notifications/x' })
    said.received({ id: 0, result: {} })
    const last = (await said.entries()).at(-1)
    expect(last).toMatchObject({ kind: 'result', method: 'tools/call', target: 'slow' })
    expect(last?.durationMs).toBeGreaterThanOrEqual(0)
    expect(last?.requestSeq).toBeUndefined()
  })

  it('match within a batch, whose messages are separate entries', async () => {
    const said = new TestMessageLog()
    said.sent(call(1, 'a'))
    said.sent(call(2, 'b'))
    said.line(
      '[{"jsonrpc":"2.0","id":2,"result":{"b":[1,  2]}},{"jsonrpc":"2.0","id":1,"result":{}}]',
    )
    expect(await pairs(said)).toEqual([undefined, undefined, 1, 0])
    expect(await said.text(2)).toBe('{"jsonrpc":"2.0","id":2,"result":{"b":[1,2]}}')
  })

  it('match in any sequence of messages', async () => {
    const step = fc.record({
      isOurs: fc.boolean(),
      isAnswer: fc.boolean(),
      id: fc.constantFrom<unknown>(1, 2, '1', 'x'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const said = new TestMessageLog()
        const waiting = new Map<string, number>()
        const expected = steps.map(({ isOurs, isAnswer, id }, seq) => {
          const message = isAnswer ? { id, result: {} } : { id, method: 'a' }
          if (isOurs === isAnswer) said.received(message)
          else said.sent(message)
          const side = isOurs ? 'ours' : 'theirs'
          let key = `${side} ${JSON.stringify(id)}`
          if (!isAnswer) {
            waiting.set(key, seq)
            return undefined
          }
          if (isOurs && id === '1' && !waiting.has(key)) key = 'ours 1'
          const asked = waiting.get(key)
          waiting.delete(key)
          return asked
        })
        expect(await pairs(said)).toEqual(expected)
      }),
    )
  })
})
