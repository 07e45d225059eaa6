import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type RemoteKind, RemoteServer } from '../../../../e2e/fixtures/remote-server'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { SessionSupervisor } from '../../servers/session-supervisor'

let supervisors: Supervisors
let stack: AsyncDisposableStack

beforeEach(() => {
  stack = new AsyncDisposableStack()
  supervisors = stack.use(new Supervisors())
})

afterEach(() => stack.disposeAsync())

async function open(kind: RemoteKind = 'both') {
  const remote = stack.use(await RemoteServer.open(kind))
  const { server, lines, settings } = supervisors.open({ remote: { url: new URL(remote.url) } })
  return { remote, server, lines, settings }
}

const until = (server: SessionSupervisor, kind: string) =>
  expect.poll(() => JSON.stringify(server.status)).toContain(`"kind":"${kind}"`)

/** Has time enough for a busy computer. */
const call = (server: SessionSupervisor, name: string, args: object) =>
  server.session?.request('tools/call', { name, arguments: args }, { timeoutMs: 100_000 })

/** The code of the failure that a start ended in. */
const failure = (server: SessionSupervisor) =>
  isFailed(server.status) ? [server.status.code, server.status.message] : server.status

describe('B13 and C10 a remote server', () => {
  it.each([
    ['both', '2026-07-28', 'modern'],
    ['modern', '2026-07-28', 'modern'],
    ['sessions', '2025-11-25', 'legacy'],
  ] as const)('that speaks %s is spoken to in %s', async (kind, version, era) => {
    const { server } = await open(kind)
    server.start()
    await until(server, 'ready')
    expect([server.session?.protocolVersion, server.session?.era]).toEqual([version, era])
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['echo', 'large'])
    expect(await call(server, 'echo', { text: 'again' })).toMatchObject({
      content: [{ type: 'text', text: 'again' }],
    })
    expect(server.phases.map(({ phase }) => phase)).toEqual(['resolve', 'handshake', 'discover'])
    expect([server.session?.pid, server.session?.connection.tree]).toEqual([undefined, undefined])
  })

  it('gets the headers that a person set, and has its bytes counted', async () => {
    const remote = stack.use(await RemoteServer.open())
    const { server } = supervisors.open({
      remote: { url: new URL(remote.url), headers: { 'x-api-key': 'k' } },
    })
    server.start()
    await until(server, 'ready')
    expect(remote.requests.map((headers) => headers['x-api-key'])).toEqual(
      remote.requests.map(() => 'k'),
    )
    const { bytesIn = 0, bytesOut = 0 } = server.session?.connection.traffic ?? {}
    expect(Math.min(bytesIn, bytesOut)).toBeGreaterThan(100)
  })

  it('takes a result of 32 MB', async () => {
    const { server } = await open()
    server.start()
    await until(server, 'ready')
    const bytes = 32 * 1024 * 1024
    const { content } = (await call(server, 'large', { bytes })) as { content: [{ text: string }] }
    expect(content[0].text).toHaveLength(bytes)
  })

  it('that forgot the session gets another one by itself, and works on', async () => {
    const { remote, server, lines } = await open('sessions')
    server.start()
    await until(server, 'ready')
    const before = server.session
    remote.forget()
    await expect(call(server, 'echo', { text: 'a' })).rejects.toMatchObject({
      code: 'REMOTE_FAILED',
    })
    await expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
    expect(await call(server, 'echo', { text: 'b' })).toMatchObject({ content: [{ text: 'b' }] })
    expect(lines()).toContain('The server no longer knows the session')
  })

  it('is lost where it forgot the session and gives no other', async () => {
    const { remote, server } = await open('sessions')
    server.start()
    await until(server, 'ready')
    remote.forget()
    remote.intercept = (request, response) => {
      if (request.headers['mcp-session-id'] !== undefined) return false
      response.writeHead(503).end()
      return true
    }
    await call(server, 'echo', {})?.catch(() => undefined)
    await expect.poll(() => failure(server)).toEqual(['REMOTE_FAILED', expect.any(String)])
  })

  it('tells of changed tools also in the era in which it has to be asked to', async () => {
    const { remote, server } = await open('modern')
    server.start()
    await until(server, 'ready')
    const before = server.listing
    await expect
      .poll(async () => {
        await remote.changeTools()
        return server.listing > before
      })
      .toBe(true)
  })

  it('is stopped, reconnected and started again as any other', async () => {
    const { server } = await open('sessions')
    server.start()
    await until(server, 'ready')
    const before = server.session
    server.reconnect()
    await expect.poll(() => server.session !== before && server.status.kind).toBe('ready')
    await server.stop()
    expect(server.status.kind).toBe('stopped')
    server.start()
    await until(server, 'ready')
  })
})

