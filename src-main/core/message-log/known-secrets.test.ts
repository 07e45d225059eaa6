import { describe, expect, it } from 'vitest'

import { call, TestMessageLog } from '../../../e2e/fixtures/test-message-log'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { createRedactor } from '../masking/redact'

describe('D5: secrets in messages', () => {
  const SECRET = 'pa"ss\\word/é1'
  /** Returns everything that a user can see or find of the messages. */
  async function exported(log: TestMessageLog): Promise<string> {
    const entries = await log.entries()
    const { text } = await log.export()
    const texts = await Promise.all(entries.map(({ seq }) => log.text(seq)))
    return [JSON.stringify(entries), text, ...texts].join('\n')
  }

  it.each([
    ['as a value', { key: SECRET }],
    ['as a key', { [SECRET]: 1 }],
    ['within a text', { text: `It is ${SECRET}.` }],
    ['in JSON within JSON', { text: JSON.stringify({ key: SECRET }) }],
    ['in an address', { url: `http://h/?k=${encodeURIComponent(SECRET)}` }],
    ['in Base64', { auth: Buffer.from(`user:${SECRET}`).toString('base64') }],
  ])("are masked %s, and can't be found", async (_, value) => {
    const log = new TestMessageLog([SECRET])
    log.sent(call(1, 'a', value))
    log.received({ id: 1, result: value })
    const forms = [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)]
    const all = await exported(log)
    for (const form of forms) expect(all).not.toContain(form)
    expect(JSON.parse(await log.text(0))).toMatchObject({ method: 'tools/call' })
    expect(await log.text(0)).toContain(SECRET_MASK.slice(0, 4))
    for (const form of [...forms, 'pa"ss', 'word/é'])
      expect([form, await log.find(form)]).toEqual([form, []])
  })

  it('are masked in other escapes and as numbers', async () => {
    const log = new TestMessageLog(['secret-value', '8472910573'])
    log.line(
      String.raw`{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"secr\u0065t-value","n":8472910573}}`,
    )
    expect(await exported(log)).not.toMatch(/secr(\\u0065|e)t-value|8472910573/)
    expect(await log.find('8472910573')).toEqual([])
  })

  it('are masked in names, methods and ids, even if these are cut', async () => {
    const log = new TestMessageLog(['secret-value'])
    const long = `${'x'.repeat(150)}secret-value${'y'.repeat(100)}`
    for (const name of ['secret-value', `a secret-value b`, long])
      log.received({ id: name, method: name, params: { name } })
    const entries = await log.entries()
    expect(JSON.stringify(entries)).not.toContain('secret')
    expect(entries[2]?.method?.length).toBeLessThan(200)
    const { text } = await log.export({ method: 'secret-value' })
    expect(text).toBe('')
  })

  it('stay masked in earlier messages after they were replaced', async () => {
    const log = new TestMessageLog(['the-old-one'])
    log.sent(call(1, 'a', { key: 'the-old-one' }))
    log.redactor = createRedactor(['the-new-one'])
    log.beginSession()
    log.sent(call(1, 'a', { key: 'the-new-one' }))
    const all = await exported(log)
    expect(all).not.toMatch(/the-(old|new)-one/)
    expect(await log.find('the-old')).toEqual([])
  })

  it('make the log forget its messages if there are too many to remember', async () => {
    const log = new TestMessageLog(['the-old-one'])
    log.sent(call(1, 'a', { key: 'the-old-one' }))
    const many = Array.from({ length: 3_000 }, (_, at) => `secret number ${String(at)}`)
    log.redactor = createRedactor(many)
    expect(await log.entries()).toEqual([])
    log.sent(call(1, 'a', { key: 'secret number 7' }))
    expect(await exported(log)).not.toContain('number 7')
  })
})
