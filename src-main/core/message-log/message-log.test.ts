import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { call, SERVER, TestMessageLog } from '../../../e2e/fixtures/test-message-log'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { createRedactor } from '../masking/redact'

describe('D5: the messages of a server', () => {
  it('are listed one by one with target and session', async () => {
    const from = Date.now()
    const log = new TestMessageLog()
    log.sent(call(1))
    log.received({ id: 1, result: { content: [] } })
    log.beginSession()
    log.sent({ id: 'a', method: 'resources/read', params: { uri: 'file:///x' } })
    log.received({ id: 'a', error: { code: -32_002, message: 'No' } })
    log.received({ method: 'notifications/message', params: { level: 'info', data: 1 } })
    log.sent({ id: 2, method: 'ping' })
    const entries = await log.entries()
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
    expect(entries[0]?.bytes).toBe((await log.text(0)).length)
  })

  it("are read in pages from a reader's position", async () => {
    const log = new TestMessageLog()
    for (let id = 0; id < 5; id += 1) log.sent(call(id))
    expect((await log.entries(0, 2)).map(({ seq }) => seq)).toEqual([1, 2])
    expect((await log.entries(4)).length).toBe(0)
    log.messageLog.clear(SERVER)
    log.sent(call(9))
    const asked = { installationId: SERVER, afterSeq: -1, limit: 10 }
    const read = await log.messageLog.read(asked)
    expect([read.firstSeq, read.entries.map(({ seq }) => seq)]).toEqual([5, [5]])
  })

  it('are empty for a server without messages', async () => {
    const log = new TestMessageLog()
    const installationId = 'e0a3f0a8-0d6f-4c5e-9d54-1f1f7d0c6c11'
    const { messageLog } = log
    expect(await messageLog.read({ installationId, afterSeq: -1, limit: 9 })).toEqual({
      entries: [],
      firstSeq: 0,
    })
    expect(await messageLog.find({ installationId, text: 'a', afterSeq: -1 })).toEqual([])
    expect(await messageLog.export({ installationId, filter: {} })).toMatchObject({ count: 0 })
    const text = messageLog.text({ installationId, seq: 0, from: 0, length: 9 })
    await expect(text).rejects.toThrow('no longer stored')
  })

  it("are forgotten with their removed server, and later ones aren't recorded", async () => {
    const log = new TestMessageLog()
    log.sent(call(1))
    log.messageLog.keepOnly((id) => id !== SERVER)
    log.sent(call(2))
    expect(await log.entries()).toEqual([])
    expect(() => log.messageLog.requestOf(SERVER, 0)).toThrow('no longer stored')
  })
})

describe('D5: the text of a message', () => {
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
          const log = new TestMessageLog([secret])
          log.received({ id: 1, result: { text: all.join('') } })
          const whole = await log.text(0)
          expect(await log.text(0, length)).toBe(whole)
          const { result } = JSON.parse(whole) as { result: { text: string } }
          expect(result.text).toBe(all.join('').replaceAll(secret, SECRET_MASK))
        },
      ),
    )
  })

  it("is never returned for a message whose text isn't stored", async () => {
    const log = new TestMessageLog([], { longestBytes: 10_000 })
    log.sent(call(1, 'a', { text: 'x'.repeat(20_000) }))
    expect(await log.entries()).toMatchObject([
      { hasText: false, target: 'a', method: 'tools/call' },
    ])
    expect((await log.entries())[0]?.bytes).toBeGreaterThan(20_000)
    await expect(log.messageLog.text(reading)).rejects.toThrow('no longer stored')
    expect(() => log.messageLog.requestOf(SERVER, 0)).toThrow('no longer stored')
    await expect(log.messageLog.text({ ...reading, seq: 1 })).rejects.toThrow('no longer stored')
  })

  it('is not stored for an oversized batch either', async () => {
    const log = new TestMessageLog([], { longestBytes: 100 })
    const one = JSON.stringify({ jsonrpc: '2.0', method: 'a', params: { text: 'x'.repeat(60) } })
    log.line(`[${one},${one}]`)
    expect(await log.entries()).toMatchObject([
      { hasText: false, kind: 'notification', bytes: one.length + 2 },
      { hasText: false, kind: 'notification', bytes: one.length + 2 },
    ])
  })

  it('excludes the text around the message', async () => {
    const log = new TestMessageLog()
    log.line('\u001B[32m{"jsonrpc":"2.0","method":"a"}\u001B[0m')
    log.line('[null,{"jsonrpc":"2.0","method":"b"}]')
    expect(await log.text(0)).toBe('{"jsonrpc":"2.0","method":"a"}')
    expect(await log.text(1)).toBe('{"jsonrpc":"2.0","method":"b"}')
  })

  it('is masked again with newly known secrets, even in the middle', async () => {
    const log = new TestMessageLog()
    log.sent(call(1, 'a', { text: `${'x'.repeat(300)} later-secret` }))
    expect((await log.messageLog.text(reading)).text).toContain('xxx')
    log.redactor = createRedactor(['later-secret'])
    const rest = await log.messageLog.text({ ...reading, from: 100, length: 10_000 })
    expect(rest.text).toContain(`${SECRET_MASK}"`)
  })
})

describe('D5: the search in messages', () => {
  it('ignores case, and finds raw and parsed text', async () => {
    const log = new TestMessageLog()
    log.sent(call(1, 'a', { text: 'Straße "ÉTÉ"\nend' }))
    log.received({ id: 1, result: { content: [] } })
    for (const text of ['STRASSE', 'straße', '"été"', 'été\\"', '"\nEND', 'tools/CALL'])
      expect([text, await log.find(text)]).toEqual([text, text === 'STRASSE' ? [] : [0]])
    expect(await log.find('jsonrpc')).toEqual([0, 1])
    expect(await log.find('jsonrpc', 0)).toEqual([1])
    expect(await log.find('jsonrpc', 1)).toEqual([])
  })

  it("doesn't block the event loop, and works while messages arrive", async () => {
    const log = new TestMessageLog([], { mostMessages: 3_000, mostBytes: 64 * 1024 * 1024 })
    const text = 'needle in the hay '.repeat(400)
    for (let id = 0; id < 3_000; id += 1) log.sent(call(id, 'a', { text }))
    let turns = 0
    const finding = log.find('NEEDLE IN THE HAY n')
    const isOver = finding.then(() => true)
    const onTurn = (): Promise<boolean> =>
      new Promise((resolve) => setImmediate(() => resolve(false)))
    while (!(await Promise.race([isOver, onTurn()]))) {
      turns += 1
      log.sent(call(turns, 'a', { text }))
    }
    // A search in one turn would allow no other; their number depends on the computer.
    expect(turns).toBeGreaterThan(0)
    const found = await finding
    expect(found.length).toBeGreaterThan(1_000)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
  }, 60_000)
})