describe('C10 a remote server that cannot be spoken to', () => {
  it.each([
    [403, 'REMOTE_REFUSED'],
    [404, 'REMOTE_REFUSED'],
    [500, 'REMOTE_FAILED'],
  ])('says so where it answers %i', async (status, code) => {
    const { remote, server } = await open()
    remote.intercept = (_request, response) => {
      response.writeHead(status).end('no')
      return true
    }
    server.start()
    await expect
      .poll(() => failure(server))
      .toEqual([code, expect.stringContaining(String(status))])
  })

  it('says so where it answers 401, which no further try can mend', async () => {
    const { remote, server } = await open()
    remote.intercept = (_request, response) => {
      response.writeHead(401).end('no')
      return true
    }
    server.start()
    await until(server, 'signInNeeded')
    expect(server.status).toMatchObject({ host: new URL(remote.url).host })
  })

  it('says so where a web page answers', async () => {
    const { remote, server } = await open()
    remote.intercept = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>Sign in to the hotel</html>')
      return true
    }
    server.start()
    await expect
      .poll(() => failure(server))
      .toEqual(['REMOTE_REFUSED', expect.stringContaining('not as an MCP server')])
  })

  it('says so where nothing answers', async () => {
    const { url } = await closedServer()
    const { server } = supervisors.open({ remote: { url: new URL(url) } })
    server.start()
    await expect
      .poll(() => failure(server))
      .toEqual(['REMOTE_UNREACHABLE', expect.stringContaining('the connection was refused')])
  })

  it('says so where it leads to another origin, to which nothing of the person goes', async () => {
    const { remote, server } = await open()
    const other = stack.use(await RemoteServer.open())
    remote.intercept = (_request, response) => {
      response.writeHead(307, { location: other.url }).end()
      return true
    }
    server.start()
    await expect
      .poll(() => failure(server))
      .toEqual(['REMOTE_REFUSED', expect.stringContaining('307')])
    expect(other.requests).toEqual([])
  })

  it('fails a call whose stream is cut before its answer, and works on', async () => {
    const { remote, server } = await open()
    server.start()
    await until(server, 'ready')
    remote.intercept = (request, response) => {
      if (request.headers['mcp-method'] !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': begun\n\n', () => response.destroy())
      return true
    }
    await expect(call(server, 'echo', { text: 'a' })).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
    })
    remote.intercept = () => false
    expect(await call(server, 'echo', { text: 'b' })).toMatchObject({ content: [{ text: 'b' }] })
  })

  it('waits as a busy server asks, and then gets its answer', async () => {
    const { remote, server } = await open()
    server.start()
    await until(server, 'ready')
    let asked = 0
    remote.intercept = (request, response) => {
      if (request.headers['mcp-method'] !== 'tools/call') return false
      asked += 1
      if (asked > 2) return false
      response.writeHead(429, { 'retry-after': '0' }).end()
      return true
    }
    expect(await call(server, 'echo', { text: 'c' })).toMatchObject({ content: [{ text: 'c' }] })
    expect(asked).toBe(3)
  })
})

/** An address on which nobody listens any more. */
async function closedServer(): Promise<{ url: string }> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${String(port)}/mcp` }
}
