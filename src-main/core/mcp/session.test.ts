import { describe, expect, it } from 'vitest'

import type { Answers } from '../../../e2e/fixtures/memory-connection'
import { memorySession } from '../../../e2e/fixtures/memory-session'
import type { AppError } from '../../../src-shared/domain/app-error'
import { Settings } from '../../../src-shared/domain/state/settings'
import type { ServerSession } from './session'
import type { ServerSessionOptions } from './session-options'

async function begin(answers?: Answers, options?: Partial<ServerSessionOptions>) {
  const opened = memorySession(answers, options)
  await opened.session.connect(60_000)
  await opened.session.discover(60_000)
  const count = (method: string): number =>
    opened.connection.methods.filter((one) => one === method).length
  return { ...opened, count }
}

describe('B13: a session', () => {
  it('cuts instructions at 64 K characters', async () => {
    const { session } = await begin({
      initialize: ({ protocolVersion }) => ({ protocolVersion, instructions: 'n'.repeat(1e6) }),
    })
    expect(session.instructions).toHaveLength(65_536)
  })
})

describe('F1: a server that cancels its own request', () => {
  it('cancels no request of ours with the same number', async () => {
    const { session, connection } = await begin({
      'tools/call': () => {
        // The server's own ids may start at any number.
        for (let requestId = 0; requestId < 20; requestId += 1)
          connection.say({ method: 'notifications/cancelled', params: { requestId } })
        return { content: [] }
      },
    })
    expect(await session.request('tools/call', {})).toEqual({ content: [] })
  })
})

describe('F10: the patience of a session', () => {
  it.each([
    ['tools/call', 200],
    ['resources/read', 200],
    ['prompts/get', 200],
    ['tasks/get', 200],
    ['completion/complete', 50],
    ['tools/list', 50],
  ])('gives %s the time of its kind, and reports who gave up', async (method, limitMs) => {
    const given: AppError[] = []
    const { session } = await begin(
      { [method]: method === 'tools/list' ? firstOnly() : () => undefined },
      {
        limits: { requestMs: 50, callMs: 200 },
        reports: { onWarning: () => undefined, onGiveUp: (error) => given.push(error) },
      },
    )
    const message = `The server did not answer ${method} within ${limitMs / 1_000} s.`
    await expect(session.request(method, {})).rejects.toMatchObject({
      ...{ code: 'REQUEST_TIMEOUT', message },
      hint: expect.stringContaining('Patchbay gave up') as string,
    })
    expect(given.map((error) => error.message)).toEqual([message])
  })

  it('says that work may continue at the server, and which limit applied', async () => {
    const { session } = await begin(
      { 'tools/call': () => undefined },
      { limits: { requestMs: 50, callMs: 50 } },
    )
    await expect(session.request('tools/call', {})).rejects.toMatchObject({
      hint: expect.stringMatching(/limit is 0.05 s .* the work may continue/u) as string,
    })
  })

  it('is 30 minutes for a call by default', () => {
    expect(Settings.parse({})).toMatchObject({ requestMs: 30_000, callMs: 30 * 60_000 })
  })

  it('notifies the server who gave up', async () => {
    const reasons: unknown[] = []
    const { session } = await begin({
      'tools/call': () => undefined,
      'notifications/cancelled': ({ reason }) => reasons.push(reason),
    })
    const leave = new AbortController()
    const call = session.request('tools/call', {}, { signal: leave.signal })
    leave.abort('The agent disconnected.')
    const message = 'tools/call was canceled: The agent disconnected.'
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED', message })
    expect(reasons).toEqual([message])
  })
})

/** Answers only the first list request. */
function firstOnly(): Answers[string] {
  let asked = 0
  return () => {
    asked += 1
    return asked === 1 ? { tools: [] } : undefined
  }
}

describe('F3: a server that leaves pings unanswered', () => {
  it('is checked with a list request, and gets no second ping', async () => {
    const { session, connection } = await begin({ ping: () => undefined })
    expect([await session.ping(50), await session.ping(50)]).toEqual([true, true])
    const checks = connection.methods.filter((one) => !/^notif|^init/u.test(one)).slice(1)
    expect(checks).toEqual(['ping', 'tools/list', 'tools/list'])
  })
})

describe('D6: a subscription at a server', () => {
  const initialize: Answers[string] = ({ protocolVersion }) => ({
    ...{
      protocolVersion,
      capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    },
    serverInfo: { name: 'memory', version: '1' },
  })

  it.each<[string, string, (session: ServerSession) => Promise<void>]>([
    ['a log level', 'logging/setLevel', ({ notifications }) => notifications.setLevel('error')],
    [
      'updates of a resource',
      'resources/subscribe',
      ({ notifications }) => notifications.watch('a:b'),
    ],
  ])('is requested once for several callers, and again after a rejection: %s', async (...row) => {
    const [, method, request] = row
    const { session, count } = await begin({ initialize })
    const both = await Promise.allSettled([request(session), request(session)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(count(method)).toBe(1)
    await expect(request(session)).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
    expect(count(method)).toBe(2)
  })

  it('is requested once per accepted level', async () => {
    const { session, count } = await begin({ initialize, 'logging/setLevel': () => ({}) })
    const { notifications } = session
    await Promise.all([notifications.setLevel('error'), notifications.setLevel('error')])
    await notifications.setLevel('error')
    await notifications.setLevel('debug')
    expect(count('logging/setLevel')).toBe(2)
  })
})
