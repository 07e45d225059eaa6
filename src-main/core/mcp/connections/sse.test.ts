import { describe, expect, it } from 'vitest'

import { openPeer } from '../../../../e2e/fixtures/open-peer'
import { SseServer } from '../../../../e2e/fixtures/sse-server'
import { ending, spokenMemory, supervised } from '../../../../e2e/fixtures/supervised'
import type { RemoteTransport } from './http-connection'
import { SseConnection } from './sse'

async function open(
  transports: readonly RemoteTransport[] = ['sse', 'streamable-http'],
  startsAgain = false,
) {
  const remote = ending(await SseServer.open())
  const url = new URL(remote.url)
  const { found, spoken } = spokenMemory()
  const opened = supervised({
    remote: { url, transports: [...transports], spoken, headers: { 'x-api-key': 'k' } },
    settings: { startsAgain },
  })
  /** Starts the server and waits for a status of this kind. */
  const start = (kind = 'ready'): Promise<void> => {
    opened.server.start()
    return opened.until(kind)
  }
  const echo = (text: string): Promise<unknown> => opened.call('echo', { text })
  return { ...opened, remote, url, found, start, echo }
}

describe('C10: a remote server that speaks the older HTTP+SSE', () => {
  it.each<RemoteTransport[][]>([[['sse', 'streamable-http']], [['streamable-http', 'sse']]])(
    "is listed and called, and gets the user's headers with every request: %j",
    async (transports) => {
      const { server, remote, found, start, echo } = await open(transports)
      await start()
      expect([server.session?.protocolMode, server.capabilities.tools.length]).toEqual([
        'sessions',
        2,
      ])
      expect(await echo('a')).toMatchObject({ content: [{ text: 'a' }] })
      expect(new Set(remote.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
      expect(remote.requests.every(({ headers }) => headers['x-api-key'] === 'k')).toBe(true)
      expect(found.at(-1)).toEqual({ protocolMode: 'sessions', transport: 'sse' })
      expect(remote.opened).toBe(1)
      const { bytesIn = 0, bytesOut = 0 } = server.session?.connection.byteCounts ?? {}
      expect(Math.min(bytesIn, bytesOut)).toBeGreaterThan(100)
    },
  )

  it('gets no request if its endpoint has another origin', async () => {
    const other = ending(await SseServer.open())
    const { remote, start, failure } = await open()
    remote.endpoint = (path) => new URL(path, other.url).href
    await start('error')
    const words = `${remote.url} names an endpoint at another address, which Patchbay doesn’t use: ${new URL(other.url).origin}`
    expect(failure()).toEqual(['REMOTE_FAILED', expect.stringContaining(words)])
    expect(other.requests).toEqual([])
  })

  it.each<[string, (path: string, url: URL) => string]>([
    ['0.0.0.0', (path, { port }) => `http://0.0.0.0:${port}${path}`],
    ['an escaped URL', (path, { host }) => `http%3A//${host.replace(':', '%3A')}${path}`],
  ])('is used at its own address if it names its endpoint by %s', async (_how, named) => {
    const { remote, url, start } = await open()
    remote.endpoint = (path) => named(path, url)
    await start()
    expect(new Set(remote.requests.map(({ headers }) => headers.host))).toEqual(new Set([url.host]))
  })

  it('fails with both addresses if its endpoint rejects the first message', async () => {
    const { remote, url, start, failure } = await open(['sse'])
    remote.endpoint = () => '/elsewhere?s=1'
    await start('error')
    const message = `${remote.url} names the endpoint ${url.origin}/elsewhere?s=1, which rejected the first message (404).`
    expect(failure()).toEqual(['REMOTE_REFUSED', message])
  })

  it('fails after a time limit if it names no endpoint', async () => {
    const { remote, url } = await open()
    remote.endpoint = () => undefined
    const { fetch } = globalThis
    const limits = { maxMessageBytes: 1_000_000, onExpired: () => undefined }
    const connection = new SseConnection({ url, headers: {} }, { fetch, ...limits }, 200)
    connection.attach(openPeer().peer)
    await expect(connection.open()).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: expect.stringContaining('sent no endpoint event within 0.2 s') as string,
    })
    await connection.close()
  })

  it('is disconnected when its stream ends, fails the waiting call, and reconnects', async () => {
    const { server, remote, url, start, until, echo, failure } = await open(undefined, true)
    await start()
    const before = server.session
    remote.refusal = { status: 202, body: '' }
    const waiting = expect(echo('a')).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
    await expect.poll(() => server.session?.inFlight).toBe(1)
    remote.refusal = undefined
    remote.cut()
    await waiting
    await until('backingOff')
    expect(failure()).toEqual(['REMOTE_UNREACHABLE', expect.stringContaining(url.host)])
    await until('ready')
    expect(server.session).not.toBe(before)
    expect(await echo('b')).toMatchObject({ content: [{ text: 'b' }] })
    expect(remote.opened).toBe(2)
  })
})
