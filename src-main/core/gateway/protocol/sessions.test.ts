import { once } from 'node:events'

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'

import { GatewayHarness, messagesOf } from '../../../../e2e/fixtures/gateway-harness'
import { ListenerHarness, PROFILE } from '../../../../e2e/fixtures/listener-harness'
import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
import { NO_SERVERS } from '../../../../e2e/fixtures/no-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { Profile, untilConnected } from '../../../../e2e/fixtures/tools-harness'
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

describe('D6: sessions of agents', () => {
  const gateway = new GatewayHarness()
  afterEach(() => gateway.close())

  it('use the version that the agent requests, or the latest one', async () => {
    const { key } = await gateway.start('one')
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01']) {
      const answer = await gateway.post(key, initialize(version))
      const usage = /Available servers: one\.[^]*Server one \(one\):\n```text\nUse one with care/u
      const result = {
        protocolVersion: version === '1999-01-01' ? '2025-11-25' : version,
        serverInfo: { name: 'patchbay', title: 'Patchbay' },
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
        instructions: expect.stringMatching(usage) as string,
      }
      expect(await messagesOf(answer)).toMatchObject([{ id: 0, result }])
      const session = answer.headers.get('mcp-session-id') ?? ''
      // Visible ASCII (MCP, session management).
      expect(session).toMatch(/^[\w.-]{80,120}$/u)
      const pong = await gateway.post(key, ping, { headers: { 'mcp-session-id': session } })
      expect(await messagesOf(pong)).toMatchObject([{ id: 1, result: {} }])
    }
    const { agents } = (await gateway.harness.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
  })

  it('belong to their agent, and end with DELETE', async () => {
    const { key } = await gateway.start()
    const { key: otherKey } = await gateway.addAgent('Mallory')
    const { send, sessionId } = await gateway.session(key)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const headers = { 'mcp-session-id': sessionId }
      const message = method === 'POST' ? ping : undefined
      const answer = await gateway.post(otherKey, message, { headers, method })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { code: -32_001 } })
    }
    expect((await send(ping)).status).toBe(200)
    expect((await send(undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await send(ping)).status).toBe(404)
  })

  it("reject invalid messages, batches of requests, and methods that a session doesn't have", async () => {
    const { key } = await gateway.start()
    const { send, ask } = await gateway.session(key)
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
      [gateway.post(key, ping), 400, -32_000],
      [gateway.post(key, undefined, { method: 'GET' }), 400, -32_000],
    ] as const) {
      const answer = await sent
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { code } })
    }
    expect((await send({ method: 'notifications/initialized' })).status).toBe(202)
  })

  it('report missing resources and non-object results as their protocol version does', async () => {
    const { key } = await gateway.start('one')
    const { ask } = await gateway.session(key)
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

/** Makes a listing whose tools are a new object. */
const newListing = (): AgentListing => ({
  ...{ servers: [], callable: [], prompts: [], resources: [], templates: [], definitions: [] },
  ...{ sharedNames: new Map(), uiOwners: new Map(), byName: new Map(), hidden: new Map() },
  overCap: 0,
})
const nobody = (): never => {
  throw new Error('There is no server.')
}

describe('F7: sessions after a restart of Patchbay', () => {
  const gateway = new GatewayHarness()
  afterEach(() => gateway.close())

  it('continue silently, and get a change notification for all lists', async () => {
    const profile = new Profile()
    onTestFinished(() => profile.close())
    await gateway.reopen(profile)
    const { key } = await gateway.start()
    const { sessionId, ask } = await gateway.session(key, { version: '2025-03-26' })
    await gateway.reopen(profile)
    await gateway.untilOpen()
    expect(await ask(ping)).toMatchObject([{ id: 1, result: {} }])
    const headers = { 'mcp-session-id': sessionId }
    const { body } = await gateway.post(key, undefined, { method: 'GET', headers })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('resources/list_changed')) text += (await reader?.read())?.value ?? ''
    expect(text).toContain('tools/list_changed')
    expect(text).toContain('prompts/list_changed')
    await reader?.cancel()
  })

  it('restore subscriptions to log messages and resources', async () => {
    const profile = new Profile()
    onTestFinished(() => profile.close())
    await gateway.reopen(profile)
    const id = await gateway.addServer('one')
    const { key } = await gateway.start()
    const { sessionId, ask } = await gateway.session(key)
    const uri = 'memo://one'
    await ask({ id: 1, method: 'logging/setLevel', params: { level: 'error' } })
    await ask({ id: 2, method: 'resources/subscribe', params: { uri } })
    await gateway.reopen(profile)
    await gateway.untilOpen()
    await untilConnected(gateway.harness, id)
    const headers = { 'mcp-session-id': sessionId }
    const { body } = await gateway.post(key, undefined, { method: 'GET', headers })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    await expect.poll(() => gateway.logged(id, `watches ${uri}`)).toHaveLength(1)
    await expect.poll(() => gateway.logged(id, 'level error')).toHaveLength(1)
    const touch = { name: 'one__touch', arguments: { uri } }
    await ask({ id: 3, method: 'tools/call', params: touch })
    let text = ''
    // One update because the resource may have changed meanwhile, and one because it did.
    while (text.split('resources/updated').length < 3) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
  })

  it('are rejected if the agent ended them, has another key, or never had them', async () => {
    const profile = new Profile()
    onTestFinished(() => profile.close())
    await gateway.reopen(profile)
    const { key, agentId } = await gateway.start()
    const { key: otherKey } = await gateway.addAgent('Mallory')
    const ended = await gateway.session(key)
    await ended.send(undefined, { method: 'DELETE' })
    const kept = await gateway.session(key)
    await gateway.reopen(profile)
    await gateway.untilOpen()
    const statusOf = async (sessionId: string, by = key): Promise<number> =>
      (await gateway.post(by, ping, { headers: { 'mcp-session-id': sessionId } })).status
    const forged = kept.sessionId.replace(/^./u, (first) => (first === 'a' ? 'b' : 'a'))
    expect(await statusOf(ended.sessionId)).toBe(404)
    expect(await statusOf(forged)).toBe(404)
    expect(await statusOf(kept.sessionId, otherKey)).toBe(404)
    expect(await statusOf(kept.sessionId)).toBe(200)
    const { key: renewed } = await gateway.harness.call('agent.renewKey', { agentId })
    // Connections with the old key were cut.
    const later = (): Promise<number> => statusOf(kept.sessionId, renewed).catch(() => 0)
    await expect.poll(later).toBe(404)
  })
})

describe('D6: sessions at the endpoint', () => {
  let harness: ListenerHarness
  let clock: ManualClock
  let listing: AgentListing
  let endpoint: AgentEndpoint
  let called = 0
  /** Abort reasons of the calls, and the promise that each waits for then. */
  let given: unknown[] = []
  let goesOn: Promise<undefined> | undefined
  beforeEach(async () => {
    ;[called, given, goesOn] = [0, [], undefined]
    clock = new ManualClock()
    listing = newListing()
    harness = await new ListenerHarness(tempFolder('rest')).open()
    endpoint = new AgentEndpoint(
      {
        listings: { of: () => listing, nameOf: (id) => id },
        calls: {
          handle: async (_request, { signal }) => {
            called += 1
            await once(signal, 'abort')
            given.push(signal.reason)
            await goesOn
            return writtenResult({})
          },
          routeOf: nobody,
        },
        servers: NO_SERVERS,
        watches: { add: nobody },
        tools: { usageOf: () => undefined },
        presence: { named: () => undefined },
      },
      { version: '0', profileDir: tempFolder('sessions') },
      clock,
    )
    harness.answer = (exchange) => endpoint.serve(exchange)
  })
  afterEach(async () => {
    endpoint.close()
    expect(harness.faults).toEqual([])
    await harness.close()
  })

  const ask = (
    message: object,
    session?: string,
    key = harness.key,
  ): ReturnType<ListenerHarness['ask']> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return harness.ask({ key, body, headers: { 'mcp-session-id': session } })
  }
  const begin = async (key?: string): Promise<string> => {
    const { headers } = await ask(initialize('2025-11-25'), undefined, key)
    return String(headers['mcp-session-id'])
  }
  const statusOf = async (session: string, key?: string): Promise<number> =>
    (await ask(ping, session, key)).status
  /** Sends a call on its own connection. */
  const sendCall = (session: string, ...lines: string[]): ReturnType<ListenerHarness['send']> => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
    const own = [`Mcp-Session-Id: ${session}`, `Content-Length: ${call.length}`]
    return harness.send(harness.head(...own, ...lines) + call)
  }
  const listen = (
    session: string,
    signal: AbortSignal | null = null,
    key = harness.key,
  ): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, 'mcp-session-id': session }
    return fetch(harness.listener.url, { headers, signal })
  }
  /** Ends a session; resolves to whether it had to be resumed first, which reports all lists as changed. */
  const wasResumed = async (session: string, key?: string): Promise<boolean> => {
    const stream = await listen(session, null, key)
    expect(stream.status).toBe(200)
    const ended = await harness.ask({
      method: 'DELETE',
      key,
      headers: { 'mcp-session-id': session },
    })
    expect(ended.status).toBe(200)
    return (await stream.text()).includes('tools/list_changed')
  }

  it('are notified of changes every few seconds, including the last one, and immediately after a quiet time (F9)', async () => {
    const { body } = await listen(await begin())
    let text = ''
    const read = async (): Promise<void> => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString()
    }
    read().catch(() => undefined) // The stream was cut.
    const notified = (): number => text.split('notifications/tools/list_changed').length - 1
    const change = (): void => {
      listing = newListing()
      endpoint.changed()
    }
    for (let count = 0; count < 100; count += 1) {
      change()
      clock.pass(200)
    }
    // Within 20 s: after 0, 0.2, 0.6, 1.4 and 3 s, then every 3 s.
    await expect.poll(notified).toBe(10)
    clock.pass(SESSION_IDLE_MS / 100)
    await expect.poll(notified).toBe(11)
    for (const count of [12, 13]) {
      change()
      await expect.poll(notified).toBe(count)
      clock.pass(200)
    }
  })

  it('are limited to 64 per agent, and the longest idle one is suspended until its next request', async () => {
    const { key } = await harness.agents.add('Bert', PROFILE)
    const other = await begin(key)
    const [first, second] = [await begin(), await begin()]
    clock.pass(1)
    // Idle time counts since the last use, not since the start.
    expect(await statusOf(first)).toBe(200)
    for (let count = 2; count <= 64; count += 1) await begin()
    expect([await wasResumed(first), await wasResumed(other, key)]).toEqual([false, false])
    expect(await wasResumed(second)).toBe(true)
  })

  it('cancel a call whose agent left, and count it until it ends', async () => {
    Object.assign(harness.limits, { agentCalls: 1 })
    const session = await begin()
    const end = Promise.withResolvers<undefined>()
    goesOn = end.promise
    const { socket } = await sendCall(session)
    await expect.poll(() => called).toBe(1)
    socket.destroy()
    await expect.poll(() => given).toEqual(['The agent disconnected.'])
    const later = statusOf(session)
    await expect.poll(() => harness.listener.connectionsOf('anna')).toBe(1)
    end.resolve(undefined)
    expect(await later).toBe(200)
  })

  it('are suspended an hour after their last request or stream, and not earlier', async () => {
    const used = await begin()
    const left = await begin()
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect(await statusOf(used)).toBe(200)
    clock.pass(SESSION_IDLE_MS * 0.75)
    expect(await wasResumed(left)).toBe(true)
    const leave = new AbortController()
    expect((await listen(used, leave.signal)).status).toBe(200)
    clock.pass(SESSION_IDLE_MS * 10)
    leave.abort()
    const waiting = (): number => {
      clock.pass(SESSION_IDLE_MS * 2)
      return clock.waiting
    }
    // The timer ends with the last session.
    await expect.poll(waiting).toBe(0)
    expect(await wasResumed(used)).toBe(true)
  })

  it('end with their streams and calls when the agent is removed, and leave no timer', async () => {
    const session = await begin()
    const stream = await listen(session)
    const call = ask({ id: 1, method: 'tools/call' }, session)
    await expect.poll(() => called).toBe(1)
    endpoint.closeAgent('anna')
    expect(await stream.text()).toBe('')
    expect((await call).text).toBe('')
    expect(clock.waiting).toBe(0)
    expect(await wasResumed(session)).toBe(true)
  })

  it('are opened by initialize with any session ID (F7)', async () => {
    const live = await begin()
    for (const stale of ['', live, '0b0e7c3e-0000-4000-8000-000000000000', 'ü'.normalize('NFKD')]) {
      const { status, headers } = await ask(initialize('2025-06-18'), encodeURI(stale))
      expect(status).toBe(200)
      expect(headers['mcp-session-id']).not.toBe(live)
      expect(await statusOf(String(headers['mcp-session-id']))).toBe(200)
    }
    expect(await statusOf(live)).toBe(200)
  })

  it('serve the newest of their streams, with everything from a half-open older one (F7)', async () => {
    const session = await begin()
    const older = await listen(session)
    listing = newListing()
    endpoint.changed()
    const newest = await listen(session)
    expect(newest.status).toBe(200)
    // The older stream ends with everything that it was sent.
    expect(await older.text()).toContain('notifications/tools/list_changed')
    clock.pass(SESSION_IDLE_MS / 2)
    listing = newListing()
    endpoint.changed()
    const ended = await harness.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
    expect(ended.status).toBe(200)
    expect((await newest.text()).split('notifications/tools/list_changed')).toHaveLength(3)
  })

  it('keep changes for the next stream if none is open', async () => {
    const session = await begin()
    listing = newListing()
    endpoint.changed()
    const stream = await listen(session)
    endpoint.closeAgent('anna')
    expect(await stream.text()).toContain('notifications/tools/list_changed')
  })
})
