import { afterEach, describe, expect, it, onTestFinished } from 'vitest'

import {
  AgentBench,
  messagesOf,
  STATELESS,
  statelessMeta,
  textOf,
} from '../../../../e2e/fixtures/agent-bench'
import { Offer, untilServing } from '../../../../e2e/fixtures/tool-desk'

const bench = new AgentBench()
afterEach(() => bench.close())

describe('D6 single requests of agents (2026-07-28)', () => {
  it('discover the gateway, and get lists that hold for a second, without a session', async () => {
    const { key } = await bench.start('one')
    const answer = await bench.stateless(key).send({ id: 'a', method: 'server/discover' })
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect(await messagesOf(answer)).toMatchObject([
      {
        id: 'a',
        result: {
          resultType: 'complete',
          supportedVersions: [STATELESS],
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
          instructions: expect.stringContaining('Available servers: one.') as string,
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'patchbay' } },
        },
      },
    ])
    const { agents } = (await bench.desk.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
    for (const list of ['tools', 'prompts', 'resources', 'resources/templates'])
      expect(await bench.stateless(key).ask({ id: 'a', method: `${list}/list` })).toMatchObject([
        { result: { resultType: 'complete', ttlMs: 1_000, cacheScope: 'private' } },
      ])
  })

  it('are refused with headers that are missing or say something else', async () => {
    const { key } = await bench.start('one')
    const { send } = bench.stateless(key)
    const params = { name: 'one__echo', arguments: {} }
    const call = { id: 'a', method: 'tools/call', params }
    for (const headers of [
      { 'mcp-method': undefined },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': undefined },
      { 'mcp-name': 'one__log' },
      { 'mcp-protocol-version': undefined },
      { 'mcp-protocol-version': '2025-11-25' },
    ]) {
      const answer = await send(call, { headers })
      expect(answer.status, JSON.stringify(headers)).toBe(400)
      expect(await answer.json()).toMatchObject({ id: 'a', error: { code: -32_020 } })
    }
    expect((await send(call)).status).toBe(200)
  })

  it('are refused in a version that nobody speaks, and for what the era has not', async () => {
    const { key } = await bench.start()
    const version = '2030-01-01'
    const _meta = { ...statelessMeta(), 'io.modelcontextprotocol/protocolVersion': version }
    const headers = { 'mcp-protocol-version': version }
    const message = { id: 'a', method: 'tools/list', params: { _meta } }
    const unknown = await bench.stateless(key).send(message, { headers })
    expect(unknown.status).toBe(400)
    expect(await unknown.json()).toMatchObject({ error: { data: { supported: [STATELESS] } } })
    const params = { uri: 'memo://one', level: 'info' }
    for (const method of ['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'x/y']) {
      const answer = await bench.stateless(key).send({ id: 'a', method, params })
      expect(answer.status, method).toBe(404)
      expect(await answer.json(), method).toMatchObject({ error: { code: -32_601 } })
    }
  })

  it('are refused where a parameter and its header differ', async () => {
    const { key } = await bench.start()
    const properties = {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
    }
    const offer = new Offer({
      tools: [{ name: 'place', inputSchema: { type: 'object', properties } }],
    })
    onTestFinished(() => offer.close())
    await untilServing(bench.desk, await bench.desk.install(offer.server, { name: 'shop' }))
    const params = { name: 'shop__place', arguments: { region: 'süd', count: 10 } }
    const region = { 'mcp-param-region': '=?base64?c8O8ZA==?=' }
    const place = async (headers: Record<string, string>): Promise<Response> =>
      bench.stateless(key).send({ id: 'a', method: 'tools/call', params }, { headers })
    const [right] = await messagesOf(await place({ ...region, 'mcp-param-count': '10.0' }))
    const called = '{"name":"place","arguments":{"region":"süd","count":10}}'
    expect(textOf((right as { result: Record<string, unknown> }).result)).toBe(called)
    for (const headers of [
      region,
      { ...region, 'mcp-param-count': '11' },
      { 'mcp-param-count': '10', 'mcp-param-region': 'sud' },
    ]) {
      const answer = await place(headers)
      expect(answer.status, JSON.stringify(headers)).toBe(400)
      expect(await answer.json()).toMatchObject({ id: 'a', error: { code: -32_020 } })
    }
  })

  it('are refused where they want to hear of more resources than can be watched', async () => {
    const { key } = await bench.start()
    const leave = new AbortController()
    const listen = (count: number): Promise<Response> => {
      const uris = Array.from({ length: count }, (_, at) => `memo://${String(at)}`)
      const params = { notifications: { resourceSubscriptions: uris } }
      const message = { id: 'a', method: 'subscriptions/listen', params }
      return bench.stateless(key).send(message, { signal: leave.signal })
    }
    const message = 'At most 1000 resources can be subscribed to; got 1001.'
    const error = { code: -32_602, message }
    expect(await (await listen(1_001)).json()).toEqual({ jsonrpc: '2.0', id: 'a', error })
    expect((await listen(1_000)).headers.get('content-type')).toBe('text/event-stream')
    leave.abort()
  })
})
