import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AgentBench, messagesOf, textOf } from '../../../../e2e/fixtures/agent-bench'
import { Offer, POLL } from '../../../../e2e/fixtures/tool-desk'

let bench = new AgentBench()
beforeEach(() => {
  bench = new AgentBench()
})
afterEach(() => bench.close())

const VERSION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '7' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Sent = { readonly headers?: Record<string, string | undefined>; readonly signal?: AbortSignal }

async function send(
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, signal }: Sent = {},
): Promise<Response> {
  const { name = params.uri } = params
  const usual = {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  }
  const given = Object.entries<string | undefined>(usual).filter(([, value]) => value !== undefined)
  const message = { id: 'a', method, params: { _meta: META, ...params } }
  const init = { headers: Object.fromEntries(given) as Record<string, string> }
  return bench.post(key, message, { ...init, ...(signal && { signal }) })
}

describe('D6 single requests of agents (2026-07-28)', () => {
  it('discover the gateway, and need no session', async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const answer = await send(key, 'server/discover')
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    expect(await messagesOf(answer)).toMatchObject([
      {
        id: 'a',
        result: {
          resultType: 'complete',
          supportedVersions: [VERSION],
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
          instructions: expect.stringContaining('Available servers: one.') as string,
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'patchbay' } },
        },
      },
    ])
    const { agents } = (await bench.desk.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
  })

  it('get lists that are their own, and hold for a second', async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ])
      expect(await messagesOf(await send(key, method))).toMatchObject([
        { result: { resultType: 'complete', ttlMs: 1_000, cacheScope: 'private' } },
      ])
  })

  it('are refused with headers that are missing or say something else', async () => {
    await bench.open()
    await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const call = { name: 'one__echo', arguments: {} }
    const mismatch = { status: 400, code: -32_020 }
    const refused: [Sent['headers'], Record<string, unknown>][] = [
      [{ 'mcp-method': undefined }, mismatch],
      [{ 'mcp-method': 'tools/list' }, mismatch],
      [{ 'mcp-name': undefined }, mismatch],
      [{ 'mcp-name': 'one__log' }, mismatch],
      [{ 'mcp-protocol-version': undefined }, mismatch],
      [{ 'mcp-protocol-version': '2025-11-25' }, mismatch],
    ]
    for (const [headers, { status, code }] of refused) {
      const answer = await send(key, 'tools/call', call, { headers: headers ?? {} })
      expect(answer.status, JSON.stringify(headers)).toBe(status)
      expect(await answer.json()).toMatchObject({ id: 'a', error: { code } })
    }
    expect((await send(key, 'tools/call', call)).status).toBe(200)
  })

  it('are refused in a version that nobody speaks, with those that are spoken', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    const headers = { 'mcp-protocol-version': '2030-01-01' }
    const answer = await send(key, 'tools/list', { _meta }, { headers })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { data: { supported: [VERSION] } } })
  })

  it('are refused for what the era has not', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    for (const method of ['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'x/y']) {
      const answer = await send(key, method, { uri: 'memo://one', level: 'info' })
      expect(answer.status, method).toBe(404)
      expect(await answer.json(), method).toMatchObject({ error: { code: -32_601 } })
    }
  })

  it('end at the server when their connection is closed', async () => {
    await bench.open()
    const id = await bench.addServer('one')
    const { key } = await bench.addAgent('Anna')
    const leave = new AbortController()
    const call = { name: 'one__echo', arguments: { ms: 60_000 } }
    const asked = send(key, 'tools/call', call, { signal: leave.signal })
    await expect.poll(() => bench.desk.session(id).inFlight, POLL).toBe(1)
    leave.abort()
    await expect(asked).rejects.toThrow()
    await expect.poll(() => bench.desk.session(id).inFlight, POLL).toBe(0)
    await expect
      .poll(async () => (await bench.desk.log(id)).join('\n'), POLL)
      .toContain('cancelled true')
  })

  it('are refused where a parameter and its header differ', async () => {
    await bench.open()
    const inputSchema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
      },
    }
    const offer = new Offer({ tools: [{ name: 'place', inputSchema }] })
    const id = await bench.desk.install(offer.server, { name: 'shop' })
    await expect.poll(async () => (await bench.desk.view(id)).status.kind, POLL).toBe('ready')
    const { key } = await bench.addAgent('Anna')
    const call = { name: 'shop__place', arguments: { region: 'süd', count: 10 } }
    const region = { 'mcp-param-region': '=?base64?c8O8ZA==?=' }
    const place = async (headers: Record<string, string>): Promise<Response> =>
      send(key, 'tools/call', call, { headers })
    const right = await place({ ...region, 'mcp-param-count': '10.0' })
    expect(
      textOf(((await messagesOf(right))[0] as { result: Record<string, unknown> }).result),
    ).toBe('{"name":"place","arguments":{"region":"süd","count":10}}')
    for (const headers of [
      region,
      { ...region, 'mcp-param-count': '11' },
      { 'mcp-param-count': '10', 'mcp-param-region': 'sud' },
    ]) {
      const answer = await place(headers)
      expect(answer.status, JSON.stringify(headers)).toBe(400)
      expect(await answer.json()).toMatchObject({ id: 'a', error: { code: -32_020 } })
    }
    offer.close()
  })

  it('are refused where they want to hear of more resources than can be watched', async () => {
    await bench.open()
    const { key } = await bench.addAgent('Anna')
    const leave = new AbortController()
    const listen = (count: number): Promise<Response> => {
      const uris = Array.from({ length: count }, (_, at) => `memo://${String(at)}`)
      const params = { notifications: { resourceSubscriptions: uris } }
      return send(key, 'subscriptions/listen', params, { signal: leave.signal })
    }
    const refused = await listen(1_001)
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: {
        code: -32_602,
        message: 'At most 1000 resources can be subscribed to; got 1001.',
      },
    })
    const heard = await listen(1_000)
    expect(heard.headers.get('content-type')).toBe('text/event-stream')
    leave.abort()
  })
})
