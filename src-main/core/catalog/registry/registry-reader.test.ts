import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { listedServer, manyServers } from '../../../../e2e/fixtures/listed-servers'
import { startLocalRegistry } from '../../../../e2e/fixtures/local-registry'
import { openTestRegistry } from '../../../../e2e/fixtures/test-catalog'
import { RegistryError } from './registry-fault'
import { pauseAfter, RegistryReader, type RegistryReaderOptions } from './registry-reader'
import { createTransfer } from './registry-transfer'

/** Long enough for a request on a busy computer; responses get far longer. */
const HANG_LIMIT_MS = 2_000
const ANSWER_LIMIT_MS = 20_000
const QUICK = { attempts: 3, firstPauseMs: 1, longestPauseMs: 1_000 }

function readerOf(baseUrl: string, more: Partial<RegistryReaderOptions> = {}): RegistryReader {
  return new RegistryReader({ baseUrl, transfer: createTransfer(), retry: QUICK, ...more })
}

async function faultOf(work: Promise<unknown>): Promise<RegistryError['fault']> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof RegistryError) return error.fault
  throw new Error(`Expected a RegistryError, got ${String(error)}`)
}

describe('D2: reading a registry', () => {
  it('requests pages of 100 newest versions and passes the cursor unchanged', async () => {
    const { url, requests } = await openTestRegistry(manyServers(150))
    const reader = readerOf(`${url}/`)
    // The response header has whole seconds.
    const from = Math.floor(Date.now() / 1_000) * 1_000
    const first = await reader.readPage({ latestOnly: true })
    expect(first.entries).toHaveLength(100)
    const second = await reader.readPage({ latestOnly: true, cursor: first.nextCursor })
    expect(second.entries).toHaveLength(50)
    expect(second.nextCursor).toBeUndefined()
    expect(first.date).toBeGreaterThanOrEqual(from)
    expect(first.date).toBeLessThanOrEqual(Date.now())
    expect(requests).toEqual([
      '/v0.1/servers?limit=100&version=latest',
      '/v0.1/servers?limit=100&version=latest&cursor=org.example%2Fserver-0099%3A1.0.0',
    ])
  })

  it.each([
    ['html', 'web-page', 1],
    ['not-json', 'not-json', 1],
    ['no-list', 'wrong-shape', 1],
    ['error-500', 'server-error', 3],
    ['cut-off', 'cut-off', 3],
    ['hang', 'timed-out', 3],
    ['busy', 'busy', 1],
    ['refused', 'refused', 1],
    ['unauthorized', 'sign-in-needed', 1],
    ['too-large', 'too-large', 1],
  ] as const)('describes a registry that is %s in plain words', async (mode, code, asked) => {
    const { url, requests } = await openTestRegistry(mode)
    const timeLimitMs = mode === 'hang' ? HANG_LIMIT_MS : ANSWER_LIMIT_MS
    const limits = { byteLimit: 2 * 1024 * 1024, timeLimitMs }
    const fault = await faultOf(readerOf(url, limits).readPage({ latestOnly: true }))
    expect(fault.code).toBe(code)
    expect(fault.message).toMatch(/^The registry at http:\/\/127\.0\.0\.1:\d+ .*[^.]\.$/u)
    expect(fault.hint).toMatch(/\.$/u)
    expect(requests).toHaveLength(asked)
  })

  it.each([
    [403, 'sign-in-needed'],
    [404, 'not-found'],
    [408, 'timed-out'],
    [410, 'not-found'],
    [418, 'refused'],
    [503, 'server-error'],
  ])('describes the status %i in plain words', async (status, code) => {
    const { url } = await openTestRegistry('ok', {
      intercept: (_, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
        return true
      },
    })
    const fault = await faultOf(readerOf(url).readPage({ latestOnly: true }))
    expect(fault.code).toBe(code)
    expect(fault.message).toMatch(/^The registry at http:\/\/127\.0\.0\.1:\d+ .*[^.]\.$/u)
  })

  it('says so if a web page came', async () => {
    const { url } = await openTestRegistry('html')
    const fault = await faultOf(readerOf(url).readPage({ latestOnly: true }))
    expect(fault.message).toBe(`The registry at ${url} returned a web page.`)
  })

  it('retries a registry that was down for a moment', async () => {
    const running = await openTestRegistry(manyServers(3))
    running.misbehave('error-500', { times: 2 })
    const page = await readerOf(running.url).readPage({ latestOnly: true })
    expect(page.entries).toHaveLength(3)
    expect(running.requests).toHaveLength(3)
  })

  it.each([
    ['begins with the first', 1, 0.5, 500],
    ['is spread downwards', 1, 0, 250],
    ['is spread upwards', 1, 1, 750],
    ['doubles', 2, 0.5, 1_000],
    ['doubles again', 3, 0.5, 2_000],
    ['is never above the longest', 6, 0.5, 10_000],
    ['is spread below the longest alone', 6, 1, 10_000],
  ])('waits before a retry for a time that %s', (_, attempts, random, pause) => {
    const plan = { firstPauseMs: 500, longestPauseMs: 10_000 }
    expect(pauseAfter(attempts, plan, random)).toBe(pause)
  })

  it('retries a busy registry after the short wait it names, not sooner', async () => {
    const moments: number[] = []
    const { url } = await openTestRegistry(manyServers(3), {
      intercept: (_request, response) => {
        moments.push(performance.now())
        if (moments.length > 1) return false
        response.writeHead(429, { 'retry-after': '1' }).end()
        return true
      },
    })
    const page = await readerOf(url).readPage({ latestOnly: true })
    expect([page.entries.length, moments.length]).toEqual([3, 2])
    // A timer may fire slightly early.
    expect((moments[1] ?? 0) - (moments[0] ?? 0)).toBeGreaterThan(900)
  })

  it("doesn't wait for a registry that names a long wait", async () => {
    const { url, requests } = await openTestRegistry(manyServers(3), {
      intercept: (_request, response) => {
        response.writeHead(429, { 'retry-after': '2' }).end()
        return true
      },
    })
    const fault = await faultOf(readerOf(url).readPage({ latestOnly: true }))
    expect([fault.code, requests.length]).toEqual(['busy', 1])
  })

  it('says so if nothing answers', async () => {
    const running = await startLocalRegistry([])
    await running.close()
    const fault = await faultOf(readerOf(running.url).readPage({ latestOnly: true }))
    expect(fault.code).toBe('unreachable')
    expect(fault.message).toContain('the connection was refused')
  })

  it('can be canceled, also while waiting for a retry', async () => {
    const { url } = await openTestRegistry('hang')
    const calling = new AbortController()
    const page = readerOf(url).readPage({ latestOnly: true }, calling.signal)
    calling.abort()
    expect((await faultOf(page)).code).toBe('cancelled')

    const broken = await openTestRegistry('error-500')
    const patient = { retry: { attempts: 9, firstPauseMs: 60_000, longestPauseMs: 60_000 } }
    const later = new AbortController()
    const waiting = readerOf(broken.url, patient).readPage({ latestOnly: true }, later.signal)
    await expect.poll(() => broken.requests.length, { timeout: 20_000 }).toBe(1)
    later.abort()
    expect((await faultOf(waiting)).code).toBe('cancelled')
  })

  it('sends the ETag, and reports that nothing changed', async () => {
    const { url } = await openTestRegistry([listedServer({ name: 'a.b/c' })])
    const reader = readerOf(url)
    const first = await reader.readDocument('servers/a.b%2Fc/versions')
    expect(first).toMatchObject({ isUnchanged: false, etag: expect.any(String) as string })
    const second = await reader.readDocument('servers/a.b%2Fc/versions', first.etag)
    expect(second).toEqual({ isUnchanged: true, etag: first.etag, json: undefined })
  })
})

