import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { ManualClock } from '../../e2e/fixtures/manual-clock'
import type { StateEvent } from '../../src-shared/ipc/contract'
import { Emitter } from '../core/lifecycle/emitter'
import type { Handlers } from '../ipc/answer'
import type { ServedCore } from './loopback-listener'
import { listenOnLoopback, type LoopbackListener } from './loopback-listener'

const events = new Emitter<StateEvent>()
const asked: string[] = []
let deep: unknown = {}
for (let depth = 0; depth < 20_000; depth += 1) deep = [deep]
const patchbay: ServedCore = {
  handlers: {
    'server.start': ({ installationId }: { installationId: string }) =>
      void asked.push(installationId),
    'server.capabilities': () => deep,
  } as unknown as Handlers,
  onEvent: events.event,
}
const furtherTabs: number[] = []
const rendererDir = mkdtempSync(join(tmpdir(), 'patchbay-renderer-'))
let listener: LoopbackListener

beforeAll(async () => {
  writeFileSync(join(rendererDir, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">')
  const onFurtherTab = (tabs: number): void => void furtherTabs.push(tabs)
  listener = await listenOnLoopback({ patchbay, rendererDir, port: 0, onFurtherTab })
})
afterAll(async () => {
  await listener.close()
  rmSync(rendererDir, { recursive: true })
})

const own = (): string => `127.0.0.1:${String(listener.port)}`
const newToken = (): string => new URL(listener.issueLink()).hash.replace('#token=', '')

async function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; body: string; allow: string | undefined }> {
  const asking = request({ host: '127.0.0.1', port: listener.port, path, headers, method }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const { statusCode: status = 0, headers: answered } = response
  return { status, body: Buffer.concat(chunks).toString(), allow: answered.allow }
}

function openSocket(
  headers: Record<string, string> = { origin: `http://${own()}` },
  path = '/socket',
): WebSocket {
  return new WebSocket(`ws://${own()}${path}`, { headers })
}

/** Sends a greeting; resolves to the first message or the close code. */
async function greet(
  greeting: unknown,
): Promise<{ message?: unknown; code?: number; socket: WebSocket }> {
  const socket = openSocket()
  await once(socket, 'open')
  socket.send(JSON.stringify(greeting))
  return Promise.race([
    once(socket, 'message').then(([data]) => ({
      message: JSON.parse(String(data)) as unknown,
      socket,
    })),
    once(socket, 'close').then(([code]) => ({ code: code as number, socket })),
  ])
}

describe('D7: the browser version', () => {
  it('serves the static shell to its own page, without any data', async () => {
    const { status, body } = await get('/')
    expect(status).toBe(200)
    expect(body).toMatch(/^<meta name="csp-nonce" content="[A-Za-z0-9+/=]{20,}">$/u)
  })

  it.each([
    ['a rebound host name', { host: 'evil.example' }],
    ['a page of another address', { origin: 'http://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque origin', { origin: 'null' }],
  ])('rejects %s', async (_what, headers) => {
    expect((await get('/', headers)).status).toBe(403)
    const socket = openSocket({ origin: `http://${own()}`, ...headers })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('403')
  })

  it('rejects a socket without an origin', async () => {
    const [error] = (await once(openSocket({}), 'error')) as [Error]
    expect(error.message).toContain('403')
  })

  it('opens sockets at /socket only', async () => {
    const [error] = (await once(openSocket(undefined, '/'), 'error')) as [Error]
    expect(error.message).toContain('403')
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('answers no %s request', async (method) => {
    expect(await get('/', {}, method)).toMatchObject({ status: 405, allow: 'GET, HEAD' })
  })

  it("reads nothing outside the renderer's folder", async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json']) {
      expect((await get(path)).status).not.toBe(200)
    }
  })

  it.each([
    ['no token', {}],
    ['a wrong token', { token: 'x'.repeat(43) }],
    ['something else', { id: 1, channel: 'server.start', input: { installationId: 'a' } }],
  ])('sends and does nothing after %s', async (_what, greeting) => {
    const { code, message } = await greet(greeting)
    expect({ code, message, asked }).toEqual({ code: 4401, message: undefined, asked: [] })
  })

  it('admits a link once, and its tab again and again', async () => {
    const token = newToken()
    const first = await greet({ token })
    expect(first.message).toMatchObject({ type: 'welcome' })
    expect((await greet({ token })).code).toBe(4401)
    const again = await greet({ token: (first.message as { token: string }).token })
    expect(again.message).toMatchObject({ type: 'welcome' })
    first.socket.close()
    again.socket.close()
  })

  it('reports each further tab, and signs all of them out', async () => {
    listener.signOutTabs()
    furtherTabs.length = 0
    const first = await greet({ token: newToken() })
    expect(furtherTabs).toEqual([])
    const { token } = first.message as { token: string }
    const tabs = [first, await greet({ token: newToken() }), await greet({ token: newToken() })]
    tabs.push(await greet({ token }))
    expect(furtherTabs).toEqual([2, 3])
    const closed = Promise.all(tabs.map(({ socket }) => once(socket, 'close')))
    const link = newToken()
    listener.signOutTabs()
    expect((await closed).map(([code]) => code as number)).toEqual([4401, 4401, 4401, 4401])
    for (const gone of [token, link]) expect((await greet({ token: gone })).code).toBe(4401)
  })

  it("carries the contract's requests and events", async () => {
    const { socket } = await greet({ token: newToken() })
    socket.send(JSON.stringify({ id: 7, channel: 'server.start', input: { installationId: 'b' } }))
    const [reply] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(reply.toString())).toEqual({ id: 7, reply: { ok: true } })
    expect(asked).toEqual(['b'])
    events.emit({ channel: 'server.removed', payload: { revision: 1, installationId: 'b' } })
    const [event] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(event.toString())).toEqual({
      event: 'server.removed',
      payload: { revision: 1, installationId: 'b' },
    })
    socket.close()
  })

  it('survives clients that request a socket and disconnect', async () => {
    const head = ['GET /socket HTTP/1.1', `Host: ${own()}`, 'Connection: Upgrade']
    const ask = [...head, 'Upgrade: websocket', 'Origin: http://evil.example', '', ''].join('\r\n')
    for (let round = 0; round < 100; round += 1) {
      const unrelated = connect(listener.port, '127.0.0.1').on('error', () => undefined)
      await once(unrelated, 'connect')
      unrelated.write(`${ask}${'x'.repeat(round)}`)
      if (round % 2 === 0) unrelated.resetAndDestroy()
      else setImmediate(() => unrelated.resetAndDestroy())
    }
    // An unhandled error event would fail the run.
    expect((await get('/')).status).toBe(200)
  })

  it('opens and stays open for its user while another account holds idle connections', async () => {
    const idle: Socket[] = []
    const holdIdle = async (): Promise<void> => {
      for (let count = 0; count < 300; count += 1) {
        const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined)
        idle.push(socket)
        await once(socket, 'connect')
      }
    }
    await holdIdle()
    expect((await get('/')).status).toBe(200)
    const { message, socket } = await greet({ token: newToken() })
    expect(message).toMatchObject({ type: 'welcome' })
    await holdIdle()
    await expect.poll(() => idle.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(256)
    const answered = once(socket, 'message')
    socket.send(JSON.stringify({ id: 9, channel: 'server.start', input: { installationId: 'd' } }))
    expect(JSON.parse(String((await answered)[0]))).toEqual({ id: 9, reply: { ok: true } })
    for (const one of idle) one.destroy()
    socket.close()
  })

  it('admits a token while others open silent sockets', async () => {
    const silent = Array.from({ length: 80 }, () => openSocket())
    const cut = new Set<WebSocket>()
    for (const socket of silent) {
      socket.on('error', () => undefined).on('close', () => cut.add(socket))
      await once(socket, 'open')
    }
    const { message, socket } = await greet({ token: newToken() })
    expect(message).toMatchObject({ type: 'welcome' })
    await expect.poll(() => cut.size).toBeGreaterThanOrEqual(64)
    for (const one of [...silent, socket]) one.terminate()
  })

  it('opens no more than 64 sockets, with or without a token', async () => {
    const first = await greet({ token: newToken() })
    const { token } = first.message as { token: string }
    const sockets = [first.socket]
    while (sockets.length < 64) sockets.push((await greet({ token })).socket)
    const [error] = (await once(openSocket(), 'error')) as [Error]
    expect(error.message).toContain('403')
    const closed = once(first.socket, 'close')
    first.socket.close()
    await closed
    await expect
      .poll(async () => (await greet({ token }).catch(() => undefined))?.message)
      .toMatchObject({ type: 'welcome' })
    for (const one of sockets) one.terminate()
  })

  it('closes a socket that sends no token within five seconds', async () => {
    const time = new ManualClock()
    const other = await listenOnLoopback({ patchbay, rendererDir, port: 0, time })
    const origin = `http://127.0.0.1:${String(other.port)}`
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/socket`, { headers: { origin } })
    await once(socket, 'open')
    time.pass(4_999)
    expect(time.waiting).toBe(1)
    const closed = once(socket, 'close')
    time.pass(1)
    const [code, reason] = (await closed) as [number, Buffer]
    expect([code, reason.toString()]).toEqual([4401, 'The token is missing.'])
    await other.close()
  })

  it.each([
    ['text that is not JSON', '{', 1007],
    ['an unknown channel', '{"id":1,"channel":"app.erase"}', 1007],
    ['a request without a number', '{"channel":"server.start"}', 1007],
    ['a message larger than 8 MB', 'x'.repeat(8 * 1024 * 1024 + 1), 1009],
  ])('closes a socket that sends %s', async (_what, text, expected) => {
    const { socket } = await greet({ token: newToken() })
    const closed = once(
      socket.on('error', () => undefined),
      'close',
    )
    socket.send(text)
    expect((await closed)[0]).toBe(expected)
  })

  it('closes a socket that reads too slowly, so that its events take no memory', async () => {
    const { socket } = await greet({ token: newToken() })
    const other = await greet({ token: newToken() })
    socket.pause()
    const installationId = 'x'.repeat(1024 * 1024)
    for (let count = 0; count < 64; count += 1) {
      const received = once(other.socket, 'message')
      events.emit({ channel: 'server.removed', payload: { revision: 1, installationId } })
      await received
    }
    const closed = once(socket, 'close')
    socket.resume()
    expect((await closed)[0]).toBe(1013)
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
    other.socket.close()
  })

  it("rejects a value that JSON can't represent instead of breaking", async () => {
    const { socket } = await greet({ token: newToken() })
    const input = { installationId: 'c' }
    socket.send(JSON.stringify({ id: 8, channel: 'server.capabilities', input }))
    const [reply] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(reply.toString())).toMatchObject({ id: 8, reply: { ok: false } })
    socket.close()
  })

  it('lets no page of another address load a file', async () => {
    const asking = request({ host: '127.0.0.1', port: listener.port, path: '/' }).end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  it('explains a taken port', async () => {
    const second = listenOnLoopback({ patchbay, rendererDir, port: listener.port })
    await expect(second).rejects.toMatchObject({
      message: expect.stringContaining('EADDRINUSE') as string,
    })
  })
})
