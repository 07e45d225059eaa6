import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { freePort } from '../../../e2e/fixtures/free-port'
import { RecordedLines } from '../../../e2e/fixtures/recorded-lines'
import { RemoteServer } from '../../../e2e/fixtures/remote-server'
import { SseServer } from '../../../e2e/fixtures/sse-server'
import { node, untilKind } from '../../../e2e/fixtures/test-servers'
import type { SessionAuth } from '../mcp/connections/remote-fetch'

const script = (name: string): string => join(import.meta.dirname, '../../../e2e/servers', name)

let stack: AsyncDisposableStack
let lines: RecordedLines

beforeEach(() => {
  stack = new AsyncDisposableStack()
  lines = stack.use(new RecordedLines())
})

afterEach(() => stack.disposeAsync())

describe('D5: recorded messages of a child over its pipes', () => {
  it('are complete in both directions and in order, from initialize on', async () => {
    const server = await lines.start({ spec: node(script('works.mjs')) })
    await server.session?.requestText('tools/call', {
      name: 'slow',
      arguments: { ms: 120, every: 50 },
    })
    const rejected = server.session?.requestText('tools/call', { name: 'fail', arguments: {} })
    await expect(rejected).rejects.toThrow()
    await server.session?.ping(5_000)
    const all = await lines.summaries()
    expect(all.slice(0, 6)).toEqual([
      'sent request initialize',
      'received result to initialize',
      'sent notification notifications/initialized',
      'sent request tools/list',
      'received result to tools/list',
      'sent request tools/call',
    ])
    expect(
      all.filter((one) => one !== 'received notification notifications/progress').slice(6),
    ).toEqual([
      'received result to tools/call',
      'sent request tools/call',
      'received error to tools/call',
      'sent request ping',
      'received result to ping',
    ])
    expect(all).toContain('received notification notifications/progress')
    await lines.expectTexts()
    const answers = (await lines.entries()).filter(
      ({ method, kind }) => method === 'tools/call' && kind !== 'request',
    )
    expect(answers).toMatchObject([{ target: 'slow' }, { target: 'fail', code: -32_002 }])
    expect(answers[0]?.durationMs).toBeGreaterThan(100)
  })

  it('have the method names of the protocol, also for a stateless server', async () => {
    const server = await lines.start({ spec: node(script('modern.mjs'), 'only') })
    expect(server.session?.protocolMode).toBe('stateless')
    await server.session?.request('tools/call', { name: 'pid', arguments: {} })
    const all = await lines.summaries()
    expect(all.slice(0, 4)).toEqual([
      'sent request initialize',
      'received error to initialize',
      'sent request server/discover',
      'received result to server/discover',
    ])
    expect(all).toContain('sent request tools/call')
    expect(all).toContain('received result to tools/call')
    await lines.expectTexts()
  })

  it('are separate per session', async () => {
    const server = await lines.start({ spec: node(script('plain.mjs')) })
    server.restart()
    await expect
      .poll(async () => new Set((await lines.entries()).map(({ session }) => session)).size, {
        timeout: 20_000,
      })
      .toBe(2)
    await untilKind(server, 'ready')
    const all = await lines.entries()
    expect(
      all.filter(({ method, kind }) => method === 'initialize' && kind === 'result'),
    ).toMatchObject([
      { session: 1, direction: 'received' },
      { session: 2, direction: 'received' },
    ])
  })

  it('include requests of the server and their responses', async () => {
    const code = `
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line)
        if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion,
          capabilities: {}, serverInfo: { name: 'asks', version: '1' } } })
        else if (method === 'notifications/initialized') say({ id: 1, method: 'ping' })
        else if (method) say({ id, error: { code: -32601, message: 'Method not found' } })
      }).on('close', () => process.exit(0))`
    await lines.start({ spec: node('-e', code) })
    await expect.poll(lines.summaries, { timeout: 20_000 }).toContain('sent result to ping')
    expect(await lines.summaries()).toContain('received request ping')
    await lines.expectTexts()
  })

  it('include each message of a batch from an older server', async () => {
    const code = `
      const asked = []
      const line = (value) => console.log(JSON.stringify(value))
      require('readline').createInterface({ input: process.stdin }).on('line', (text) => {
        const { id, method, params } = JSON.parse(text)
        const answer = (body) => ({ jsonrpc: '2.0', id, ...body })
        if (method === 'initialize') line(answer({ result: { protocolVersion: '2025-03-26',
          capabilities: { tools: {} }, serverInfo: { name: 'batches', version: '1' } } }))
        else if (method === 'tools/list') line(answer({ result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } }))
        else if (method === 'tools/call') {
          asked.push(answer({ result: { content: [{ type: 'text', text: String(id) }] } }))
          if (asked.length === 2) line([asked[1], { jsonrpc: '2.0', method: 'notifications/message',
            params: { level: 'info', data: 'both' } }, asked[0]])
        } else if (id !== undefined) line(answer({ error: { code: -32601, message: 'Method not found' } }))
      }).on('close', () => process.exit(0))`
    const server = await lines.start({ spec: node('-e', code) })
    const call = () => server.session?.requestText('tools/call', { name: 'a', arguments: {} })
    await Promise.all([call(), call()])
    const all = await lines.entries()
    const calls = all.filter(({ kind, method }) => kind === 'request' && method === 'tools/call')
    const [first, second] = calls.map(({ seq }) => seq)
    expect(all.slice(-3)).toMatchObject([
      { kind: 'result', requestSeq: second },
      { kind: 'notification', method: 'notifications/message' },
      { kind: 'result', requestSeq: first },
    ])
    await lines.expectTexts()
  })
})

