import { describe, expect, it } from 'vitest'

import type { Answers } from '../../../e2e/fixtures/memory-connection'
import { memorySession } from '../../../e2e/fixtures/memory-session'
import { ServerEndedError } from '../failure/describe-failure'
import type { ServerSession } from './session'

const CALL = { name: 'echo', arguments: { n: 1 } }

const open = (answers?: Answers) =>
  memorySession(answers, { stderrTail: () => ['the last connection'] })

async function begin(answers?: Answers): Promise<ReturnType<typeof open>> {
  const opened = open(answers)
  await opened.session.connect(60_000)
  await opened.session.discover(60_000)
  return opened
}

const namesOf = ({ capabilities }: ServerSession): string[] =>
  capabilities.tools.map(({ name }) => name)

describe('B13 a session over a connection in memory', () => {
  it('shakes hands, lists, calls and answers a check', async () => {
    const { session, connection } = await begin()
    const first = ['initialize', 'notifications/initialized', 'tools/list']
    expect(connection.methods).toEqual(first)
    expect([session.era, session.serverVersion, namesOf(session)]).toEqual([
      'legacy',
      '1.2.3',
      ['echo'],
    ])
    expect(await session.request('tools/call', CALL)).toMatchObject({ told: { n: 1 } })
    expect(await session.ping(60_000)).toBe(true)
    expect([session.inFlight, session.pid, session.connection.tree]).toEqual([
      0,
      undefined,
      undefined,
    ])
  })

  it('reads its list anew when the server says that it is another', async () => {
    const tools = [{ name: 'echo', inputSchema: { type: 'object' } }]
    const { session, connection } = await begin({ 'tools/list': () => ({ tools }) })
    const { promise, resolve } = Promise.withResolvers<undefined>()
    session.onDidRelist(() => resolve(undefined))
    tools[0] = { name: 'other', inputSchema: { type: 'object' } }
    connection.say({ method: 'notifications/tools/list_changed' })
    await promise
    expect(namesOf(session)).toEqual(['other'])
  })

  it('fails what is in flight as soon as the connection is cut, and tells of its end once', async () => {
    const { session, connection } = await begin({ 'tools/call': () => undefined })
    const ends: boolean[] = []
    session.onDidClose(() => ends.push(session.isClosed))
    const failed = session.request('tools/call', CALL).catch((error: unknown) => error)
    await expect.poll(() => connection.methods).toContain('tools/call')
    await connection.close()
    const error = await failed
    expect(error).toBeInstanceOf(ServerEndedError)
    expect(error).toMatchObject({ code: 'SERVER_EXITED', stderrTail: ['the last connection'] })
    expect(ends).toEqual([true])
  })

  it('tells the server of a call that was given up, and goes on', async () => {
    const { session, connection } = await begin({ 'tools/call': () => undefined })
    const giveUp = new AbortController()
    const call = session.request('tools/call', CALL, { signal: giveUp.signal })
    const failed = expect(call).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    await expect.poll(() => connection.methods).toContain('tools/call')
    giveUp.abort()
    await failed
    await expect.poll(() => connection.methods).toContain('notifications/cancelled')
    expect(await session.ping(60_000)).toBe(true)
  })

  it('does not begin where the answer to the handshake is none', async () => {
    const { session } = open({ initialize: () => ({ protocolVersion: '1900-01-01' }) })
    await expect(session.connect(60_000)).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
  })
})
