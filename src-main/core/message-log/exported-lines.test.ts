import { describe, expect, it } from 'vitest'

import { call, TestMessageLog } from '../../../e2e/fixtures/test-message-log'

describe('D5: the export of messages as JSON lines', () => {
  type Line = { at: number; session: number; direction: string; message: { id?: unknown } }
  const linesOf = (text: string): Line[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)

  function exchange(): TestMessageLog {
    const log = new TestMessageLog()
    log.sent(call(1))
    log.received({ id: 1, result: { content: [] } })
    log.sent(call('1', 'other'))
    log.received({ id: '1', error: { code: 1, message: 'No' } })
    log.received({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
    return log
  }

  it('has each message with time, session and direction, oldest first', async () => {
    const log = exchange()
    const { text, count, isWhole } = await log.export()
    expect([count, isWhole]).toEqual([5, true])
    const lines = linesOf(text)
    expect(lines.map(({ direction }) => direction)).toEqual([
      'sent',
      'received',
      'sent',
      'received',
      'received',
    ])
    expect(lines[1]).toMatchObject({ session: 1, message: { id: 1, result: { content: [] } } })
    expect(lines[0]?.at).toBe((await log.entries())[0]?.at)
  })

  it.each([
    [{ method: 'tools/call' }, 4],
    [{ id: '1' }, 2],
    [{ id: '"1"' }, 2],
    [{ direction: 'received' as const }, 3],
    [{ isError: true }, 1],
    [{ isError: false }, 4],
    [{ text: 'OTHER' }, 1],
    [{ method: 'tools/call', direction: 'sent' as const, text: 'echo' }, 1],
    [{ method: 'tools' }, 0],
  ])('has the messages that match %j', async (filter, count) => {
    expect(await exchange().export(filter)).toMatchObject({ count, isWhole: true })
  })

  it.each([
    [{ isError: true }, [2, 3]],
    [{ text: '"other"' }, [2, 3]],
    [{ text: '"content"' }, [0, 1]],
    [{ direction: 'received' as const }, [0, 1, 2, 3, 4]],
    [{ method: 'notifications/progress' }, [4]],
    [{ method: 'tools' }, []],
  ])('has the messages that match %j with their counterparts', async (filter, seqs) => {
    const log = exchange()
    const { text, isWhole } = await log.export({ ...filter, isPaired: true })
    const all = linesOf((await log.export()).text)
    expect(linesOf(text)).toEqual(seqs.map((seq) => all[seq]))
    expect(isWhole).toBe(true)
  })

  it('has one line for a message that came over several', async () => {
    const log = new TestMessageLog()
    log.line('{"jsonrpc":"2.0",\r\n "id":1,\n "result":{"a":"x\\ny"}}')
    const { text } = await log.export()
    expect(linesOf(text)[0]?.message).toEqual({ jsonrpc: '2.0', id: 1, result: { a: 'x\ny' } })
  })

  it("says whether messages are missing because their text isn't stored", async () => {
    const log = new TestMessageLog([], { longestBytes: 10_000 })
    log.sent({ id: 1, method: 'ping' })
    log.sent(call(2, 'a', { text: 'x'.repeat(20_000) }))
    expect(await log.export()).toMatchObject({ count: 1, isWhole: false })
    expect(await log.export({ method: 'ping' })).toMatchObject({ count: 1, isWhole: true })
    const paired = { isPaired: true, text: 'jsonrpc' }
    expect(await log.export(paired)).toMatchObject({ count: 1, isWhole: false })
    log.received({ id: 2, error: { code: 1, message: 'No' } })
    const errors = { isPaired: true, isError: true }
    expect(await log.export(errors)).toMatchObject({ count: 1, isWhole: false })
  })
})
