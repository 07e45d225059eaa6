import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { freePort } from '../../../../e2e/fixtures/free-port'
import { startNameProxy } from '../../../../e2e/fixtures/name-proxy'
import { type Answer, status } from '../../../../e2e/fixtures/older-remote'
import {
  type Intercept,
  type RemoteKind,
  RemoteServer,
} from '../../../../e2e/fixtures/remote-server'
import { selfSigned } from '../../../../e2e/fixtures/self-signed'
import { ending, started, startedRemote, supervised } from '../../../../e2e/fixtures/supervised'
import { SystemNetwork } from '../../network/system-network'

async function open(kind: RemoteKind = 'both') {
  const remote = ending(await RemoteServer.open(kind))
  const opened = await started({ remote: { url: new URL(remote.url), headers: HEADERS } })
  return { remote, ...opened }
}

type Opening = Parameters<typeof started>[0]

/** Headers of the user; those of the protocol win. */
const HEADERS = { 'x-api-key': 'k', Accept: 'text/plain' }

/** Has one method of a stateless server answered otherwise. */
const instead =
  (method: string, answer: Answer): Intercept =>
  (request, response) => {
    if (request.headers['mcp-method'] !== method) return false
    answer(response, undefined)
    return true
  }

describe('B13 and C10 a remote server', () => {
  it.each([
    ['both', '2026-07-28', 'modern'],
    ['modern', '2026-07-28', 'modern'],
    ['sessions', '2025-11-25', 'legacy'],
  ] as const)('is used with the version that it speaks: %s', async (kind, version, era) => {
    const { remote, server, call } = await open(kind)
    const { session } = server
    expect([session?.protocolVersion, session?.era]).toEqual([version, era])
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['echo', 'large'])
    expect(await call('echo', { text: 'again' })).toMatchObject({
      content: [{ type: 'text', text: 'again' }],
    })
    expect(server.phases.map(({ phase }) => phase)).toEqual(['resolve', 'handshake', 'discover'])
    expect([session?.pid, session?.connection.tree]).toEqual([undefined, undefined])
    expect(remote.requests.every((headers) => headers['x-api-key'] === 'k')).toBe(true)
    const { bytesIn = 0, bytesOut = 0 } = session?.connection.traffic ?? {}
    expect(Math.min(bytesIn, bytesOut)).toBeGreaterThan(100)
  })

  it('can send a result of 32 MB', async () => {
    const { call } = await open()
    const bytes = 32 * 1024 * 1024
    const { content } = (await call('large', { bytes })) as { content: [{ text: string }] }
    expect(content[0].text).toHaveLength(bytes)
  })

  it('announces changed tools by a subscription where it is stateless', async () => {
    const { remote, server } = await open('modern')
    const before = server.listing
    await expect
      .poll(async () => {
        await remote.changeTools()
        return server.listing > before
      })
      .toBe(true)
  })

  it('fails a call whose stream is cut before its answer, and no other', async () => {
    const { remote, call } = await open()
    remote.intercept = instead('tools/call', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': begun\n\n', () => response.destroy())
    })
    await expect(call('echo')).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
    remote.intercept = () => false
    expect(await call('echo', { text: 'b' })).toMatchObject({ content: [{ text: 'b' }] })
  })

  it('resumes a stream that was cut by its last event, with sessions', async () => {
    const { remote, call } = await open('sessions')
    const ids: number[] = []
    const resumed: unknown[] = []
    remote.intercept = (request, response) => {
      const lastEvent = request.headers['last-event-id']
      if (request.method !== 'POST' && lastEvent === undefined) return false
      let body = ''
      request.on('data', (text) => (body += String(text)))
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        if (request.method === 'GET') {
          resumed.push(lastEvent)
          const result = { content: [{ type: 'text', text: 'resumed' }] }
          const answer = { jsonrpc: '2.0', id: ids[0], result }
          response.end(`id: 2\ndata: ${JSON.stringify(answer)}\n\n`)
          return
        }
        ids.push((JSON.parse(body) as { id: number }).id)
        response.end('id: 1\nretry: 20\ndata: \n\n')
      })
      return true
    }
    expect(await call('echo')).toMatchObject({ content: [{ text: 'resumed' }] })
    expect([ids.length, resumed]).toEqual([1, ['1']])
  })
})

describe('C10 a remote server that can’t be used', () => {
  it.each<[string, Answer, string, string]>([
    ['a 403', status(403, 'no'), 'REMOTE_REFUSED', '403'],
    ['a 404', status(404, 'no'), 'REMOTE_REFUSED', '404'],
    ['a 500', status(500, 'no'), 'REMOTE_FAILED', '500'],
    ['a web page', status(200, '<html>', 'text/html'), 'REMOTE_REFUSED', 'not as an MCP server'],
  ])('is an error where it answers with %s', async (_what, answer, code, words) => {
    const remote = ending(await RemoteServer.open())
    remote.intercept = (_request, response) => {
      answer(response, undefined)
      return true
    }
    const { failure } = await started({ remote: { url: new URL(remote.url) } }, 'error')
    expect(failure()).toEqual([code, expect.stringContaining(words)])
  })

  it('gets nothing of the user at another origin to which it redirects, and all at its own', async () => {
    const [remote, other] = [await RemoteServer.open(), await RemoteServer.open()].map(ending)
    if (!remote || !other) throw new Error('not opened')
    remote.intercept = ({ url }, response) => {
      if (url === '/mcp') return false
      response.writeHead(307, { location: url === '/old' ? '/mcp' : other.url }).end()
      return true
    }
    const at = (path: string): Opening => {
      return { remote: { url: new URL(path, remote.url), headers: HEADERS } }
    }
    const { failure } = await started(at('/far'), 'error')
    expect(failure()).toEqual(['REMOTE_REFUSED', expect.stringContaining('307')])
    expect(other.requests).toEqual([])
    await started(at('/old'))
    expect(remote.requests.every((headers) => headers['x-api-key'] === 'k')).toBe(true)
  })

  it('is an error where nothing answers', async () => {
    const url = new URL(`http://127.0.0.1:${await freePort()}/mcp`)
    const { failure } = await started({ remote: { url } }, 'error')
    expect(failure()).toEqual([
      'REMOTE_UNREACHABLE',
      expect.stringContaining('the connection was refused'),
    ])
  })

  it('needs a sign-in where it answers a request for a list with 401, which is not sent again', async () => {
    const remote = ending(await RemoteServer.open())
    let lists = 0
    remote.intercept = instead('tools/list', (response) => {
      lists += 1
      status(401, 'no')(response, undefined)
    })
    const { server } = await started({ remote: { url: new URL(remote.url) } }, 'signInNeeded')
    expect(lists).toBe(1)
    expect(server.status).toMatchObject({ host: new URL(remote.url).host })
  })
})

