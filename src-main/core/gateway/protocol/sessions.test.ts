import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, messagesOf } from '../../../../e2e/fixtures/agent-bench'
import { POLL } from '../../../../e2e/fixtures/tool-desk'

let bench = new AgentBench()
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

const initialize = (protocolVersion: string): object => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '7' } },
})
const ping = { id: 1, method: 'ping' }

const inSession = (session: string, more: object = {}): RequestInit => ({
  headers: { 'mcp-session-id': session, ...more },
})

async function begin(key: string, version = '2025-11-25'): Promise<string> {
  const answer = await bench.post(key, initialize(version))
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}

describe('D6 sessions of agents', () => {
  it.each(VERSIONS)('begin in the version that the agent names, as %s', async (version) => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const answer = await bench.post(key, initialize(version))
    const [message] = await messagesOf(answer)
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
        instructions: expect.stringMatching(
          /Available servers: one\.[^]*instructions: Use one with care/u,
        ) as string,
      },
    })
    const session = answer.headers.get('mcp-session-id') ?? ''
    expect(session).toMatch(/^[0-9a-f-]{36}$/u)
    const [pong] = await messagesOf(await bench.post(key, ping, inSession(session)))
    expect(pong).toMatchObject({ id: 1, result: {} })
    const { agents } = (await bench.desk.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
  })

  it('are answered the latest version of the era where the agent names another', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const [message] = await messagesOf(await bench.post(key, initialize('1999-01-01')))
    expect(message).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  })

  it('belong to their agent: no other finds one by its id', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const { key: otherKey } = await bench.addAgent('Mallory')
    const session = await begin(key)
    for (const method of ['POST', 'GET', 'DELETE']) {
      const message = method === 'POST' ? ping : undefined
      const answer = await bench.post(otherKey, message, { ...inSession(session), method })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { code: -32_001 } })
    }
    expect((await bench.post(key, ping, inSession(session))).status).toBe(200)
  })

  it('end with DELETE, and are over then', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const ended = await bench.post(key, undefined, { ...inSession(session), method: 'DELETE' })
    expect(ended.status).toBe(200)
    expect((await bench.post(key, ping, inSession(session))).status).toBe(404)
    expect((await bench.post(key, ping, inSession('unknown'))).status).toBe(404)
  })

  it('begin with initialize: nothing else is answered without one', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const answer = await bench.post(key, ping)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining('initialize') as string },
    })
    const stream = await bench.post(key, undefined, { method: 'GET' })
    expect(stream.status).toBe(400)
    await stream.text()
  })

  it('take a batch of one as that one, and no batch of more requests', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const sent = (body: string): Promise<Response> =>
      bench.post(key, undefined, {
        ...inSession(session, { 'content-type': 'application/json' }),
        body,
      })
    const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    expect(await messagesOf(await sent(`[${message}]`))).toMatchObject([{ id: 1, result: {} }])
    const refused = await sent(`[${message},${message.replace('1', '2')}]`)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ id: null, error: { code: -32_600 } })
  })

  it('refuse what is no message, a version that nobody speaks, and answers that nobody reads', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const send = async (init: RequestInit, message: object = ping): Promise<number> => {
      const answer = await bench.post(key, message, init)
      await answer.text()
      return answer.status
    }
    const json = { 'content-type': 'application/json' }
    const text = (body: string): RequestInit => ({ ...inSession(session, json), body })
    const broken = await bench.post(key, undefined, text('{"jsonrpc":'))
    expect(broken.status).toBe(400)
    expect(await broken.json()).toMatchObject({ id: null, error: { code: -32_700 } })
    expect(await send(text('{"id":1}'))).toBe(400)
    expect(await send(text('[]'))).toBe(400)
    expect(await send(inSession(session, { 'mcp-protocol-version': '1999-01-01' }))).toBe(400)
    expect(await send(inSession(session, { accept: 'text/plain' }))).toBe(406)
    expect(await send(inSession(session), { method: 'notifications/initialized' })).toBe(202)
    expect(await send(inSession(session))).toBe(200)
  })

  it('tell of a resource that is not there by the code of the era', async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    for (const uri of ['memo://one/missing', 'other://x']) {
      const read = { id: 3, method: 'resources/read', params: { uri } }
      expect(await messagesOf(await bench.post(key, read, inSession(session)))).toMatchObject([
        { id: 3, error: { code: -32_002, data: { uri } } },
      ])
    }
  })

  it('get results that are no objects in the way of the era', async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const list = { id: 3, method: 'tools/list' }
    const [{ result } = {}] = await messagesOf(await bench.post(key, list, inSession(session)))
    const { tools } = result as { tools: { name: string; outputSchema?: object }[] }
    expect(tools.find(({ name }) => name === 'one__list')?.outputSchema).toMatchObject({
      type: 'object',
      properties: { result: { type: 'array' } },
    })
    for (const _meta of [{}, { progressToken: 1 }]) {
      const call = { id: 4, method: 'tools/call', params: { name: 'one__list', _meta } }
      expect(await messagesOf(await bench.post(key, call, inSession(session)))).toMatchObject([
        { result: { structuredContent: { result: [1, 2] } } },
      ])
    }
  })

  it('close the stream of a call that is cancelled, without an answer', async () => {
    await bench.open()
    const id = await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const session = await begin(key)
    const params = {
      ...{ name: 'one__echo', arguments: { ms: 60_000 } },
      _meta: { progressToken: 'p' },
    }
    const asked = bench.post(key, { id: 'c', method: 'tools/call', params }, inSession(session))
    await expect.poll(() => bench.desk.session(id).inFlight, POLL).toBe(1)
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 'c' } }
    expect((await bench.post(key, cancelled, inSession(session))).status).toBe(202)
    expect(await messagesOf(await asked)).toEqual([])
    expect(bench.desk.session(id).inFlight).toBe(0)
  })

  it('end with the removal of their agent, with what is under way and their streams', async () => {
    await bench.open()
    const id = await bench.addServer('one')
    const { key, agentId } = await bench.addAgent('Anna')
    await bench.addAgent('Bob')
    const session = await begin(key)
    const stream = await bench.post(key, undefined, { ...inSession(session), method: 'GET' })
    expect(stream.status).toBe(200)
    const params = { name: 'one__echo', arguments: { ms: 60_000 } }
    const call = { id: 2, method: 'tools/call', params }
    const asked = bench
      .post(key, call, inSession(session))
      .then((answer) => answer.text())
      .catch(() => 'cut')
    await expect.poll(() => bench.desk.session(id).inFlight, POLL).toBe(1)
    await bench.desk.call('agent.remove', { agentId })
    await expect(stream.text()).rejects.toThrow()
    expect(await asked).toBe('cut')
    await expect.poll(() => bench.desk.session(id).inFlight, POLL).toBe(0)
  })

  it('are no more than 64 for an agent, of which the one that rested longest ends', async () => {
    await bench.open({ agentRate: 100_000 })
    const { key } = await bench.addAgent('Anna')
    const { key: otherKey } = await bench.addAgent('Bob')
    const other = await begin(otherKey)
    const first = await begin(key)
    const second = await begin(key)
    // It rests as long as it is not used, not as long as it is there.
    expect((await bench.post(key, ping, inSession(first))).status).toBe(200)
    for (let count = 2; count <= 64; count += 1) await begin(key)
    expect((await bench.post(key, ping, inSession(second))).status).toBe(404)
    expect((await bench.post(key, ping, inSession(first))).status).toBe(200)
    expect((await bench.post(otherKey, ping, inSession(other))).status).toBe(200)
  })
})
