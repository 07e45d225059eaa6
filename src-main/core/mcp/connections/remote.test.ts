import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { type Answer, json, type OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { pause } from '../../../../e2e/fixtures/pause'
import { type RemoteKind, RemoteServer } from '../../../../e2e/fixtures/remote-server'
import { selfSigned } from '../../../../e2e/fixtures/self-signed'
import { ending, started, startedRemote } from '../../../../e2e/fixtures/supervised'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { SessionExpiredError } from '../../failure/remote-failure'
import { SystemNetwork } from '../../network/system-network'

async function open(kind: RemoteKind = 'both') {
  const remote = ending(await RemoteServer.open(kind))
  const opened = await started({ remote: { url: new URL(remote.url), headers: HEADERS } })
  return { remote, ...opened }
}

type Opening = Parameters<typeof started>[0]

/** Headers of the user; those of the protocol win. */
const HEADERS = { 'x-api-key': 'k', Accept: 'text/plain' }

describe('B13 and C10: a remote server', () => {
  it.each([
    ['both', '2026-07-28', 'stateless'],
    ['stateless', '2026-07-28', 'stateless'],
    ['sessions', '2025-11-25', 'sessions'],
  ] as const)('is used with its own protocol version: %s', async (kind, version, protocolMode) => {
    const { remote, server, call } = await open(kind)
    const { session } = server
    expect([session?.protocolVersion, session?.protocolMode]).toEqual([version, protocolMode])
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['echo', 'large'])
    expect(await call('echo', { text: 'again' })).toMatchObject({
      content: [{ type: 'text', text: 'again' }],
    })
    expect(server.phases.map(({ phase }) => phase)).toEqual(['resolve', 'handshake', 'discover'])
    expect([session?.pid, session?.connection.tree]).toEqual([undefined, undefined])
    expect(remote.requests.every((headers) => headers['x-api-key'] === 'k')).toBe(true)
    const { bytesIn = 0, bytesOut = 0 } = session?.connection.byteCounts ?? {}
    expect(Math.min(bytesIn, bytesOut)).toBeGreaterThan(100)
  })

  it('can send a result of 32 MB', async () => {
    const { call } = await open()
    const bytes = 32 * 1024 * 1024
    const { content } = (await call('large', { bytes })) as { content: [{ text: string }] }
    expect(content[0].text).toHaveLength(bytes)
  })

  it('reports changed tools through a subscription if it is stateless', async () => {
    const { remote, server } = await open('stateless')
    const before = server.generation
    await expect
      .poll(async () => {
        await remote.changeTools()
        return server.generation > before
      })
      .toBe(true)
  })

  it('fails only the call whose stream is cut before its response', async () => {
    const { remote, call } = await startedRemote({
      'tools/call': (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': begun\n\n', () => response.destroy())
      },
    })
    await expect(call('tool')).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
    delete remote.answers['tools/call']
    expect(await call('tool')).toMatchObject({ content: [] })
  })

  it.each<[string, Answer]>([
    [
      'a stream',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': begun\n\n', () => response.destroy())
      },
    ],
    ['JSON', (response) => void response.destroy()],
  ])(
    'is asked to cancel a call whose connection was cut, and log and caller see that: %s (F10)',
    async (_name, cut) => {
      const { remote, call, lines } = await startedRemote({ 'tools/call': cut })
      const message = `The connection to ${remote.url.host} ended before the response to tools/call arrived`
      await expect(call('tool')).rejects.toMatchObject({
        message: expect.stringContaining(message) as string,
        hint: expect.stringContaining('still work on it') as string,
      })
      await expect.poll(() => remote.count('notifications/cancelled')).toBe(1)
      const sent = (method: string): { id: number; params: { requestId: number } } =>
        JSON.parse(remote.bodies.find((body) => body.includes(`"${method}"`)) ?? '') as never
      const { params } = sent('notifications/cancelled')
      expect(params).toMatchObject({
        requestId: sent('tools/call').id,
        reason: expect.stringContaining(message) as string,
      })
      expect(lines().filter((line) => line.includes(message))).toHaveLength(1)
    },
  )

  it('resumes a cut stream at its last event, with sessions', async () => {
    const resumed: unknown[] = []
    let called: unknown
    const { call, remote } = await startedRemote({
      GET: (response, id) => {
        const from = response.req.headers['last-event-id']
        if (from !== undefined) resumed.push(from)
        const answer = { jsonrpc: '2.0', id: called, result: { content: ['resumed'] } }
        const text = `id: 2\ndata: ${JSON.stringify(answer)}\n\n`
        status(from === undefined ? 405 : 200, text, 'text/event-stream')(response, id)
      },
      'tools/call': (response, id) => {
        called = id
        status(200, 'id: 1\nretry: 20\ndata: \n\n', 'text/event-stream')(response, id)
      },
    })
    expect(await call('tool')).toEqual({ content: ['resumed'] })
    expect([remote.count('tools/call'), resumed]).toEqual([1, ['1']])
  })
})

