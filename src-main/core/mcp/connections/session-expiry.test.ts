import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { json, OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { pause } from '../../../../e2e/fixtures/pause'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SessionExpiredError } from '../../failure/remote-failure'

let stack: AsyncDisposableStack
beforeEach(() => (stack = new AsyncDisposableStack()))
afterEach(() => stack.disposeAsync())

async function open(settings: Partial<Settings> = {}) {
  const supervisors = stack.use(new Supervisors())
  const remote = stack.use(await OlderRemote.open())
  const { server, lines } = supervisors.open({ remote: { url: remote.url }, settings })
  const until = (kind: string) => expect.poll(() => server.status.kind).toBe(kind)
  const call = () =>
    server.session
      ?.request('tools/call', { name: 'tool', arguments: {} })
      .catch((error: unknown) => error)
  return { remote, server, lines, until, call }
}

/** Longer than any renewal takes, so that one that must not come would have. */
const A_WHILE_MS = 700

describe('B13 a session that the server has forgotten', () => {
  it.each(['GET', 'DELETE'])(
    'is not told by a 404 to %s, which some servers know nothing of',
    async (method) => {
      const { remote, server, until } = await open()
      remote.answers[method] = (response) =>
        void pause(50).then(() => status(404)(response, undefined))
      server.start()
      await until('ready')
      const before = server.session
      server.reconnect()
      await expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
      await expect.poll(() => remote.count(method)).toBeGreaterThan(0)
      await pause(A_WHILE_MS)
      expect([remote.count('initialize'), server.reconnecting]).toEqual([2, undefined])
    },
  )

  it('is told by a 404 to a message also where the stream of its own was not found at first', async () => {
    const { remote, server, until, call } = await open()
    remote.answers.GET = status(404)
    server.start()
    await until('ready')
    const before = server.session
    remote.answers['tools/call'] = status(404)
    expect(await call()).toMatchObject({ code: 'REMOTE_FAILED' })
    await expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
    expect(remote.count('initialize')).toBe(2)
  })

  it.each([
    [400, 'Bad Request: No valid session ID provided'],
    [400, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Session not found"},"id":null}'],
    [410, 'Session expired'],
    [500, 'Unknown session'],
  ])('is known by %i with the words %s', async (code, text) => {
    const { remote, server, until, call } = await open()
    server.start()
    await until('ready')
    const before = server.session
    remote.answers['tools/call'] = status(code, text)
    expect(await call()).toBeInstanceOf(SessionExpiredError)
    delete remote.answers['tools/call']
    await expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
    expect(await call()).toMatchObject({ content: [] })
  })

  it('is known by JSON-RPC -32001 in an accepted answer', async () => {
    const { remote, server, until, call } = await open()
    server.start()
    await until('ready')
    const before = server.session
    remote.answers['tools/call'] = (response, id) =>
      json({ jsonrpc: '2.0', id, error: { code: -32_001, message: 'Session not found' } })(
        response,
        id,
      )
    expect(await call()).toBeInstanceOf(SessionExpiredError)
    await expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
  })

  it.each([
    [400, 'Missing argument path'],
    [500, 'Internal error'],
    [403, 'Session cookie required'],
  ])('is not known by %i with the words %s', async (code, text) => {
    const { remote, server, until, call } = await open()
    server.start()
    await until('ready')
    remote.answers['tools/call'] = status(code, text)
    expect(await call()).not.toBeInstanceOf(SessionExpiredError)
    expect([server.session?.hasExpired, remote.count('initialize')]).toEqual([false, 1])
  })

  it('is no reason to begin another one once it was let go', async () => {
    const { remote, server, until } = await open({ startsAgain: false })
    remote.answers.DELETE = status(404)
    server.start()
    await until('ready')
    void server.session?.close()
    await until('error')
    await expect.poll(() => remote.count('DELETE')).toBe(1)
    await pause(A_WHILE_MS)
    expect([remote.count('initialize'), server.status.kind]).toEqual([1, 'error'])
  })

  it.each([
    [true, 'backingOff'],
    [false, 'error'],
  ])(
    'again and again is renewed a few times only, with starts by itself %s',
    async (startsAgain, kind) => {
      const { remote, server, until, call } = await open({ startsAgain, breakerLosses: 3 })
      remote.answers['tools/call'] = status(404)
      server.start()
      await until('ready')
      for (let calls = 0; calls < 20 && !isFailed(server.status); calls += 1) {
        const before = server.session
        expect(await call()).toBeInstanceOf(AppError)
        await expect.poll(() => server.session !== before || isFailed(server.status)).toBe(true)
      }
      expect(server.status).toMatchObject({ kind, code: 'REMOTE_FAILED' })
      expect(remote.count('initialize')).toBe(3)
    },
  )
})
