import { describe, expect, it } from 'vitest'

import { type Answer, json, type OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { pause } from '../../../../e2e/fixtures/pause'
import { startedRemote } from '../../../../e2e/fixtures/supervised'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SessionExpiredError } from '../../failure/remote-failure'

async function open(answers: OlderRemote['answers'] = {}, settings: Partial<Settings> = {}) {
  const opened = await startedRemote(answers, { settings })
  const { server } = opened
  const before = server.session
  const untilRenewed = (): Promise<void> =>
    expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
  return { ...opened, call: () => opened.call('tool'), untilRenewed }
}

/** Longer than any renewal takes, so that one that must not come would have. */
const A_WHILE_MS = 700

describe('F3 a session that the server has forgotten', () => {
  it.each<[string, Answer]>([
    ['a 404', status(404)],
    ['a 400 with words', status(400, 'Bad Request: No valid session ID provided')],
    ['a 400 with an error', status(400, '{"error":{"message":"Session not found"},"id":null}')],
    ['a 410', status(410, 'Session expired')],
    ['a 500 with words', status(500, 'Unknown session')],
    [
      'JSON-RPC -32001',
      (response, id) => {
        const error = { code: -32_001, message: 'Session not found' }
        json({ jsonrpc: '2.0', id, error })(response, id)
      },
    ],
  ])('is known by %s, and replaced by a new one', async (_how, answer) => {
    // The stream of its own is not found either, which says nothing.
    const { remote, call, untilRenewed } = await open({ GET: status(404) })
    remote.answers['tools/call'] = answer
    expect(await call().catch((error: unknown) => error)).toBeInstanceOf(SessionExpiredError)
    delete remote.answers['tools/call']
    await untilRenewed()
    expect(await call()).toMatchObject({ content: [] })
    expect(remote.count('initialize')).toBe(2)
  })

  it.each(['GET', 'DELETE'])('is not known by a 404 to %s', async (method) => {
    const late: Answer = (response) => void pause(50).then(() => status(404)(response, undefined))
    const { remote, server, untilRenewed } = await open({ [method]: late })
    server.reconnect()
    await untilRenewed()
    await expect.poll(() => remote.count(method)).toBeGreaterThan(0)
    await pause(A_WHILE_MS)
    expect([remote.count('initialize'), server.reconnecting]).toEqual([2, undefined])
  })

  it.each([
    [400, 'Missing argument path'],
    [500, 'Internal error'],
    [403, 'Session cookie required'],
  ])('is not known by %i with the words %s', async (code, text) => {
    const { remote, server, call } = await open({ 'tools/call': status(code, text) })
    const error = await call().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AppError)
    expect(error).not.toBeInstanceOf(SessionExpiredError)
    expect([server.session?.hasExpired, remote.count('initialize')]).toEqual([false, 1])
  })

  it('is not replaced once it was closed', async () => {
    const { remote, server, until } = await open({ DELETE: status(404) }, { startsAgain: false })
    void server.session?.close()
    await until('error')
    await expect.poll(() => remote.count('DELETE')).toBe(1)
    await pause(A_WHILE_MS)
    expect([remote.count('initialize'), server.status.kind]).toEqual([1, 'error'])
  })

  it.each([
    [true, 'backingOff'],
    [false, 'error'],
  ])('is replaced a few times only, with automatic restarts %s', async (startsAgain, kind) => {
    const settings = { startsAgain, breakerLosses: 3 }
    const { remote, server, call } = await open({ 'tools/call': status(404) }, settings)
    for (let calls = 0; calls < 20 && !isFailed(server.status); calls += 1) {
      const before = server.session
      await expect(call()).rejects.toBeInstanceOf(AppError)
      await expect.poll(() => server.session !== before || isFailed(server.status)).toBe(true)
    }
    expect(server.status).toMatchObject({ kind, code: 'REMOTE_FAILED' })
    expect(remote.count('initialize')).toBe(3)
  })
})