/** A remote reached as the app does, by the network of the system. */
function throughNetwork(
  url: string,
  environment: Record<string, string> = {},
  startsAgain = false,
) {
  const { fetch } = ending(new SystemNetwork({ environment }))
  const remote = { url: new URL(url), fetch, headers: HEADERS }
  const opened = supervised({ remote, settings: { startsAgain } })
  opened.server.start()
  return opened
}

describe('C10 a remote server and the network between', () => {
  it('gets nothing where its certificate is not trusted', async () => {
    let requests = 0
    const { key, cert } = selfSigned()
    const secure = createSecureServer({ key, cert }, (_request, response) => {
      requests += 1
      response.end()
    })
    onTestFinished(() => void secure.close())
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${String((secure.address() as AddressInfo).port)}`
    const { until, failure } = throughNetwork(`https://${host}/mcp`, {}, true)
    await until('error')
    const message = `${host} isn’t trusted: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).`
    expect([failure(), requests]).toEqual([['REMOTE_UNTRUSTED', message], 0])
  })

  it.each<[string, (remote: RemoteServer) => [string, Record<string, string>?], string, string]>([
    [
      'it speaks no TLS and should',
      ({ url }) => [url.replace('http:', 'https:')],
      'REMOTE_UNTRUSTED',
      'doesn’t support a TLS version',
    ],
    [
      'the proxy that is named can’t be used',
      () => ['http://far-away.invalid/mcp', { http_proxy: 'ftp://127.0.0.1' }],
      'REMOTE_UNREACHABLE',
      'Settings > Network is invalid',
    ],
  ])('gets nothing where %s', async (_why, address, code, words) => {
    const remote = ending(await RemoteServer.open())
    const { until, failure } = throughNetwork(...address(remote))
    await until('error')
    expect(failure()).toEqual([code, expect.stringContaining(words)])
    expect(remote.requests).toEqual([])
  })

  it('is retried where its name is unknown', async () => {
    const { until, failure, lines } = throughNetwork('https://nowhere.invalid/mcp', {}, true)
    await until('backingOff')
    const words = /^Can’t reach nowhere\.invalid: the name .*(DNS|offline)/u
    expect(failure()).toEqual(['REMOTE_UNREACHABLE', expect.stringMatching(words)])
    await expect
      .poll(() => lines().filter((line) => line.startsWith('Start ')))
      .toEqual(['Start 1, by you', 'Start 2, automatically'])
  })

  it('is reached by the proxy that the environment names', async () => {
    const remote = ending(await RemoteServer.open())
    const proxy = await startNameProxy(Number(new URL(remote.url).port))
    onTestFinished(() => proxy.close())
    const { until } = throughNetwork('http://far-away.invalid/mcp', { http_proxy: proxy.url })
    await until('ready')
    expect(proxy.names[0]).toBe('far-away.invalid:80')
    expect(remote.requests[0]?.host).toBe('far-away.invalid')
  })
})

const ALL = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover']

describe('B11 the health check over HTTP', () => {
  /** One that is Ready, and from then on answers these methods so. */
  async function answering(answer: Answer, methods: readonly string[]) {
    const opened = await startedRemote({}, { settings: { healthMs: 1_000 } })
    for (const method of methods) opened.remote.answers[method] = answer
    return opened
  }

  it('fails where only a proxy before the server answers', async () => {
    const proxy = status(502, '<html>Bad gateway</html>', 'text/html')
    const { server, until } = await answering(proxy, ALL)
    await until('degraded')
    expect(server.status).toMatchObject({
      warnings: [expect.stringContaining('No response to the last health check')],
    })
    await expect
      .poll(() => JSON.stringify(server.status), { timeout: 15_000 })
      .toContain('last 3 health checks')
  })

  it('succeeds where the server rejects it without words', async () => {
    const { remote, server } = await answering(status(400), ['ping'])
    await expect.poll(() => remote.count('ping'), { timeout: 15_000 }).toBeGreaterThan(3)
    expect([server.status.kind, remote.count('initialize')]).toEqual(['ready', 1])
  })

  it('needs a sign-in where nothing else is answered any more', async () => {
    const { remote, server, until } = await answering(status(401, 'No'), ALL)
    await until('signInNeeded')
    expect(server.status).toMatchObject({ host: remote.url.host })
    expect(server.session).toBeUndefined()
  })
})
