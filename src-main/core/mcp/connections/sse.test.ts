import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openPeer } from '../../../../e2e/fixtures/open-peer'
import { SseServer } from '../../../../e2e/fixtures/sse-server'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { SessionSupervisor } from '../../servers/session-supervisor'
import type { RemoteTransport } from './http-connection'
import { SseConnection } from './sse'

let supervisors: Supervisors
let stack: AsyncDisposableStack
let remote: SseServer

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  supervisors = stack.use(new Supervisors())
  remote = stack.use(await SseServer.open())
})

afterEach(() => stack.disposeAsync())

function open({ startsAgain = false, transports = ['sse', 'streamable-http'] as const } = {}) {
  const found: { transport?: RemoteTransport }[] = []
  const spoken = {
    era: undefined,
    transport: undefined,
    remember: (one: object) => void found.push(one),
  }
  const opened = supervisors.open({
    remote: { url: new URL(remote.url), transports, spoken, headers: { 'x-api-key': 'k' } },
    settings: { startsAgain },
  })
  return { ...opened, found }
}

const until = (server: SessionSupervisor, kind: string) =>
  expect.poll(() => JSON.stringify(server.status)).toContain(`"kind":"${kind}"`)

const echo = (server: SessionSupervisor, said: string) =>
  server.session?.request('tools/call', { name: 'echo', arguments: { text: said } })

const failure = (server: SessionSupervisor): unknown[] =>
  isFailed(server.status) ? [server.status.code, server.status.message] : [server.status]

describe('C10 a remote server that speaks the older HTTP+SSE', () => {
  it('is listed and called, and gets the headers that a person set with everything', async () => {
    const { server, found } = open()
    server.start()
    await until(server, 'ready')
    expect([server.session?.era, server.capabilities.tools.length]).toEqual(['legacy', 2])
    expect(await echo(server, 'a')).toMatchObject({ content: [{ text: 'a' }] })
    expect(new Set(remote.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
    expect(remote.requests.every(({ headers }) => headers['x-api-key'] === 'k')).toBe(true)
    expect(found.at(-1)).toEqual({ era: 'legacy', transport: 'sse' })
    expect(remote.opened).toBe(1)
    const { bytesIn = 0, bytesOut = 0 } = server.session?.connection.traffic ?? {}
    expect(Math.min(bytesIn, bytesOut)).toBeGreaterThan(100)
  })

  it('is found where the newer transport is tried first', async () => {
    const { server, found } = open({ transports: ['streamable-http', 'sse'] as never })
    server.start()
    await until(server, 'ready')
    expect(found.at(-1)).toEqual({ era: 'legacy', transport: 'sse' })
  })

  it('gets nothing at an endpoint of another origin', async () => {
    const other = stack.use(await SseServer.open())
    remote.endpoint = (path) => new URL(path, other.url).href
    const { server } = open()
    server.start()
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'REMOTE_FAILED',
      expect.stringMatching(
        `^${remote.url} names an endpoint at another address, which Patchbay doesn’t use: ${new URL(other.url).origin}`,
      ),
    ])
    expect(other.requests).toEqual([])
  })

  it.each<[string, (path: string, url: URL) => string]>([
    ['localhost', (path, { port }) => `http://localhost:${port}${path}`],
    ['0.0.0.0', (path, { port }) => `http://0.0.0.0:${port}${path}`],
    ['an address with escapes', (path, { host }) => `http%3A//${host.replace(':', '%3A')}${path}`],
  ])('is spoken to at its own address where it names its endpoint by %s', async (_how, named) => {
    const url = new URL(remote.url)
    remote.endpoint = (path) => named(path, url)
    const { server } = open()
    server.start()
    await until(server, 'ready')
    expect(new Set(remote.requests.map(({ headers }) => headers.host))).toEqual(new Set([url.host]))
  })

  it('says both addresses where its endpoint takes no message', async () => {
    remote.endpoint = () => '/elsewhere?s=1'
    const { server } = open({ transports: ['sse'] as never })
    server.start()
    await until(server, 'error')
    const { origin } = new URL(remote.url)
    expect(failure(server)).toEqual([
      'REMOTE_REFUSED',
      `${remote.url} names the endpoint ${origin}/elsewhere?s=1, which rejected the first message (404).`,
    ])
  })

  it('is waited for no longer than the limit where it names no endpoint', async () => {
    remote.endpoint = () => undefined
    const { fetch } = globalThis
    const limits = { maxMessageBytes: 1_000_000, maxTotalMs: 60_000, onExpired: () => undefined }
    const spec = { url: new URL(remote.url), headers: {} }
    const transport = new SseConnection(spec, { fetch, ...limits }, 200)
    transport.attach(openPeer().peer)
    await expect(transport.open()).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: expect.stringContaining('sent no endpoint event within 0.2 s') as string,
    })
    await transport.close()
  })

  it('is lost where its stream is cut, also for the call that waits, and comes back by itself', async () => {
    const { server } = open({ startsAgain: true })
    server.start()
    await until(server, 'ready')
    const before = server.session
    remote.refusal = { status: 202, body: '' }
    const waiting = expect(echo(server, 'a')).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
    await expect.poll(() => server.session?.inFlight).toBe(1)
    remote.refusal = undefined
    remote.cut()
    await waiting
    await until(server, 'backingOff')
    expect(failure(server)).toEqual([
      'REMOTE_UNREACHABLE',
      `The connection to ${new URL(remote.url).host} ended while in use.`,
    ])
    await expect.poll(() => server.status.kind).toBe('ready')
    expect(server.session).not.toBe(before)
    expect(await echo(server, 'b')).toMatchObject({ content: [{ text: 'b' }] })
    expect(remote.opened).toBe(2)
  })

  it('fails the call at once whose answer is nested too deep (B3)', async () => {
    const deep = '['.repeat(600) + ']'.repeat(600)
    let stream: ServerResponse | undefined
    remote.intercept = ({ method }, response) => {
      if (method === 'GET') stream = response
      return false
    }
    const { server } = open()
    server.start()
    await until(server, 'ready')
    remote.intercept = (request, response) => {
      void text(request).then((asked) => {
        const { id } = JSON.parse(asked) as { id: unknown }
        stream?.write(`data: {"jsonrpc":"2.0","id":${String(id)},"result":{"a":${deep}}}\n\n`)
      })
      response.writeHead(202).end()
      return true
    }
    await expect(echo(server, 'a')).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
    expect(server.faults).toMatchObject({ malformedMessages: 1 })
  })

  it('tells why it takes no message', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    remote.refusal = { status: 503, body: 'Under repair' }
    await expect(echo(server, 'c')).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
      message: expect.stringMatching(/failed \(503\).*Under repair/u) as string,
    })
    expect(server.status.kind).toBe('ready')
  })
})