describe('D2: redirects of a registry', () => {
  async function redirecting(to: (request: IncomingMessage) => string): Promise<string> {
    const server = createServer((request, response) => {
      response.writeHead(307, { location: to(request) }).end('elsewhere')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it('are followed, but the token stays at its origin', async () => {
    const seen: (string | undefined)[] = []
    const target = await openTestRegistry(manyServers(1), {
      intercept: (request) => {
        seen.push(request.headers.authorization)
        return false
      },
    })
    const url = await redirecting(({ url: path }) => `${target.url}${path ?? ''}`)
    const page = await readerOf(url, { token: 'secret' }).readPage({ latestOnly: true })
    expect(page.entries).toHaveLength(1)
    expect(seen).toEqual([undefined])
    await readerOf(target.url, { token: 'secret' }).readPage({ latestOnly: true })
    expect(seen).toEqual([undefined, 'Bearer secret'])
  })

  it('fail if they loop, have no address or leave HTTP', async () => {
    for (const target of ['/v0.1/again', 'http://[', 'file:///etc/passwd']) {
      const url = await redirecting(() => target)
      const fault = await faultOf(readerOf(url).readPage({ latestOnly: true }))
      expect(fault.code).toBe('bad-redirect')
    }
  })

  it('never lead from https to http', async () => {
    const fetch = (() =>
      Promise.resolve(
        new Response(null, { status: 302, headers: { location: 'http://a.example/' } }),
      )) as typeof globalThis.fetch
    const answer = await createTransfer(fetch)({
      url: 'https://a.example/',
      timeLimitMs: 1_000,
      byteLimit: 1_000,
    })
    expect(answer).toMatchObject({ kind: 'failure', code: 'bad-redirect' })
  })
})
