import { describe, expect, it } from 'vitest'

import type { ServerSession } from '../../../src-main/core/mcp/session'
import { fixtureServer } from '../../fixtures/fixture-server'
import { openHarness, openHarnessWith } from '../../fixtures/open-harness'

/** A Ready server of e2e/servers and its session. */
async function open(script: string, args: readonly string[] = []) {
  const harness = await openHarnessWith({ startsAgain: false })
  const id = await harness.install(fixtureServer(script, { args }))
  await expect.poll(async () => (await harness.view(id)).status.kind).toMatch(/ready|degraded/)
  return { harness, id, session: harness.session(id) }
}

type Call = (
  session: ServerSession,
  name: string,
  args: object,
  options?: Parameters<ServerSession['request']>[2],
) => Promise<unknown>

/** Both kinds of requests follow all these rules. */
const WAYS: readonly (readonly [string, Call])[] = [
  [
    'whose result is parsed',
    (session, name, args, options) =>
      session.request('tools/call', { name, arguments: args }, options),
  ],
  [
    'whose result is text',
    async (session, name, args, options) => {
      const request = { name, arguments: args }
      const { text, result } = await session.requestText('tools/call', request, options)
      expect(JSON.parse(text.toString())).toEqual(result)
      return result
    },
  ],
]

describe.each(WAYS)('B3: a request %s', (_way, call) => {
  it('resolves to the result as the server wrote it', async () => {
    const { session } = await open('works.mjs')
    expect(await call(session, 'slow', { ms: 0 })).toEqual({ content: [], worked: 0 })
  })

  it('fails at its deadline, and notifies the server', async () => {
    const { harness, id, session } = await open('works.mjs')
    const failed = call(session, 'slow', {}, { timeoutMs: 300 })
    await expect(failed).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'The server did not answer tools/call within 0.3 s.',
    })
    await expect.poll(() => harness.log(id)).toContain('cancelled slow')
  })

  it('continues while progress comes, up to its hard limit', async () => {
    const { session } = await open('works.mjs')
    const done = call(session, 'slow', { ms: 4_500, every: 100 }, { timeoutMs: 3_000 })
    const limits = { timeoutMs: 3_000, maxTotalMs: 4_600 }
    const endless = expect(call(session, 'slow', { every: 100 }, limits)).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: expect.stringContaining('still working on tools/call after 4.6 s') as string,
    })
    expect(await done).toMatchObject({ worked: 4_500 })
    await endless
  })

  it('reports its progress', async () => {
    const { session } = await open('works.mjs')
    const seen: number[] = []
    const onProgress = ({ progress }: { progress: number }): number => seen.push(progress)
    await call(session, 'slow', { ms: 500, every: 100 }, { onProgress })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual(seen.map((_, index) => index + 1))
  })

  it('can be canceled before and while it runs', async () => {
    const { harness, id, session } = await open('works.mjs')
    const controller = new AbortController()
    const running = call(session, 'slow', {}, { signal: controller.signal })
    controller.abort()
    await expect(running).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await expect.poll(() => harness.log(id)).toContain('cancelled slow')
    const never = call(session, 'slow', {}, { signal: controller.signal })
    await expect(never).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
  })

  it('answered too late is dropped and counted', async () => {
    const { harness, id, session } = await open('works.mjs')
    await expect(call(session, 'late', {}, { timeoutMs: 300 })).rejects.toThrow('did not answer')
    await expect.poll(async () => (await harness.view(id)).faults.lateAnswers).toBe(1)
    expect((await harness.view(id)).status.kind).toBe('ready')
    expect(await call(session, 'slow', { ms: 0 })).toMatchObject({ worked: 0 })
  })

  it('rejected by the server fails with its message, code and data', async () => {
    const { session } = await open('works.mjs')
    await expect(call(session, 'fail', {})).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      message: 'The server rejected tools/call: No such thing.',
      cause: { code: -32_002, data: { thing: 1 } },
    })
  })

  it("has its server's default deadline", async () => {
    const harness = openHarness()
    const budgets = { callMs: 600 }
    const id = await harness.installReady(fixtureServer('works.mjs'), { budgets })
    await expect(call(harness.session(id), 'slow', {})).rejects.toThrow('within 0.6 s')
  })
})

describe.each(WAYS)('B7: a server that ends during a request %s', (_way, call) => {
  it('fails it immediately with exit code and last lines', async () => {
    const { session, harness, id } = await open('dies-in-call.mjs')
    await expect(call(session, 'die', {}, { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'SERVER_EXITED',
      message: 'The server exited with code 7 while handling a request.',
      exit: { code: 7, signal: null },
      stderrTail: ['About to die'],
    })
    expect((await harness.until(id, 'error')).status).toMatchObject({ code: 'SERVER_EXITED' })
    await expect(call(session, 'die', {})).rejects.toMatchObject({ code: 'SERVER_EXITED' })
  })
})

describe.each(WAYS)('B2: a size limit, and a request %s', (_way, call) => {
  it('fails the request with a larger answer, and the connection continues', async () => {
    const harness = openHarness()
    await harness.call('settings.update', { maxMessageMb: 1 })
    const id = await harness.installReady(fixtureServer('plain.mjs'))
    const session = harness.session(id)
    const text = 'x'.repeat(2 * 1024 * 1024)
    await expect(call(session, 'echo', { text })).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      message: 'The server’s message is too large: 2.1 MB, but the limit is 1 MB.',
    })
    expect(await call(session, 'echo', { text: 'x' })).toBeDefined()
    const { status, faults } = await harness.until(id, 'degraded')
    expect(status).toMatchObject({
      warnings: ['1 message was larger than the size limit and dropped.'],
    })
    expect(faults.oversizedMessages).toBe(1)
  })
})