describe('D5: recorded messages of a server over HTTP', () => {
  it.each([
    ['stateless', 'server/discover'],
    ['both', 'server/discover'],
    ['sessions', 'initialize'],
  ] as const)('are complete without headers if it speaks %s', async (kind, handshake) => {
    const remote = stack.use(await RemoteServer.open(kind))
    const headers = { authorization: 'Bearer never-in-a-message', 'x-api-key': 'nor-this-one' }
    const server = await lines.start({ remote: { url: new URL(remote.url), headers } })
    await server.session?.request('tools/call', { name: 'echo', arguments: { text: 'hello' } })
    const all = await lines.summaries()
    for (const method of [handshake, 'tools/list', 'tools/call']) {
      expect(all).toContain(`sent request ${method}`)
      expect(all).toContain(`received result to ${method}`)
    }
    expect(all.filter((one) => one === 'sent request tools/call')).toHaveLength(1)
    await lines.expectTexts()
    const entries = await lines.entries()
    const texts = (await Promise.all(entries.map(({ seq }) => lines.text(seq)))).join('\n')
    expect(texts).toContain('hello')
    expect(texts).not.toMatch(/never-in-a-message|nor-this-one/)
  })

  it('have one entry per request, however often it is retried', async () => {
    const remote = stack.use(await RemoteServer.open())
    const server = await lines.start({ remote: { url: new URL(remote.url) } })
    let rejected = 0
    remote.intercept = (request, response) => {
      if (request.headers['mcp-method'] !== 'tools/call' || rejected === 2) return false
      rejected += 1
      response.writeHead(429, { 'retry-after': '0' }).end()
      return true
    }
    await server.session?.request('tools/call', { name: 'echo', arguments: {} })
    expect(rejected).toBe(2)
    const calls = (await lines.summaries()).filter((one) => one.includes('tools/call'))
    expect(calls).toEqual(['sent request tools/call', 'received result to tools/call'])
  })

  it('have one entry if a token was rejected, and none of the token request', async () => {
    const remote = stack.use(await RemoteServer.open())
    let rejected = 0
    remote.intercept = (request, response) => {
      const isToken = request.url === '/token'
      if (isToken) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      if (isToken || request.headers['mcp-method'] !== 'tools/call' || rejected === 1)
        return isToken
      rejected += 1
      response.writeHead(401).end()
      return true
    }
    const auth: SessionAuth = {
      token: () => Promise.resolve('t'),
      onUnauthorized: async ({ fetchFn }) => {
        const body = JSON.stringify({ refresh_token: 'never-in-a-message' })
        await fetchFn(new URL('/token', remote.url), { method: 'POST', body })
      },
      countRejected: () => undefined,
      recordAccepted: () => undefined,
      renew: () => Promise.resolve(false),
    }
    const server = await lines.start({ remote: { url: new URL(remote.url), auth } })
    await server.session?.request('tools/call', { name: 'echo', arguments: {} })
    expect(rejected).toBe(1)
    expect(remote.requests.length).toBeGreaterThan(3)
    const calls = (await lines.summaries()).filter((one) => one.includes('tools/call'))
    expect(calls).toEqual(['sent request tools/call', 'received result to tools/call'])
    await lines.expectTexts()
  })

  it('are complete if it speaks the older transport', async () => {
    const sse = stack.use(await SseServer.open())
    const server = await lines.start({ remote: { url: new URL(sse.url), transports: ['sse'] } })
    await server.session?.request('tools/call', { name: 'echo', arguments: { text: 'hi' } })
    const all = await lines.summaries()
    expect(all).toContain('received result to initialize')
    expect(all.slice(-2)).toEqual(['sent request tools/call', 'received result to tools/call'])
    await lines.expectTexts()
  })

  it('have a separate session for each connection attempt', async () => {
    const sse = stack.use(await SseServer.open())
    await lines.start({ remote: { url: new URL(sse.url) } })
    const all = await lines.entries()
    expect(all.at(-1)?.session).toBe(2)
    expect(all.filter(({ kind }) => kind === 'result').every(({ session }) => session === 2)).toBe(
      true,
    )
  })

  it('are those of a child that serves HTTP on this computer', async () => {
    const port = await freePort()
    const url = new URL(`http://127.0.0.1:${String(port)}/mcp`)
    const server = await lines.start({
      spec: node(script('serves.mjs'), String(port), '0'),
      serves: { url, headers: {}, transport: 'streamable-http' },
    })
    await server.session?.request('tools/call', { name: 'echo', arguments: { a: 1 } })
    expect((await lines.summaries()).slice(-2)).toEqual([
      'sent request tools/call',
      'received result to tools/call',
    ])
    await lines.expectTexts()
  })
})
