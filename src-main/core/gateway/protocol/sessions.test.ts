import { once } from 'node:events'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, messagesOf, type RawAgent } from '../../../../e2e/fixtures/agent-bench'
import { Door } from '../../../../e2e/fixtures/gateway-door'
import { HandClock } from '../../../../e2e/fixtures/hand-clock'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { POLL } from '../../../../e2e/fixtures/tool-desk'
import { toDisposable } from '../../lifecycle/disposables'
import { writtenResult } from '../../mcp/json/result-text'
import type { AgentListing } from '../listing/agent-listing'
import { AgentEndpoint } from './endpoint'
import { SESSION_IDLE_MS } from './sessions'

const ping = { id: 1, method: 'ping' }

describe('D6 sessions of agents', () => {
  const bench = new AgentBench()
  afterEach(() => bench.close())

  const initialize = (protocolVersion: string): object => ({
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '7' } },
  })

  it('begin in the version that the agent names, or the latest one', async () => {
    const { key } = await bench.start('one')
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01']) {
      const answer = await bench.post(key, initialize(version))
      const usage = /Available servers: one\.[^]*instructions: Use one with care/u
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
    expect(await ask(`[${one}]`)).toMatchObject([{ id: 1, result: {} }])
    for (const [sent, status, code] of [
      [send(`[${one},${one.replace('1', '2')}]`), 400, -32_600],
      [send('{"jsonrpc":'), 400, -32_700],
      [send('{"id":1}'), 400, -32_600],
      [send('[]'), 400, -32_600],
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
    for (const uri of ['memo://one/missing', 'other://x'])
      expect(await ask({ id: 3, method: 'resources/read', params: { uri } })).toMatchObject([
        { id: 3, error: { code: -32_002, data: { uri } } },
      ])
    const outputSchema = expect.objectContaining({ type: 'object', required: ['result'] }) as object
    const listed = expect.objectContaining({ name: 'one__list', outputSchema }) as object
    const [{ result } = {}] = await ask({ id: 3, method: 'tools/list' })
    expect((result as { tools: object[] }).tools).toContainEqual(listed)
    const call = { id: 4, method: 'tools/call', params: { name: 'one__list' } }
    const structuredContent = { result: [1, 2] }
    expect(await ask(call)).toMatchObject([{ result: { structuredContent } }])
  })

  it('are no more than 64 for an agent, of which the one that rested longest ends', async () => {
    await bench.open({ agentRate: 100_000 })
    const { key } = await bench.start()
    const other = await bench.session((await bench.addAgent('Bob')).key)
    const first = await bench.session(key)
    const second = await bench.session(key)
    // It rests as long as it is not used, not as long as it is there.
    expect((await first.send(ping)).status).toBe(200)
    for (let count = 2; count <= 64; count += 1) await bench.session(key)
    expect((await second.send(ping)).status).toBe(404)
    expect((await first.send(ping)).status).toBe(200)
    expect((await other.send(ping)).status).toBe(200)
  })

  it('count calls that were left until they are over', async () => {
    await bench.open({ agentCalls: 1 })
    const { key, ids } = await bench.start('one')
    const other = bench.stateless((await bench.addAgent('Bob')).key)
    const own: RawAgent = await bench.session(key)
    const echo = ({ send } = own, args = {}, init = {}): Promise<Response> =>
      send({ id: 1, method: 'tools/call', params: { name: 'one__echo', arguments: args } }, init)
    const leaving = new AbortController()
    const left = echo(own, { until: 'go on' }, { signal: leaving.signal })
    await expect.poll(() => bench.inFlight(ids[0]), POLL).toBe(1)
    const connections = async (): Promise<number> =>
      (await bench.desk.call('app.snapshot', {})).agents.agents[0]?.connections ?? 0
    const before = await connections()
    leaving.abort()
    await expect(left).rejects.toThrow()
    await expect.poll(connections, POLL).toBe(before - 1)
    expect((await echo()).status).toBe(429)
    await echo(other, { value: 'go on' })
    await expect.poll(async () => (await echo()).status, POLL).toBe(200)
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

describe('D6 sessions as time passes', () => {
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

  const begin = async (): Promise<string> => {
    const params = { protocolVersion: '2025-11-25', capabilities: {} }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
    return String((await door.ask({ body })).headers['mcp-session-id'])
  }
  const statusOf = async (session: string): Promise<number> => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    return (await door.ask({ body, headers: { 'mcp-session-id': session } })).status
  }
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
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} })
    const call = door.ask({ body, headers: { 'mcp-session-id': session } })
    await expect.poll(() => called).toBe(1)
    endpoint.closeAgent('anna')
    expect(await stream.text()).toBe('')
    expect((await call).text).toBe('')
    expect(await statusOf(session)).toBe(404)
    expect(clock.waiting).toBe(0)
  })
})
