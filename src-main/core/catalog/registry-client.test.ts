import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { startLocalRegistry } from '../../../e2e/fixtures/local-registry'
import { AppError } from '../../../src-shared/domain/app-error'
import { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { readLatest, searchRegistry } from './registry-client'

const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function registry(...start: Parameters<typeof startLocalRegistry>) {
  const running = await startLocalRegistry(...start)
  closing.push(running.close)
  return running
}

/** A server that answers every request with these bytes. */
async function answering(body: string): Promise<string> {
  const server = createServer((_, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function entry(name: string, status = 'active', more: object = {}) {
  return {
    server: { name, description: 'd', version: '1.0.0', ...more },
    _meta: { [OFFICIAL]: { status, publishedAt: '2026-01-01T00:00:00Z', isLatest: true } },
  }
}

async function failure(search: Promise<unknown>): Promise<AppError> {
  const error: unknown = await search.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof AppError) return error
  throw new Error(`Expected an AppError, got ${String(error)}`)
}

describe('D2 live search of the registry', () => {
  it('asks for the newest versions and reads the entries', async () => {
    const { url, requests } = await registry([entry('io.github.a/git tools'), entry('b/other')])
    const { entries, more } = await searchRegistry({ baseUrl: `${url}/`, query: 'git tools&x=1' })
    expect(requests).toEqual(['/v0.1/servers?search=git+tools%26x%3D1&version=latest&limit=50'])
    expect({ entries, more }).toEqual({ entries: [], more: false })
    const found = await searchRegistry({ baseUrl: url, query: 'GIT' })
    expect(found.entries).toMatchObject([
      {
        entryId: 'registry:io.github.a/git tools@1.0.0',
        source: 'registry',
        status: 'active',
        publishedAt: '2026-01-01T00:00:00Z',
        notices: [],
      },
    ])
    for (const one of found.entries) expect(CatalogEntry.safeParse(one).success).toBe(true)
  })

  it('hides deleted entries, keeps deprecated ones, and one bad entry costs no other', async () => {
    const { url } = await registry([
      entry('x/deleted', 'deleted'),
      entry('x/old', 'deprecated'),
      { server: { name: 'x/odd', packages: 'none', version: 3 } },
      { server: { title: 'no name' } },
      entry('x/plain', 'no such status'),
    ])
    const { entries } = await searchRegistry({ baseUrl: url, query: '' })
    expect(entries.map(({ server, status }) => [server.name, status])).toEqual([
      ['x/old', 'deprecated'],
      ['x/odd', 'active'],
      ['x/plain', 'active'],
    ])
    expect(entries[1]?.notices).toEqual([
      { path: 'packages', code: 'wrong-type', message: 'Expected a list.' },
    ])
  })

  it('tells that others match', async () => {
    const { url } = await registry(Array.from({ length: 60 }, (_, n) => entry(`x/s${n}`)))
    const { entries, more } = await searchRegistry({ baseUrl: url, query: 'x' })
    expect([entries.length, more]).toEqual([50, true])
  })

  it.each([
    ['html', /answered with a web page\.$/],
    ['not-json', /answered with no JSON\.$/],
    ['error-500', /answered with status 500\.$/],
  ] as const)('calls %s a bad answer', async (mode, message) => {
    const { url } = await registry(mode)
    const error = await failure(searchRegistry({ baseUrl: url, query: 'x' }))
    expect(error.code).toBe('REGISTRY_BAD_ANSWER')
    expect(error.message).toMatch(message)
    expect(error.message).toContain(url)
    expect(error.hint).toBeTruthy()
  })

  it.each(['[]', '{"items": []}', '{"servers": {}}', 'null', ''])(
    'calls %j a bad answer',
    async (body) => {
      const error = await failure(searchRegistry({ baseUrl: await answering(body), query: 'x' }))
      expect(error.code).toBe('REGISTRY_BAD_ANSWER')
    },
  )

  it('stops reading after 5 MB', async () => {
    const baseUrl = await answering(`{"servers": [], "x": "${'x'.repeat(6 * 1024 * 1024)}"}`)
    const error = await failure(searchRegistry({ baseUrl, query: 'x' }))
    expect(error).toMatchObject({ code: 'REGISTRY_BAD_ANSWER' })
    expect(error.message).toMatch(/more than 5 MB/)
  })

  it('says within its limit that nothing came', async () => {
    const { url } = await registry('hang')
    const error = await failure(searchRegistry({ baseUrl: url, query: 'x', timeLimitMs: 100 }))
    expect(error.code).toBe('REGISTRY_UNREACHABLE')
    expect(error.message).toBe(
      `The registry at ${url} could not be reached: it did not answer within 0.1 s.`,
    )
  })

  it('says in plain words that nothing listens, or that the name is unknown', async () => {
    const { url, close } = await startLocalRegistry('ok')
    await close()
    const refused = await failure(searchRegistry({ baseUrl: url, query: 'x' }))
    expect(refused).toMatchObject({ code: 'REGISTRY_UNREACHABLE' })
    expect(refused.message).toMatch(/nothing answers there\.$/)
    const unknown = await failure(
      searchRegistry({ baseUrl: 'http://user:pass@no-such-host.invalid', query: 'x' }),
    )
    expect(unknown.code).toBe('REGISTRY_UNREACHABLE')
    expect(unknown.message).not.toContain('pass')
    const unresolved = await failure(
      searchRegistry({ baseUrl: 'http://no-such-host.invalid', query: 'x' }),
    )
    expect(unresolved.message).toMatch(/its name could not be resolved\.$/)
  })

  it('hands the abort of the caller back as it is', async () => {
    const { url } = await registry('hang')
    const controller = new AbortController()
    const search = searchRegistry({ baseUrl: url, query: 'x', signal: controller.signal })
    controller.abort(new Error('typed on'))
    await expect(search).rejects.toThrow('typed on')
  })
})

describe('the newest version of one server', () => {
  it('is asked for by its full name and read like every entry', async () => {
    const older = entry('io.github.a/git tools')
    const newer = entry('io.github.a/git tools', 'deprecated', { version: '2.0.0' })
    const { url, requests } = await registry([older, newer, entry('b/other')])
    expect(await readLatest({ baseUrl: url, name: 'io.github.a/git tools' })).toMatchObject({
      entryId: 'registry:io.github.a/git tools@2.0.0',
      status: 'deprecated',
    })
    expect(requests).toEqual(['/v0.1/servers/io.github.a%2Fgit%20tools/versions/latest'])
  })

  it('is undefined where the registry does not know the server', async () => {
    const { url } = await registry([entry('b/other')])
    expect(await readLatest({ baseUrl: url, name: 'a/b' })).toBeUndefined()
  })

  it('fails as a search does where the registry misbehaves', async () => {
    const { url } = await registry('html')
    expect(await failure(readLatest({ baseUrl: url, name: 'a/b' }))).toMatchObject({
      code: 'REGISTRY_BAD_ANSWER',
    })
  })
})
