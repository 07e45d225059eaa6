import { once } from 'node:events'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, messagesOf } from '../../../../e2e/fixtures/agent-bench'
import { Door, PROFILE } from '../../../../e2e/fixtures/gateway-door'
import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { toDisposable } from '../../lifecycle/disposables'
import { writtenResult } from '../../mcp/json/result-text'
import type { AgentListing } from '../listing/agent-listing'
import { AgentEndpoint } from './endpoint'
import { SESSION_IDLE_MS } from './sessions'

const ping = { id: 1, method: 'ping' }
const initialize = (protocolVersion: string): object => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '7' } },
})

describe('D6 sessions of agents', () => {
  const bench = new AgentBench()
  afterEach(() => bench.close())

  it('begin in the version that the agent names, or the latest one', async () => {
    const { key } = await bench.start('one')
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01']) {
      const answer = await bench.post(key, initialize(version))
      const usage = /Available servers: one\.[^]*Server one \(one\):\n```text\nUse one with care/u
      const result = {
        protocolVersion: version === '1999-01-01' ? '2025-11-25' : version,
        serverInfo: { name: 'patchbay', title: 'Patchbay' },
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
        instructions: expect.stringMatching(usage) as string,
      }
      expect(await messagesOf(answer)).toMatchObject([{ id: 0, result }])
      const session = answer.headers.get('mcp-session-id') ?? ''
      expect(session).toMatch(/^[0-9a-f-]{36}$/u)
      const pong = await bench.post(key, ping, { headers: { 'mcp-session-id': session } })
      expect(await messagesOf(pong)).toMatchObject([{ id: 1, result: {} }])
    }
    const { agents } = (await bench.desk.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
  })

  it('belong to their agent, and end with DELETE', async () => {
    const { key } = await bench.start()
    const { key: otherKey } = await bench.addAgent('Mallory')
    const { send, sessionId } = await bench.session(key)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { 'mcp-session-id': sessionId }
      const message = method === 'POST' ? ping : undefined
      const answer = await bench.post(otherKey, message, { headers, method })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { code: -32_001 } })
    }
    expect((await send(ping)).status).toBe(200)
    expect((await send(undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await send(ping)).status).toBe(404)
  })

  it('refuse what is no message or no single one, and what a session must not be asked', async () => {
    const { key } = await bench.start()
    const { send, ask } = await bench.session(key)
    const one = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const deep = `${'{"a":'.repeat(600)}0${'}'.repeat(600)}`
    expect(await ask(`[${one}]`)).toMatchObject([{ id: 1, result: {} }])
    for (const [sent, status, code] of [
      [send(`[${one},${one.replace('1', '2')}]`), 400, -32_600],
      [send('{"jsonrpc":'), 400, -32_700],
      [send('{"id":1}'), 400, -32_600],
      [send('[]'), 400, -32_600],
      [send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${deep}}`), 400, -32_600],
      [send(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } }), 400, -32_000],
      [send(ping, { headers: { accept: 'text/plain' } }), 406, -32_000],
      [bench.post(key, ping), 400, -32_000],
      [bench.post(key, undefined, { method: 'GET' }), 400, -32_000],
    ] as const) {
      const answer = await sent
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { code } })
    }
    expect((await send({ method: 'notifications/initialized' })).status).toBe(202)
    expect(await ask(initialize('2025-11-25'))).toMatchObject([{ error: { code: -32_600 } }])
  })

  it('get missing resources and results that are no objects in the way of the era', async () => {
    const { key } = await bench.start('one')
    const { ask } = await bench.session(key)
    for (const [method, uri] of [
      ['read', 'memo://one/missing'],
      ['read', 'other://x'],
      ['subscribe', 'other://x'],
    ] as const)
      expect(await ask({ id: 3, method: `resources/${method}`, params: { uri } })).toMatchObject([
        { id: 3, error: { code: -32_002, ...(method === 'read' && { data: { uri } }) } },
      ])
    const outputSchema = expect.objectContaining({ type: 'object', required: ['result'] }) as object
    const listed = expect.objectContaining({ name: 'one__list', outputSchema }) as object
    const [{ result } = {}] = await ask({ id: 3, method: 'tools/list' })
    expect((result as { tools: object[] }).tools).toContainEqual(listed)
    const call = { id: 4, method: 'tools/call', params: { name: 'one__list' } }
    const structuredContent = { result: [1, 2] }
    expect(await ask(call)).toMatchObject([{ result: { structuredContent } }])
  })
})

/** Tools that no other listing has. */
const newListing = (): AgentListing => ({
  ...{ servers: [], callable: [], prompts: [], resources: [], templates: [], definitions: [] },
  ...{ sharedNames: new Map(), uiOwners: new Map(), byName: new Map(), hidden: new Map() },
  overCap: 0,
})
const NOTHING = toDisposable(() => undefined)
const nobody = (): never => {
  throw new Error('There is no server.')
}

