import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { call, SERVER, TestMessageLog } from '../../../e2e/fixtures/test-message-log'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { createRedactor } from '../masking/redact'

describe('D5 the exchange with a server', () => {
  it('is listed message by message, with what is called and in which session', async () => {
    const from = Date.now()
    const said = new TestMessageLog()
    said.sent(call(1))
    said.received({ id: 1, result: { content: [] } })
    said.beginSession()
    said.sent({ id: 'a', method: 'resources/read', params: { uri: 'file:///x' } })
    said.received({ id: 'a', error: { code: -32_002, message: 'No' } })
    said.received({ method: 'notifications/message', params: { level: 'info', data: 1 } })
    said.sent({ id: 2, method: 'ping' })
    const entries = await said.entries()
    expect(entries).toMatchObject([
      { seq: 0, session: 1, direction: 'sent', kind: 'request', method: 'tools/call', id: '1' },
      { seq: 1, session: 1, direction: 'received', kind: 'result', id: '1', requestSeq: 0 },
      { seq: 2, session: 2, kind: 'request', target: 'file:///x', id: '"a"' },
      { seq: 3, session: 2, kind: 'error', code: -32_002, target: 'file:///x', requestSeq: 2 },
      { seq: 4, session: 2, kind: 'notification', method: 'notifications/message' },
      { seq: 5, session: 2, kind: 'request', method: 'ping' },
    ])
    expect(entries.map(({ target }) => target).slice(0, 2)).toEqual(['echo', 'echo'])
    expect(entries[1]?.durationMs).toBeGreaterThanOrEqual(0)
    expect(entries[0]?.at).toBeGreaterThanOrEqual(from)
    expect(entries[0]?.at).toBeLessThanOrEqual(Date.now())
    expect(entries[0]?.bytes).toBe((await said.text(0)).length)
  })

  it('is read on from where a reader was, a few at a time', async () => {
    const said = new TestMessageLog()
    for (let id = 0; id < 5; id += 1) said.sent(call(id))
    expect((await said.entries(0, 2)).map(({ seq }) => seq)).toEqual([1, 2])
    expect((await said.entries(4)).length).toBe(0)
    said.messageLog.clear(SERVER)
    said.sent(call(9))
    const asked = { installationId: SERVER, afterSeq: -1, limit: 10 }
    const read = await said.messageLog.read(asked)
    expect([read.firstSeq, read.entries.map(({ seq }) => seq)]).toEqual([5, [5]])
  })

  it('of a server of which nothing was said is empty', async () => {
    const said = new TestMessageLog()
    const installationId = 'e0a3f0a8-0d6f-4c5e-9d54-1f1f7d0c6c11'
    const { messageLog } = said
    expect(await messageLog.read({ installationId, afterSeq: -1, limit: 9 })).toEqual({
      entries: [],
      firstSeq: 0,
    })
    expect(await messageLog.find({ installationId, text: 'a', afterSeq: -1 })).toEqual([])
    expect(await messageLog.export({ installationId, filter: {} })).toMatchObject({ count: 0 })
    const text = messageLog.text({ installationId, seq: 0, from: 0, length: 9 })
    await expect(text).rejects.toThrow('no longer stored')
  })

  it('is forgotten when its server is no more, and what is still said is not noted', async () => {
    const said = new TestMessageLog()
    said.sent(call(1))
    said.messageLog.keepOnly((id) => id !== SERVER)
    said.sent(call(2))
    expect(await said.entries()).toEqual([])
    expect(() => said.messageLog.requestOf(SERVER, 0)).toThrow('no longer stored')
  })
})

