import { afterEach, describe, expect, it } from 'vitest'

import {
  GatewayHarness,
  messagesOf,
  STATELESS,
  statelessMeta,
  textOf,
} from '../../../../e2e/fixtures/gateway-harness'
import { Offer } from '../../../../e2e/fixtures/tools-harness'

const gateway = new GatewayHarness()
afterEach(() => gateway.close())

/** Expects each request to be rejected with this error and status. */
async function refuses(
  asked: readonly Promise<Response>[],
  status: number,
  error: object,
): Promise<void> {
  for (const [at, answer] of (await Promise.all(asked)).entries()) {
    expect(answer.status, `request ${at}`).toBe(status)
    expect(await answer.json(), `request ${at}`).toMatchObject({ id: 'a', error })
  }
}

describe('D6: stateless requests of agents (2026-07-28)', () => {
  it('discover the gateway and get lists that are fresh for a second, without a session', async () => {
    const { key } = await gateway.start('one')
    const { send, ask } = gateway.stateless(key)
    const answer = await send({ id: 'a', method: 'server/discover' })
    expect(answer.headers.get('mcp-session-id')).toBeNull()
    const result = {
      resultType: 'complete',
      supportedVersions: [STATELESS],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      instructions: expect.stringContaining('Available servers: one.') as string,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'patchbay' } },
    }
    expect(await messagesOf(answer)).toMatchObject([{ id: 'a', result }])
    const { agents } = (await gateway.harness.call('app.snapshot', {})).agents
    expect(agents).toMatchObject([{ app: { name: 'raw', version: '7' } }])
    const held = { resultType: 'complete', ttlMs: 1_000, cacheScope: 'private' }
    for (const list of ['tools', 'prompts', 'resources', 'resources/templates'])
      expect(await ask({ id: 'a', method: `${list}/list` })).toMatchObject([{ result: held }])
  })

  it('are rejected with missing or wrong headers', async () => {
    const { key } = await gateway.start('one')
    const { send } = gateway.stateless(key)
    const params = { name: 'one__echo', arguments: {} }
    const call = { id: 'a', method: 'tools/call', params }
    const wrong = [
      { 'mcp-method': undefined },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': undefined },
      { 'mcp-name': 'one__log' },
      { 'mcp-protocol-version': undefined },
      { 'mcp-protocol-version': '2025-11-25' },
    ]
    const asked = wrong.map((headers) => send(call, { headers }))
    await refuses(asked, 400, { code: -32_020 })
    expect((await send(call)).status).toBe(200)
  })

  it('are rejected without their version and capabilities, and initialize is', async () => {
    const { key } = await gateway.start()
    const { send } = gateway.stateless(key)
    const meta = statelessMeta({})
    const [version, capabilities] = ['protocolVersion', 'clientCapabilities'].map(
      (name) => `io.modelcontextprotocol/${name}`,
    ) as [string, string]
    const sends = (_meta: object): Promise<Response> =>
      send({ id: 'a', method: 'tools/list', params: { _meta } })
    for (const [key, value, problem] of [
      [version, undefined, 'missing'],
      [version, 20_260_728, 'of the wrong type'],
      [capabilities, undefined, 'missing'],
      [capabilities, 'all', 'of the wrong type'],
    ] as const) {
      const message = `_meta: ${key} is ${problem}.`
      await refuses([sends({ ...meta, [key]: value })], 400, { code: -32_602, message })
    }
    const initialize = { id: 'a', method: 'initialize', params: { _meta: {} } }
    await refuses([send(initialize)], 400, { code: -32_020 })
  })

  it('are rejected if they subscribe to something that is no list of resources', async () => {
    const { key } = await gateway.start()
    const { send } = gateway.stateless(key)
    const message = 'notifications must be a subscription filter.'
    for (const notifications of [undefined, 'all', { resourceSubscriptions: [1] }]) {
      const listen = { id: 'a', method: 'subscriptions/listen', params: { notifications } }
      await refuses([send(listen)], 200, { code: -32_602, message })
    }
  })

  it('are rejected in an unknown version, and for methods that the version lacks', async () => {
    const { key } = await gateway.start()
    const { send } = gateway.stateless(key)
    const version = '2030-01-01'
    const _meta = { ...statelessMeta(), 'io.modelcontextprotocol/protocolVersion': version }
    const message = { id: 'a', method: 'tools/list', params: { _meta } }
    const unknown = send(message, { headers: { 'mcp-protocol-version': version } })
    await refuses([unknown], 400, { data: { supported: [STATELESS] } })
    const params = { uri: 'memo://one', level: 'info' }
    const methods = ['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'x/y']
    const asked = methods.map((method) => send({ id: 'a', method, params }))
    await refuses(asked, 404, { code: -32_601 })
  })

  it('are rejected if a parameter and its header differ', async () => {
    const { key } = await gateway.start()
    const properties = {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
    }
    const inputSchema = { type: 'object', properties }
    await gateway.addOffer('shop', new Offer({ tools: [{ name: 'place', inputSchema }] }))
    const params = { name: 'shop__place', arguments: { region: 'süd', count: 10 } }
    const region = { 'mcp-param-region': '=?base64?c8O8ZA==?=' }
    const { send } = gateway.stateless(key)
    const place = (headers: Record<string, string>): Promise<Response> =>
      send({ id: 'a', method: 'tools/call', params }, { headers })
    const [right] = await messagesOf(await place({ ...region, 'mcp-param-count': '10.0' }))
    const called = '{"name":"place","arguments":{"region":"süd","count":10}}'
    expect(textOf((right as { result: Record<string, unknown> }).result)).toBe(called)
    const wrong = [
      region,
      { ...region, 'mcp-param-count': '11' },
      { 'mcp-param-count': '10', 'mcp-param-region': 'sud' },
    ]
    await refuses(wrong.map(place), 400, { code: -32_020 })
  })

  it('are rejected if they subscribe to more resources than can be watched', async () => {
    const { key } = await gateway.start()
    const leave = new AbortController()
    const listen = (count: number): Promise<Response> => {
      const uris = Array.from({ length: count }, (_, at) => `memo://${String(at)}`)
      const params = { notifications: { resourceSubscriptions: uris } }
      const message = { id: 'a', method: 'subscriptions/listen', params }
      return gateway.stateless(key).send(message, { signal: leave.signal })
    }
    const message = 'At most 1000 resources can be subscribed to; got 1001.'
    await refuses([listen(1_001)], 200, { code: -32_602, message })
    expect((await listen(1_000)).headers.get('content-type')).toBe('text/event-stream')
    leave.abort()
  })
})
