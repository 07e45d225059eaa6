import { describe, expect, it } from 'vitest'

import type { Answers } from '../../../e2e/fixtures/memory-connection'
import { memorySession } from '../../../e2e/fixtures/memory-session'
import { ServerEndedError } from '../failure/describe-failure'
import type { ServerSession } from './session'

const CALL = { name: 'echo', arguments: { n: 1 } }

async function begin(answers?: Answers) {
  const opened = memorySession(answers, { stderrTail: () => ['the last connection'] })
  await opened.session.connect(60_000)
  await opened.session.discover(60_000)
  const count = (method: string): number =>
    opened.connection.methods.filter((one) => one === method).length
  return { ...opened, count }
}

const namesOf = ({ capabilities }: ServerSession): string[] =>
  capabilities.tools.map(({ name }) => name)

describe('B13 a session over a connection in memory', () => {
  it('negotiates, lists, calls and answers a health check', async () => {
    const { session, connection } = await begin()
    const first = ['initialize', 'notifications/initialized', 'tools/list']
    expect(connection.methods).toEqual(first)
    expect([session.era, session.serverVersion]).toEqual(['legacy', '1.2.3'])
    expect(namesOf(session)).toEqual(['echo'])
    expect(await session.request('tools/call', CALL)).toMatchObject({ told: { n: 1 } })
    expect(await session.ping(60_000)).toBe(true)
    const { inFlight, pid, connection: state } = session
    expect([inFlight, pid, state.tree]).toEqual([0, undefined, undefined])
  })

  it('reads its list again when the server announces a change', async () => {
    const tools = [{ name: 'echo', inputSchema: { type: 'object' } }]
    const { session, connection } = await begin({ 'tools/list': () => ({ tools }) })
    tools[0] = { name: 'other', inputSchema: { type: 'object' } }
    connection.say({ method: 'notifications/tools/list_changed' })
    await new Promise<void>((resolve) => void session.onDidRelist(() => resolve()))
    expect(namesOf(session)).toEqual(['other'])
  })

  it('fails what is in flight as soon as the connection is cut, and reports its end once', async () => {
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

  it('cancels a call that was given up, and goes on', async () => {
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
})

const RAW = {
  tools: [
    {
      name: 'draw',
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, 'x-mine': 1 },
      icons: [{ src: 'data:image/png;base64,AA==', sizes: ['16x16'] }],
      execution: { taskSupport: 'optional' },
      annotations: { readOnlyHint: true, 'example.com/cost': 3 },
      _meta: { 'example.com/a': [1, { b: null }] },
      'x-unknown': { deep: [1, null] },
    },
  ],
  resources: [
    {
      ...{ uri: 'memo://a b?c#d', name: 'a', size: 12, _meta: { x: 1 } },
      annotations: { audience: ['user'], priority: 0.5 },
    },
  ],
  prompts: [
    { name: 'ask', _meta: { y: 1 }, icons: [{ src: 'https://example.com/i.svg' }] },
    { name: 'ask2', arguments: [{ name: 'topic', title: 'Topic', required: true }] },
  ],
}

describe('D6 what a server lists', () => {
  it('is kept as the server wrote it', async () => {
    const { session } = await begin({
      initialize: ({ protocolVersion }) => {
        return { protocolVersion, capabilities: { tools: {}, resources: {}, prompts: {} } }
      },
      ...Object.fromEntries(
        Object.entries(RAW).map(([key, list]) => [`${key}/list`, () => ({ [key]: list })]),
      ),
    })
    const { tools, resources, prompts } = session.capabilities
    expect({ tools, resources, prompts }).toEqual(RAW)
  })
})

describe('D6 what a server is asked to announce', () => {
  const initialize: Answers[string] = ({ protocolVersion }) => ({
    ...{
      protocolVersion,
      capabilities: { tools: {}, logging: {}, resources: { subscribe: true } },
    },
    serverInfo: { name: 'memory', version: '1' },
  })

  it.each<[string, string, (session: ServerSession) => Promise<void>]>([
    ['a level of its log', 'logging/setLevel', ({ news }) => news.setLevel('error')],
    ['updates of a resource', 'resources/subscribe', ({ news }) => news.watch('a:b')],
  ])('is requested once for several callers, and again once rejected: %s', async (...row) => {
    const [, method, request] = row
    const { session, count } = await begin({ initialize })
    const both = await Promise.allSettled([request(session), request(session)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(count(method)).toBe(1)
    await expect(request(session)).rejects.toMatchObject({ code: 'REQUEST_REFUSED' })
    expect(count(method)).toBe(2)
  })

  it('is requested once for a level that the server took', async () => {
    const { session, count } = await begin({ initialize, 'logging/setLevel': () => ({}) })
    const { news } = session
    await Promise.all([news.setLevel('error'), news.setLevel('error')])
    await news.setLevel('error')
    await news.setLevel('debug')
    expect(count('logging/setLevel')).toBe(2)
  })
})
