import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import { remoteFetch, type RemoteFetchOptions } from './remote-fetch'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`)
}

function fetching(url: URL, change: Partial<RemoteFetchOptions> = {}) {
  const counted = { sent: 0, received: 0 }
  const fetch = remoteFetch({
    fetch: globalThis.fetch,
    url,
    headers: { 'x-key': 'secret' },
    maxMessageBytes: 1_000,
    maxTotalMs: 20_000,
    onSent: (bytes) => (counted.sent += bytes),
    onReceived: (bytes) => (counted.received += bytes),
    ...change,
  })
  return { fetch, counted }
}

describe('C10 what goes to a remote server', () => {
  it('has the headers of the person for the server, and for no other origin', async () => {
    const seen: unknown[] = []
    const url = await serve((request, response) => {
      seen.push(request.headers['x-key'])
      response.end('{}')
    })
    const other = await serve((request, response) => {
      seen.push(request.headers['x-key'] ?? 'none')
      response.end('{}')
    })
    const { fetch } = fetching(url)
    await (await fetch(url)).text()
    await (await fetch(other)).text()
    expect(seen).toEqual(['secret', 'none'])
  })

  it('keeps what the protocol says where a person typed a header of the same name', async () => {
    const url = await serve((request, response) => response.end(request.headers['x-key']))
    const { fetch } = fetching(url)
    const response = await fetch(url, { headers: { 'X-Key': 'of the protocol' } })
    expect(await response.text()).toBe('of the protocol')
  })

  it('is counted, both ways', async () => {
    const url = await serve((_request, response) => response.end('{"ok":1}'))
    const { fetch, counted } = fetching(url)
    await (await fetch(url, { method: 'POST', body: '{"ä":1}' })).text()
    expect(counted).toEqual({ sent: 8, received: 8 })
  })
})

describe('C10 what comes from a remote server', () => {
  it('fails once it is larger than a message may be', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(1_001)))
    const { fetch } = fetching(url)
    const response = await fetch(url)
    await expect(response.text()).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
  })

  it('fails when it does not begin in time, and when it never ends', async () => {
    const silent = await serve(() => undefined)
    await expect(fetching(silent, { maxTotalMs: 100 }).fetch(silent)).rejects.toMatchObject({
      name: 'ResponseTimeoutError',
    })
    const endless = await serve((_request, response) => void response.write('{'))
    const response = await fetching(endless, { maxTotalMs: 2_000 }).fetch(endless)
    await expect(response.text()).rejects.toMatchObject({ name: 'ResponseTimeoutError' })
  })

  it('may go on for longer where it is a stream of events', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      void pause(3_000).then(() => response.end('data: 2\n\n'))
    })
    const response = await fetching(url, { maxTotalMs: 2_000 }).fetch(url)
    expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n')
  })

  it('is asked for again when the server is busy and says for how long', async () => {
    let asked = 0
    const url = await serve((_request, response) => {
      asked += 1
      if (asked < 3) response.writeHead(429, { 'retry-after': '0' })
      response.end(String(asked))
    })
    const response = await fetching(url).fetch(url, { method: 'POST', body: '{}' })
    expect([response.status, await response.text()]).toEqual([200, '3'])
  })

  it('is a 429 where the server is busy for too long, again and again, or does not say for how long', async () => {
    const answers = [{ 'retry-after': '31' }, { 'retry-after': '0' }, {}]
    const counts: number[] = []
    for (const headers of answers) {
      let asked = 0
      const url = await serve((_request, response) => {
        asked += 1
        response.writeHead(429, headers).end()
      })
      expect((await fetching(url).fetch(url)).status).toBe(429)
      counts.push(asked)
    }
    expect(counts).toEqual([1, 4, 1])
  })
})
