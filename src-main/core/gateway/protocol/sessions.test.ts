import { afterEach, describe, expect, it } from 'vitest'

import { AgentBench, messagesOf } from '../../../../e2e/fixtures/agent-bench'
import { POLL } from '../../../../e2e/fixtures/tool-desk'

const bench = new AgentBench()
afterEach(() => bench.close())

const ping = { id: 1, method: 'ping' }
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

const initialize = (protocolVersion: string): object => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '7' } },
})

describe('D6 sessions of agents', () => {
  it.each(VERSIONS)('begin in the version that the agent names, as %s', async (version) => {
    const { key } = await bench.start('one')
    const answer = await bench.post(key, initialize(version))
    const [message] = await messagesOf(answer)
    const usage = /Available servers: one\.[^]*instructions: Use one with care/u
    expect(message).toMatchObject({
      id: 0,
      result: {
        protocolVersion: version,
        serverInfo: { name: 'patchbay', title: 'Patchbay' },
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
        instructions: expect.stringMatching(usage) as string,
      },
    })
    const session = answer.headers.get('mcp-session-id') ?? ''
    expect(session).toMatch(/^[0-9a-f-]{36}$/u)
    const pong = await bench.post(key, ping, { headers: { 'mcp-session-id': session } })
    expect(await messagesOf(pong)).toMatchObject([{ id: 1, result: {} }])
    const { agents } = (await bench.desk.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
  })

  it('are answered the latest version with sessions where the agent names another', async () => {
    const { key } = await bench.start()
    const [message] = await messagesOf(await bench.post(key, initialize('1999-01-01')))
    expect(message).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  })

  it('belong to their agent: no other finds one by its id', async () => {
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
  })

  it('end with DELETE, and are over then', async () => {
    const { key } = await bench.start()
    const { send } = await bench.session(key)
    expect((await send(undefined, { method: 'DELETE' })).status).toBe(200)
    expect((await send(ping)).status).toBe(404)
    expect((await send(ping, { headers: { 'mcp-session-id': 'unknown' } })).status).toBe(404)
  })

  it('begin with initialize: nothing else is answered without one', async () => {
    const { key } = await bench.start()
    const answer = await bench.post(key, ping)
    expect(answer.status).toBe(400)
    const message = expect.stringContaining('initialize') as string
    expect(await answer.json()).toMatchObject({ error: { message } })
    const stream = await bench.post(key, undefined, { method: 'GET' })
    expect(stream.status).toBe(400)
    await stream.text()
  })

  it('take a batch of one as that one, and no batch of more requests', async () => {
    const { key } = await bench.start()
    const { send, ask } = await bench.session(key)
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    expect(await ask(`[${message}]`)).toMatchObject([{ id: 1, result: {} }])
    const refused = await send(`[${message},${message.replace('1', '2')}]`)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32_600 } })
  })

  it('refuse what is no message, a version that nobody speaks, and answers that nobody reads', async () => {
    const { key } = await bench.start()
    const { send } = await bench.session(key)
    const broken = await send('{"jsonrpc":')
    expect(broken.status).toBe(400)
    expect(await broken.json()).toMatchObject({ id: null, error: { code: -32_700 } })
    const statuses = [
      send('{"id":1}'),
      send('[]'),
      send(ping, { headers: { 'mcp-protocol-version': '1999-01-01' } }),
      send(ping, { headers: { accept: 'text/plain' } }),
      send({ method: 'notifications/initialized' }),
      send(ping),
    ].map(async (answer) => (await answer).status)
    expect(await Promise.all(statuses)).toEqual([400, 400, 400, 406, 202, 200])
  })

  it('tell of a resource that is not there by the code of the era', async () => {
    const { key } = await bench.start('one')
    const { ask } = await bench.session(key)
    for (const uri of ['memo://one/missing', 'other://x'])
      expect(await ask({ id: 3, method: 'resources/read', params: { uri } })).toMatchObject([
        { id: 3, error: { code: -32_002, data: { uri } } },
      ])
  })

  it('get results that are no objects in the way of the era', async () => {
    const { key } = await bench.start('one')
    const { ask } = await bench.session(key)
    const [{ result } = {}] = await ask({ id: 3, method: 'tools/list' })
    const { tools } = result as { tools: { name: string; outputSchema?: object }[] }
    expect(tools.find(({ name }) => name === 'one__list')?.outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array' } },
    })
    for (const _meta of [{}, { progressToken: 1 }]) {
      const call = { id: 4, method: 'tools/call', params: { name: 'one__list', _meta } }
      const structuredContent = { result: [1, 2] }
      expect(await ask(call)).toMatchObject([{ result: { structuredContent } }])
    }
  })

  it('close the stream of a call that is cancelled, without an answer', async () => {
    const { key, ids } = await bench.start('one')
    const { send, ask } = await bench.session(key)
    const args = { name: 'one__echo', arguments: { ms: 60_000 } }
    const params = { ...args, _meta: { progressToken: 'p' } }
    const asked = ask({ id: 'c', method: 'tools/call', params })
    const inFlight = (): number => bench.desk.session(ids[0] ?? '').inFlight
    await expect.poll(inFlight, POLL).toBe(1)
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 'c' } }
    expect((await send(cancelled)).status).toBe(202)
    expect(await asked).toEqual([])
    expect(inFlight()).toBe(0)
  })

  it('end with the removal of their agent, with what is under way and their streams', async () => {
    const { key, agentId, ids } = await bench.start('one')
    await bench.addAgent('Bob')
    const { send } = await bench.session(key)
    const stream = await send(undefined, { method: 'GET' })
    expect(stream.status).toBe(200)
    const params = { name: 'one__echo', arguments: { ms: 60_000 } }
    const asked = send({ id: 2, method: 'tools/call', params }).catch(() => 'cut')
    const inFlight = (): number => bench.desk.session(ids[0] ?? '').inFlight
    await expect.poll(inFlight, POLL).toBe(1)
    await bench.desk.call('agent.remove', { agentId })
    await stream.text().catch(() => 'cut')
    expect(await asked).toBe('cut')
    await expect.poll(inFlight, POLL).toBe(0)
  })

  it('are no more than 64 for an agent, of which the one that rested longest ends', async () => {
    await bench.open({ agentRate: 100_000 })
    const { key } = await bench.start()
    const { key: otherKey } = await bench.addAgent('Bob')
    const other = await bench.session(otherKey)
    const first = await bench.session(key)
    const second = await bench.session(key)
    // It rests as long as it is not used, not as long as it is there.
    expect((await first.send(ping)).status).toBe(200)
    for (let count = 2; count <= 64; count += 1) await bench.session(key)
    expect((await second.send(ping)).status).toBe(404)
    expect((await first.send(ping)).status).toBe(200)
    expect((await other.send(ping)).status).toBe(200)
  })

  // The second way is taken by calls that need a stream.
  it.each([
    ['as JSON', undefined],
    ['as a stream', { progressToken: 1 }],
  ])('have calls that were left under way until they are over, %s', async (_way, meta) => {
    await bench.open({ agentCalls: 2 })
    const { key } = await bench.start('one')
    const { send } = await bench.session(key)
    const call = (ms: number): object => {
      const params = { name: 'one__echo', arguments: { ms, value: 1 }, _meta: meta }
      return { id: ms, method: 'tools/call', params }
    }
    for (const ms of [4_000, 4_001]) {
      const leaving = new AbortController()
      const sent = send(call(ms), { signal: leaving.signal })
      // What is answered at once tells that the call before it has come.
      await (await send({ method: 'notifications/nothing' })).text()
      leaving.abort()
      await sent.then((answer) => answer.text()).catch(() => undefined) // it was left
    }
    const next = async (): Promise<number> => {
      const answer = await send(call(0))
      await answer.text()
      return answer.status
    }
    await expect.poll(next, { ...POLL, interval: 100 }).toBe(429)
    await expect.poll(next, { timeout: 15_000, interval: 200 }).toBe(200)
  })
})