describe('C10: a remote server that can’t be used', () => {
  it('is an error if it responds with a web page', async () => {
    const page = status(200, '<html>', 'text/html')
    const { failure } = await startedRemote({ initialize: page }, {}, 'error')
    expect(failure()).toEqual(['REMOTE_REFUSED', expect.stringContaining('not as an MCP server')])
  })

  it("gets the user's headers at its own origin, but not at another that it redirects to", async () => {
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

  it('works behind a proxy that redirects to another name of this computer, at its own address', async () => {
    const remote = ending(await RemoteServer.open())
    const elsewhere = new URL(remote.url)
    elsewhere.hostname = 'localhost'
    const hosts: (string | undefined)[] = []
    remote.intercept = (request, response) => {
      hosts.push(request.headers.host)
      if (request.url !== '/short') return false
      response.writeHead(307, { location: `${elsewhere.origin}/mcp` }).end()
      return true
    }
    const url = new URL('/short', remote.url)
    const { lines } = await started({ remote: { url, headers: HEADERS } })
    expect(new Set(hosts)).toEqual(new Set([url.host]))
    expect(remote.requests.every((headers) => headers['x-api-key'] === 'k')).toBe(true)
    const notice = `redirects to itself by another name. Requests go to ${url.origin}/mcp.`
    expect(lines().filter((line) => line.includes(notice))).toHaveLength(1)
  })

  it('is rejected if that redirect is circular', async () => {
    const remote = ending(await RemoteServer.open())
    let requests = 0
    remote.intercept = (_request, response) => {
      requests += 1
      const location = remote.url.replace('127.0.0.1', 'localhost')
      response.writeHead(307, { location }).end()
      return true
    }
    const { failure } = await started(
      { remote: { url: new URL(remote.url), headers: {} } },
      'error',
    )
    expect(failure()[1]).toContain('redirects to another address (307): http://localhost:')
    expect(requests).toBeLessThan(20)
  })

  it('needs a sign-in if it rejects a list request with 401, and that request is not retried', async () => {
    const answers = { 'tools/list': status(401, 'no') }
    const { server, remote } = await startedRemote(answers, {}, 'signInNeeded')
    expect(remote.count('tools/list')).toBe(1)
    expect(server.status).toMatchObject({ host: remote.url.host })
  })

  it("gets no request if its certificate isn't trusted", async () => {
    let requests = 0
    const secure = createSecureServer(selfSigned(), () => (requests += 1))
    onTestFinished(() => void secure.close())
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${String((secure.address() as AddressInfo).port)}`
    const { fetch } = ending(new SystemNetwork({ environment: {} }))
    const remote = { url: new URL(`https://${host}/mcp`), fetch, headers: HEADERS }
    const { failure } = await started({ remote }, 'error')
    const message = `${host} isn’t trusted: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).`
    expect([failure(), requests]).toEqual([['REMOTE_UNTRUSTED', message], 0])
  })
})

const ALL = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover']

describe('B11: the health check over HTTP', () => {
  /** Starts a server that gives these methods this answer once it is Ready. */
  async function answering(answer: Answer, methods: readonly string[]) {
    const opened = await startedRemote({}, { settings: { healthMs: 1_000 } })
    for (const method of methods) opened.remote.answers[method] = answer
    return opened
  }

  it('fails if only a proxy in front of the server responds', async () => {
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

  it('succeeds if the server rejects it without a message', async () => {
    const { remote, server } = await answering(status(400), ['ping'])
    await expect.poll(() => remote.count('ping'), { timeout: 15_000 }).toBeGreaterThan(3)
    expect([server.status.kind, remote.count('initialize')]).toEqual(['ready', 1])
  })

  it('leads to a sign-in if the server rejects every request with 401', async () => {
    const { remote, server, until } = await answering(status(401, 'No'), ALL)
    await until('signInNeeded')
    expect(server.status).toMatchObject({ host: remote.url.host })
    expect(server.session).toBeUndefined()
  })
})

async function inSession(answers: OlderRemote['answers'] = {}, settings: Partial<Settings> = {}) {
  const opened = await startedRemote(answers, { settings })
  const { server } = opened
  const before = server.session
  const untilRenewed = (): Promise<void> =>
    expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
  return { ...opened, call: () => opened.call('tool'), untilRenewed }
}

/** Longer than any renewal takes, so that a wrong one would show. */
const A_WHILE_MS = 700

describe('F3: a session that the server has forgotten', () => {
  const unknown = { code: -32_001, message: 'Session not found' }
  it.each<[string, Answer]>([
    ['a 410', status(410, 'Session expired')],
    [
      'JSON-RPC -32001',
      (response, id) => json({ jsonrpc: '2.0', id, error: unknown })(response, id),
    ],
  ])('is detected by %s and replaced', async (_how, answer) => {
    // The server's own stream isn't found either, which doesn't matter.
    const { remote, call, untilRenewed } = await inSession({ GET: status(404) })
    remote.answers['tools/call'] = answer
    expect(await call().catch((error: unknown) => error)).toBeInstanceOf(SessionExpiredError)
    delete remote.answers['tools/call']
    await untilRenewed()
    expect(await call()).toMatchObject({ content: [] })
    expect(remote.count('initialize')).toBe(2)
  })

  it.each(['GET', 'DELETE'])('is not detected by a 404 to %s', async (method) => {
    const late: Answer = (response) => void pause(50).then(() => status(404)(response, undefined))
    const { remote, server, untilRenewed } = await inSession({ [method]: late })
    server.reconnect()
    await untilRenewed()
    await expect.poll(() => remote.count(method)).toBeGreaterThan(0)
    await pause(A_WHILE_MS)
    expect([remote.count('initialize'), server.reconnecting]).toEqual([2, undefined])
  })

  it.each([
    [true, 'backingOff'],
    [false, 'error'],
  ])('is replaced only a few times, with automatic restarts %s', async (startsAgain, kind) => {
    const settings = { startsAgain, breakerLosses: 3 }
    const { remote, server, call } = await inSession({ 'tools/call': status(404) }, settings)
    for (let calls = 0; calls < 20 && !isFailed(server.status); calls += 1) {
      const before = server.session
      await expect(call()).rejects.toBeInstanceOf(AppError)
      await expect.poll(() => server.session !== before || isFailed(server.status)).toBe(true)
    }
    expect(server.status).toMatchObject({ kind, code: 'REMOTE_FAILED' })
    expect(remote.count('initialize')).toBe(3)
  })
})
