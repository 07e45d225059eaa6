import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { call, TestMessageLog } from '../../../e2e/fixtures/test-message-log'

describe('D5: requests and their responses', () => {
  const pairs = async (log: TestMessageLog) =>
    (await log.entries()).map(({ requestSeq }) => requestSeq)

  it('are matched by the type of their id and by their sender', async () => {
    const log = new TestMessageLog()
    log.sent(call(1, 'ours'))
    log.received({ id: 1, method: 'roots/list' })
    log.received({ id: '1', method: 'elicitation/create' })
    log.sent({ id: '1', result: { action: 'cancel' } })
    log.received({ id: 1, result: {} })
    log.sent({ id: 1, result: { roots: [] } })
    expect(await pairs(log)).toEqual([undefined, undefined, undefined, 2, 0, 1])
    const methods = (await log.entries()).map(({ method }) => method)
    expect(methods.slice(3)).toEqual(['elicitation/create', 'tools/call', 'roots/list'])
  })

  it('match if a server returns a numeric id as text, unless that text is an id, too', async () => {
    const log = new TestMessageLog()
    log.sent(call(1))
    log.received({ id: '1', result: {} })
    log.sent(call(2))
    log.sent(call('2'))
    log.received({ id: '2', result: {} })
    log.received({ id: 2, result: {} })
    expect(await pairs(log)).toEqual([undefined, 0, undefined, undefined, 3, 2])
  })

  it('never match across sessions or twice', async () => {
    const log = new TestMessageLog()
    log.sent(call(1))
    log.beginSession()
    log.received({ id: 1, result: {} })
    log.sent(call(1))
    log.received({ id: 1, result: {} })
    log.received({ id: 1, result: {} })
    expect(await pairs(log)).toEqual([undefined, undefined, undefined, 2, undefined])
  })

  it('keep method and target for a response whose request was dropped', async () => {
    const log = new TestMessageLog([], { mostMessages: 600 })
    log.sent(call(0, 'slow'))
    await log.entries()
    for (let at = 1; at < 1_300; at += 1) log.received({ method: 'notifications/x' })
    log.received({ id: 0, result: {} })
    const last = (await log.entries()).at(-1)
    expect(last).toMatchObject({ kind: 'result', method: 'tools/call', target: 'slow' })
    expect(last?.durationMs).toBeGreaterThanOrEqual(0)
    expect(last?.requestSeq).toBeUndefined()
  })

  it('match within a batch, whose messages are separate entries', async () => {
    const log = new TestMessageLog()
    log.sent(call(1, 'a'))
    log.sent(call(2, 'b'))
    log.line(
      '[{"jsonrpc":"2.0","id":2,"result":{"b":[1,  2]}},{"jsonrpc":"2.0","id":1,"result":{}}]',
    )
    expect(await pairs(log)).toEqual([undefined, undefined, 1, 0])
    expect(await log.text(2)).toBe('{"jsonrpc":"2.0","id":2,"result":{"b":[1,2]}}')
  })

  it('match in any sequence of messages', async () => {
    const step = fc.record({
      isOurs: fc.boolean(),
      isAnswer: fc.boolean(),
      id: fc.constantFrom<unknown>(1, 2, '1', 'x'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const log = new TestMessageLog()
        const waiting = new Map<string, number>()
        const expected = steps.map(({ isOurs, isAnswer, id }, seq) => {
          const message = isAnswer ? { id, result: {} } : { id, method: 'a' }
          if (isOurs === isAnswer) log.received(message)
          else log.sent(message)
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
        expect(await pairs(log)).toEqual(expected)
      }),
    )
  })
})
