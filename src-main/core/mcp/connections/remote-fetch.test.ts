import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import { retryAfterMs } from '../../failure/http-refusal'
import { bearerChallenge, challengesIn, remoteFetch } from './remote-fetch'

/** Resolves to the response to one request, with this time limit. */
async function fetchFrom(answer: RequestListener, maxTotalMs = 20_000): Promise<Response> {
  const server = createServer(answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`)
  const { fetch } = globalThis
  return remoteFetch({ fetch, url, headers: {}, maxMessageBytes: 1_000, maxTotalMs })(url)
}

describe('C10: a response of a remote server', () => {
  it('fails once it exceeds the maximum message size', async () => {
    const response = await fetchFrom((_request, to) => to.end('x'.repeat(1_001)))
    await expect(response.text()).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
  })

  it('fails if it begins too late or never ends', async () => {
    const late = { name: 'ResponseTimeoutError' }
    await expect(fetchFrom(() => undefined, 100)).rejects.toMatchObject(late)
    const response = await fetchFrom((_request, to) => void to.write('{'), 2_000)
    await expect(response.text()).rejects.toMatchObject(late)
  })

  it('may exceed the time limit if it is an event stream', async () => {
    const response = await fetchFrom((_request, to) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write('data: 1\n\n')
      void pause(3_000).then(() => to.end('data: 2\n\n'))
    }, 2_000)
    expect(await response.text()).toBe('data: 1\n\ndata: 2\n\n')
  })

  it.each([
    ['for too long', { 'retry-after': '31' }, 1],
    ['repeatedly', { 'retry-after': '0' }, 4],
    ['without a delay', {}, 1],
  ])('stays a 429 if the server is busy %s', async (_how, headers, tries) => {
    let requests = 0
    const response = await fetchFrom((_request, to) => {
      requests += 1
      to.writeHead(429, headers).end()
    })
    expect([response.status, requests]).toEqual([429, tries])
  })
})

describe('C10: Retry-After', () => {
  const NOW = Date.UTC(2026, 0, 2, 3, 4, 5)

  it.each<[string | null, number | undefined]>([
    [' 120 ', 120_000],
    ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['Thu, 01 Jan 2026 03:04:15 GMT', 0],
    [null, undefined],
    ['-1', undefined],
    ['1e9', undefined],
    ['Fri, 99 Foo', undefined],
  ])('of %j means a delay of %j ms', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms)
  })
})

const METADATA = 'https://server.test/meta'

const headersOf = (...challenges: readonly string[]): Headers =>
  new Headers(challenges.map((one) => ['www-authenticate', one] as [string, string]))

describe('F4: the challenges of a rejected request', () => {
  it.each([
    [
      'after others in separate headers',
      ['Negotiate', 'Basic realm="a, b"', `Bearer resource_metadata="${METADATA}"`],
    ],
    [
      'after others in the same header',
      [`Negotiate YII==, Basic realm="x", Bearer resource_metadata="${METADATA}"`],
    ],
    ['before others', [`Bearer resource_metadata="${METADATA}"`, 'Basic realm="x"']],
    ['with blanks around its signs', [`bearer realm = "x" ,\tresource_metadata  =  "${METADATA}"`]],
    ['without quotes', [`Bearer resource_metadata=${METADATA}`]],
    ['after an empty challenge', [`Bearer`, `Bearer resource_metadata="${METADATA}"`]],
    [
      'after a comma and a name in quotes',
      [`Bearer realm="say \\"Bearer scope=x\\", then", resource_metadata="${METADATA}"`],
    ],
    ['with names in another case', [`BEARER Resource_Metadata="${METADATA}"`]],
  ])('include the one for a bearer token %s', (_title, challenges) => {
    expect(bearerChallenge(headersOf(...challenges))?.resource_metadata).toBe(METADATA)
  })

  it('have separate parameters per scheme', () => {
    expect(challengesIn('Basic realm="one", scope=two, Bearer error=three')).toEqual([
      { scheme: 'basic', params: { realm: 'one', scope: 'two' } },
      { scheme: 'bearer', params: { error: 'three' } },
    ])
  })

  it.each([
    ['', []],
    ['Negotiate', ['negotiate']],
    [', ,,', []],
    ['"";=', []],
  ])('include none for a bearer token in %j', (header, schemes) => {
    expect(challengesIn(header).map(({ scheme }) => scheme)).toEqual(schemes)
    expect(bearerChallenge(headersOf(header))).toBeUndefined()
  })
})