describe('D6 sessions at the endpoint', () => {
  let door: Door
  let clock: HandClock
  let listing: AgentListing
  let endpoint: AgentEndpoint
  let called = 0
  beforeEach(async () => {
    called = 0
    clock = new HandClock()
    listing = newListing()
    door = await new Door(tempFolder('rest')).open()
    endpoint = new AgentEndpoint({
      listings: { of: () => listing },
      calls: {
        handle: async (_request, { signal }) => {
          called += 1
          await once(signal, 'abort')
          return writtenResult({})
        },
        routeOf: nobody,
      },
      servers: { all: () => [], onDidBegin: () => NOTHING, onDidNotify: () => NOTHING },
      watches: { add: nobody },
      nameOf: (id) => id,
      version: '0',
      usageOf: () => undefined,
      onApp: () => undefined,
      onFault: (error) => door.faults.push(error),
      time: clock,
    })
    door.answer = (exchange) => endpoint.serve(exchange)
  })
  afterEach(async () => {
    endpoint.close()
    expect(door.faults).toEqual([])
    await door.close()
  })

  const ask = (message: object, session?: string, key = door.key): ReturnType<Door['ask']> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return door.ask({ key, body, headers: { 'mcp-session-id': session } })
  }
  const begin = async (key?: string): Promise<string> => {
    const { headers } = await ask(initialize('2025-11-25'), undefined, key)
    return String(headers['mcp-session-id'])
  }
  const statusOf = async (session: string, key?: string): Promise<number> =>
    (await ask(ping, session, key)).status
  const listen = (session: string, signal: AbortSignal | null = null): Promise<Response> => {
    const headers = { authorization: `Bearer ${door.key}`, 'mcp-session-id': session }
    return fetch(door.listener.url, { headers, signal })
  }

  it('are notified of changes once in a few seconds, of the last one too, and immediately after a rest (F9)', async () => {
    const { body } = await listen(await begin())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    }
    read().catch(() => undefined) // the stream was cut
    const notified = (): number => text.split('notifications/tools/list_changed').length - 1
    const change = (): void => {
      listing = newListing()
      endpoint.changed()
    }
    for (let count = 0; count < 100; count += 1) {
      change()
      clock.pass(200)
    }
    // In 20 s: after 0, 0.2, 0.6, 1.4 and 3 s, then every 3 s.
    await expect.poll(notified).toBe(10)
    clock.pass(SESSION_IDLE_MS / 100)
    await expect.poll(notified).toBe(11)
    change()
    await expect.poll(notified).toBe(12)
    clock.pass(200)
    change()
    await expect.poll(notified).toBe(13)
  })

  it('are no more than 64 for an agent, of which the one that rested longest ends', async () => {
    const { key } = await door.agents.add('Bert', PROFILE)
    const other = await begin(key)
    const [first, second] = [await begin(), await begin()]
    clock.pass(1)
    // It rests as long as it is not used, not as long as it is there.
    expect(await statusOf(first)).toBe(200)
    for (let count = 2; count <= 64; count += 1) await begin()
    expect(await statusOf(second)).toBe(404)
    expect(await statusOf(first)).toBe(200)
    expect(await statusOf(other, key)).toBe(200)
  })

  it('end a call that was left, which counts until it is over', async () => {
    Object.assign(door.limits, { agentCalls: 1 })
    const session = await begin()
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
    const head = door.head(`Mcp-Session-Id: ${session}`, `Content-Length: ${call.length}`)
    const { socket } = await door.send(head + call)
    await expect.poll(() => called).toBe(1)
    expect(await statusOf(session)).toBe(429)
    socket.destroy()
    await expect.poll(() => statusOf(session)).toBe(200)
    endpoint.closeAgent('anna')
    await expect.poll(() => statusOf(session)).toBe(404)
  })

  it('end an hour after their last request or stream, and not before', async () => {
    const used = await begin()
    const left = await begin()
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect(await statusOf(used)).toBe(200)
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect(await statusOf(left)).toBe(404)
    const leave = new AbortController()
    expect((await listen(used, leave.signal)).status).toBe(200)
    clock.pass(SESSION_IDLE_MS * 10)
    expect(await statusOf(used)).toBe(200)
    leave.abort()
    const later = (): Promise<number> => {
      clock.pass(SESSION_IDLE_MS * 2)
      return statusOf(used)
    }
    await expect.poll(later).toBe(404)
    // With the last of them the clock is left alone.
    expect(clock.waiting).toBe(0)
  })

  it('end with their streams and calls when the agent is removed, and leave nothing that waits', async () => {
    const session = await begin()
    const stream = await listen(session)
    const call = ask({ id: 1, method: 'tools/call' }, session)
    await expect.poll(() => called).toBe(1)
    endpoint.closeAgent('anna')
    expect(await stream.text()).toBe('')
    expect((await call).text).toBe('')
    expect(await statusOf(session)).toBe(404)
    expect(clock.waiting).toBe(0)
  })
})