describe('D5 the text of a message', () => {
  const reading = { installationId: SERVER, seq: 0, from: 0, length: 100 }

  it('is the same in parts of any length, whatever is masked in it', async () => {
    const secret = 'Geheim"😀\\nis'
    const piece = fc.constantFrom(
      'a',
      '"',
      '\\',
      '😀',
      'é',
      '\n',
      secret,
      secret.slice(0, 5),
      '{"k":1}',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (all, length) => {
          const said = new TestMessageLog([secret])
          said.received({ id: 1, result: { text: all.join('') } })
          const whole = await said.text(0)
          expect(await said.text(0, length)).toBe(whole)
          const { result } = JSON.parse(whole) as { result: { text: string } }
          expect(result.text).toBe(all.join('').replaceAll(secret, SECRET_MASK))
        },
      ),
    )
  })

  it('is not reported in any part of a message that is not held', async () => {
    const said = new TestMessageLog([], { longestBytes: 10_000 })
    said.sent(call(1, 'a', { text: 'x'.repeat(20_000) }))
    expect(await said.entries()).toMatchObject([
      { hasText: false, target: 'a', method: 'tools/call' },
    ])
    expect((await said.entries())[0]?.bytes).toBeGreaterThan(20_000)
    await expect(said.messageLog.text(reading)).rejects.toThrow('no longer stored')
    expect(() => said.messageLog.requestOf(SERVER, 0)).toThrow('no longer stored')
    await expect(said.messageLog.text({ ...reading, seq: 1 })).rejects.toThrow('no longer stored')
  })

  it('of a batch that is too large is not held either', async () => {
    const said = new TestMessageLog([], { longestBytes: 100 })
    const one = JSON.stringify({ jsonrpc: '2.0', method: 'a', params: { text: 'x'.repeat(60) } })
    said.line(`[${one},${one}]`)
    expect(await said.entries()).toMatchObject([
      { hasText: false, kind: 'notification', bytes: one.length + 2 },
      { hasText: false, kind: 'notification', bytes: one.length + 2 },
    ])
  })

  it('is freed of what stood around it', async () => {
    const said = new TestMessageLog()
    said.line('\u001B[32m{"jsonrpc":"2.0","method":"a"}\u001B[0m')
    said.line('[null,{"jsonrpc":"2.0","method":"b"}]')
    expect(await said.text(0)).toBe('{"jsonrpc":"2.0","method":"a"}')
    expect(await said.text(1)).toBe('{"jsonrpc":"2.0","method":"b"}')
  })

  it('is masked again with what became known meanwhile, also in the middle of it', async () => {
    const said = new TestMessageLog()
    said.sent(call(1, 'a', { text: `${'x'.repeat(300)} later-secret` }))
    expect((await said.messageLog.text(reading)).text).toContain('xxx')
    said.redactor = createRedactor(['later-secret'])
    const rest = await said.messageLog.text({ ...reading, from: 100, length: 10_000 })
    expect(rest.text).toContain(`${SECRET_MASK}"`)
  })
})

describe('D5 what is looked for in an exchange', () => {
  it('is found in any case, as it is written or as it is meant', async () => {
    const said = new TestMessageLog()
    said.sent(call(1, 'a', { text: 'Straße "ÉTÉ"\nend' }))
    said.received({ id: 1, result: { content: [] } })
    for (const text of ['STRASSE', 'straße', '"été"', 'été\\"', '"\nEND', 'tools/CALL'])
      expect([text, await said.find(text)]).toEqual([text, text === 'STRASSE' ? [] : [0]])
    expect(await said.find('jsonrpc')).toEqual([0, 1])
    expect(await said.find('jsonrpc', 0)).toEqual([1])
    expect(await said.find('jsonrpc', 1)).toEqual([])
  })

  it('leaves others their turn, and takes no harm from what is said meanwhile', async () => {
    const said = new TestMessageLog([], { mostMessages: 3_000, mostBytes: 64 * 1024 * 1024 })
    const text = 'needle in the hay '.repeat(400)
    for (let id = 0; id < 3_000; id += 1) said.sent(call(id, 'a', { text }))
    let turns = 0
    const finding = said.find('NEEDLE IN THE HAY n')
    const isOver = finding.then(() => true)
    const onTurn = (): Promise<boolean> =>
      new Promise((resolve) => setImmediate(() => resolve(false)))
    while (!(await Promise.race([isOver, onTurn()]))) {
      turns += 1
      said.sent(call(turns, 'a', { text }))
    }
    // Were it done at a stretch, nobody would have a turn; how many they have depends on the computer.
    expect(turns).toBeGreaterThan(0)
    const found = await finding
    expect(found.length).toBeGreaterThan(1_000)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
  }, 60_000)
})
