import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { freePort } from '../../../e2e/fixtures/free-port'
import { RecordedLines } from '../../../e2e/fixtures/recorded-lines'
import { RemoteServer } from '../../../e2e/fixtures/remote-server'
import { SseServer } from '../../../e2e/fixtures/sse-server'
import { node } from '../../../e2e/fixtures/test-servers'
import type { SessionAuth } from '../mcp/connections/remote-fetch'

const script = (name: string): string => join(import.meta.dirname, '../../../e2e/servers', name)

let stack: AsyncDisposableStack
let lines: RecordedLines

beforeEach(() => {
  stack = new AsyncDisposableStack()
  lines = stack.use(new RecordedLines())
})

afterEach(() => stack.disposeAsync())

describe('D5 what is noted of a server over HTTP', () => {
  it.each([
    ['stateless', 'server/discover'],
    ['both', 'server/discover'],
    ['sessions', 'initialize'],
  ] as const)('that speaks %s is all of it, without headers', async (kind, handshake) => {
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

  it('is noted once, however often it has to be asked', async () => {
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

  it('is noted once, and no request for a token, where a token is rejected first', async () => {
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
      noteAccepted: () => undefined,
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

  it('that speaks the older transport is all of it', async () => {
    const sse = stack.use(await SseServer.open())
    const server = await lines.start({ remote: { url: new URL(sse.url), transports: ['sse'] } })
    await server.session?.request('tools/call', { name: 'echo', arguments: { text: 'hi' } })
    const all = await lines.summaries()
    expect(all).toContain('received result to initialize')
    expect(all.slice(-2)).toEqual(['sent request tools/call', 'received result to tools/call'])
    await lines.expectTexts()
  })

  it('is of each try a session of its own', async () => {
    const sse = stack.use(await SseServer.open())
    await lines.start({ remote: { url: new URL(sse.url) } })
    const all = await lines.entries()
    expect(all.at(-1)?.session).toBe(2)
    expect(all.filter(({ kind }) => kind === 'result').every(({ session }) => session === 2)).toBe(
      true,
    )
  })

  it('is that of a child, where it serves HTTP on this computer', async () => {
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
