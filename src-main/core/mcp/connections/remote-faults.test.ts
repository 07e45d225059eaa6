import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startNameProxy } from '../../../../e2e/fixtures/name-proxy'
import { type RemoteKind, RemoteServer } from '../../../../e2e/fixtures/remote-server'
import { selfSigned } from '../../../../e2e/fixtures/self-signed'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import { SystemNetwork, type SystemNetworkOptions } from '../../network/system-network'
import type { SessionSupervisor } from '../../servers/session-supervisor'

let supervisors: Supervisors
let stack: AsyncDisposableStack

beforeEach(() => {
  stack = new AsyncDisposableStack()
  supervisors = stack.use(new Supervisors())
})

afterEach(() => stack.disposeAsync())

/** A remote reached as the app does, by the network of the system. */
function open(url: string, options: SystemNetworkOptions = { environment: {} }, again = false) {
  const { fetch } = stack.use(new SystemNetwork(options))
  return supervisors.open({
    remote: { url: new URL(url), fetch, headers: { 'x-api-key': 'k' } },
    settings: { startsAgain: again },
  })
}

const until = (server: SessionSupervisor, kind: string) =>
  expect.poll(() => JSON.stringify(server.status)).toContain(`"kind":"${kind}"`)

const failure = (server: SessionSupervisor): unknown[] =>
  isFailed(server.status) ? [server.status.code, server.status.message] : [server.status]

describe('C10 a remote server and the network between', () => {
  it('is not trusted with a certificate that nobody vouches for, and gets nothing', async () => {
    let requests = 0
    const { key, cert } = selfSigned()
    const secure = createServer({ key, cert }, (_request, response) => {
      requests += 1
      response.end()
    })
    stack.defer(() => new Promise<void>((resolve) => void secure.close(() => resolve())))
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${String((secure.address() as AddressInfo).port)}`
    const { server } = open(`https://${host}/mcp`, { environment: {} }, true)
    server.start()
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'REMOTE_UNTRUSTED',
      `${host} isn’t trusted: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    ])
    expect(requests).toBe(0)
  })

  it('that speaks no TLS where it should says so', async () => {
    const remote = stack.use(await RemoteServer.open())
    const { server } = open(remote.url.replace('http:', 'https:'))
    server.start()
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'REMOTE_UNTRUSTED',
      expect.stringContaining('doesn’t support a TLS version'),
    ])
    expect(remote.requests).toEqual([])
  })

  it('whose name is not known is tried again with longer and longer waits, as when this computer is offline', async () => {
    const { server, lines } = open('https://nowhere.invalid/mcp', { environment: {} }, true)
    server.start()
    await until(server, 'backingOff')
    expect(failure(server)).toEqual([
      'REMOTE_UNREACHABLE',
      expect.stringMatching(/^Can’t reach nowhere\.invalid: the name .*(DNS|offline)/u),
    ])
    await expect
      .poll(() => lines().filter((line) => line.startsWith('Start ')))
      .toEqual(['Start 1, by you', 'Start 2, automatically'])
  })

  it('is reached by the proxy that the environment names', async () => {
    const remote = stack.use(await RemoteServer.open())
    const proxy = await startNameProxy(Number(new URL(remote.url).port))
    stack.defer(() => proxy.close())
    const { server } = open('http://far-away.invalid/mcp', {
      environment: { http_proxy: proxy.url },
    })
    server.start()
    await until(server, 'ready')
    expect(proxy.names[0]).toBe('far-away.invalid:80')
    expect(remote.requests[0]?.host).toBe('far-away.invalid')
  })

  it('is not asked at all where the proxy that is named cannot be used', async () => {
    const remote = stack.use(await RemoteServer.open())
    const { server } = open('http://far-away.invalid/mcp', {
      environment: { http_proxy: 'ftp://127.0.0.1' },
    })
    server.start()
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'REMOTE_UNREACHABLE',
      expect.stringContaining('Settings > Network is invalid'),
    ])
    expect(remote.requests).toEqual([])
  })

  it('that leads to another path of its own is followed, with the headers', async () => {
    const remote = stack.use(await RemoteServer.open())
    remote.intercept = ({ url }, response) => {
      if (url === '/mcp') return false
      response.writeHead(307, { location: '/mcp' }).end()
      return true
    }
    const { server } = open(remote.url.replace('/mcp', '/old'))
    server.start()
    await until(server, 'ready')
    expect(remote.requests.every((headers) => headers['x-api-key'] === 'k')).toBe(true)
  })
})

describe('C10 a remote server that works only half', () => {
  it('is not asked for its lists time and again where it answers 401 to that', async () => {
    const { remote, server } = await openKind()
    let lists = 0
    remote.intercept = (request, response) => {
      if (request.headers['mcp-method'] !== 'tools/list') return false
      lists += 1
      response.writeHead(401).end('no')
      return true
    }
    server.start()
    await until(server, 'signInNeeded')
    expect(lists).toBe(1)
  })

  it('takes a stream up again where it was cut, by its last event, in the era that can', async () => {
    const { remote, server } = await openKind('sessions')
    server.start()
    await until(server, 'ready')
    const calls: number[] = []
    const resumed: unknown[] = []
    remote.intercept = (request, response) => {
      const lastEvent = request.headers['last-event-id']
      if (request.method === 'GET' && lastEvent === undefined) return false
      if (request.method === 'GET') resumed.push(lastEvent)
      let body = ''
      request.on('data', (text) => (body += String(text)))
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (request.method === 'GET') {
          const result = { content: [{ type: 'text', text: 'resumed' }] }
          response.end(
            `id: 2\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: calls[0], result })}\n\n`,
          )
          return
        }
        calls.push((JSON.parse(body) as { id: number }).id)
        response.end('id: 1\nretry: 20\ndata: \n\n')
      })
      return true
    }
    expect(await server.session?.request('tools/call', { name: 'echo' })).toMatchObject({
      content: [{ text: 'resumed' }],
    })
    expect([calls.length, resumed]).toEqual([1, ['1']])
  })
})

async function openKind(kind: RemoteKind = 'both') {
  const remote = stack.use(await RemoteServer.open(kind))
  return { remote, ...open(remote.url) }
}
