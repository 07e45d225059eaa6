import { describe, expect, it } from 'vitest'

import { listedServer, manyServers, realEntries } from '../../../../e2e/fixtures/listed-servers'
import {
  listedNames,
  LOCAL_SOURCE,
  openTestRegistry,
  openTestStore,
  syncFrom,
} from '../../../../e2e/fixtures/test-catalog'
import type { SyncProgress } from '../../../../src-shared/domain/catalog/catalog-sync'

const NAMELESS = { server: { title: 'No name' } }

describe('D2: a full sync', () => {
  it('reads every page, and shows each as it arrives', async () => {
    const store = openTestStore()
    const visible: number[] = []
    const took: number[] = []
    const onProgress = ({ elapsedMs }: SyncProgress): void => {
      visible.push(store.search({ text: '' }).total)
      took.push(elapsedMs)
    }
    const report = await syncFrom(store, await openTestRegistry(manyServers(250)), { onProgress })
    expect(report).toMatchObject({ kind: 'full', pages: 3, entries: 250, changed: 250, leftOut: 0 })
    expect(report.fault).toBeUndefined()
    expect(visible).toEqual([100, 200, 250])
    // Each reports the time elapsed so far.
    expect(took).toEqual(took.toSorted((a, b) => a - b))
    expect(took.at(-1)).toBeGreaterThan(0)
    expect(store.sources.list()).toMatchObject([{ servers: 250, waitingPages: 0 }])
  })

  it('resumes where a fault stopped it, and keeps what arrived', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(450))
    running.misbehave('html', { after: 2, times: 1 })
    const first = await syncFrom(store, running)
    expect(first).toMatchObject({ pages: 2, entries: 200, fault: { code: 'web-page' } })
    expect(store.sources.list()).toMatchObject([
      { servers: 200, waitingPages: 2, fault: { code: 'web-page' } },
    ])
    const asked = running.requests.length
    const second = await syncFrom(store, running)
    expect(second).toMatchObject({ pages: 5, entries: 250, kind: 'full' })
    expect(running.requests.slice(asked)[0]).toContain('cursor=org.example%2Fserver-0199')
    expect(listedNames(store)).toHaveLength(450)
    expect(store.sources.list()[0]?.fault).toBeUndefined()
  })

  it('starts again if the registry has forgotten the cursor', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(300))
    running.misbehave('cut-off', { after: 1, times: 1 })
    await syncFrom(store, running)
    running.entries.splice(0, 150)
    const report = await syncFrom(store, running)
    expect(report.fault).toBeUndefined()
    expect(listedNames(store)).toHaveLength(150)
  })

  it('can be canceled, and says so', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(300))
    const calling = new AbortController()
    const report = await syncFrom(store, running, {
      signal: calling.signal,
      onProgress: () => calling.abort(),
    })
    expect(report).toMatchObject({ pages: 1, fault: { code: 'cancelled' } })
    expect(listedNames(store)).toHaveLength(100)
  })

  it('removes unlisted servers only at its end', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(250))
    await syncFrom(store, running)
    running.entries.splice(240)
    running.misbehave('error-500', { after: 1, times: 1 })
    expect((await syncFrom(store, running, { mode: 'full' })).fault?.code).toBe('server-error')
    expect(listedNames(store)).toHaveLength(250)
    const report = await syncFrom(store, running)
    expect(report).toMatchObject({ removed: 10, changed: 0 })
    expect(listedNames(store)).toHaveLength(240)
    expect(store.search({ text: 'server 0245' }).total).toBe(0)
  })

  it('keeps the catalog if a registry suddenly lists nothing', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(20))
    await syncFrom(store, running)
    running.entries.length = 0
    const report = await syncFrom(store, running, { mode: 'full' })
    expect(report.fault?.code).toBe('empty-list')
    expect(listedNames(store)).toHaveLength(20)
  })

  it('ends at a repeated cursor and at the page limit', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(500))
    expect(await syncFrom(store, running, { pageLimit: 3 })).toMatchObject({
      pages: 3,
      fault: { code: 'page-limit' },
    })
    expect(listedNames(store)).toHaveLength(300)
    running.misbehave('same-cursor')
    expect(await syncFrom(store, running)).toMatchObject({
      pages: 2,
      fault: { code: 'repeated-cursor' },
    })
    expect(listedNames(store)).toHaveLength(300)
    expect(store.sources.list()).toMatchObject([{ waitingPages: 0 }])
  })

  it('ignores entries without a name, and loses no other', async () => {
    const store = openTestStore()
    const odd = [{ server: { title: 'No name' } }, { server: { name: 'x'.repeat(1_000) } }]
    const strange = {
      server: { name: 'a.b/strange', packages: 'none', remotes: [7, null], version: 3 },
    }
    const running = await openTestRegistry([
      odd[0] ?? {},
      listedServer({ name: 'a.b/good' }),
      strange,
      odd[1] ?? {},
    ])
    expect(await syncFrom(store, running)).toMatchObject({ entries: 4, leftOut: 2, changed: 2 })
    expect(listedNames(store)).toEqual(['a.b/good', 'a.b/strange'])
    expect(store.sources.list()).toMatchObject([{ leftOut: 2 }])
  })

  it('keeps the count of ignored entries across an interruption, until a list has none', async () => {
    const store = openTestStore()
    const entries = manyServers(150)
    entries.splice(20, 1, NAMELESS)
    entries.splice(120, 2, NAMELESS, NAMELESS)
    const running = await openTestRegistry(entries)
    const leftOut = (): number | undefined => store.sources.find('local')?.leftOut
    running.misbehave('cut-off', { after: 1, times: 1 })
    await syncFrom(store, running)
    expect(leftOut()).toBe(1)
    await syncFrom(store, running)
    expect(leftOut()).toBe(3)
    await syncFrom(store, running, { mode: 'full' })
    expect(leftOut()).toBe(3)
    running.entries.splice(0, 150, ...manyServers(150))
    await syncFrom(store, running, { mode: 'full' })
    expect(leftOut()).toBe(0)
  })

  it("picks the newest version if a registry can't list only newest ones", async () => {
    const store = openTestStore()
    const running = await openTestRegistry(
      ['1.10.0', '1.9.0', '1.2.0'].map((version) => ({
        server: { name: 'a.b/c', version, description: `Version ${version}` },
      })),
      {
        intercept: (request, response) => {
          if (!request.url?.includes('version=latest')) return false
          response.writeHead(422).end('{}')
          return true
        },
      },
    )
    expect((await syncFrom(store, running)).fault).toBeUndefined()
    expect(store.search({ text: '' }).servers).toMatchObject([{ name: 'a.b/c', version: '1.10.0' }])
  })

  it.each([
    ['a semantic version before another one', ['1.0.0', 'latest'], '1.0.0'],
    ['a semantic version after another one', ['latest', '1.0.0'], '1.0.0'],
    ['the last published of other versions', ['b', 'a', 'c'], 'c'],
  ])('picks %s from a registry that names no newest one', async (_, versions, newest) => {
    const store = openTestStore()
    const day = (version: string): string => `2026-05-0${'abc'.indexOf(version) + 2}T00:00:00Z`
    const running = await openTestRegistry(
      versions.map((version) => ({
        server: { name: 'a.b/c', version, description: `Version ${version}` },
        _meta: {
          'io.modelcontextprotocol.registry/official': {
            status: 'active',
            publishedAt: day(version),
          },
        },
      })),
      {
        intercept: (request, response) => {
          if (!request.url?.includes('version=latest')) return false
          response.writeHead(422).end('{}')
          return true
        },
      },
    )
    await syncFrom(store, running)
    expect(store.search({ text: '' }).servers).toMatchObject([{ version: newest }])
  })

  it('distinguishes names by case and namespace, and sources by id', async () => {
    const store = openTestStore()
    const other = { sourceId: 'other', baseUrl: 'http://127.0.0.1:2', enabled: true }
    store.setSources([LOCAL_SOURCE, other])
    const running = await openTestRegistry(
      ['a.b/Files', 'a.b/files', 'c.d/files'].map((name) => listedServer({ name })),
    )
    await syncFrom(store, running)
    await syncFrom(store, running, { sourceId: 'other' })
    expect(store.search({ text: 'files' }).total).toBe(6)
    store.setSources([LOCAL_SOURCE, { ...other, enabled: false }])
    expect(store.search({ text: 'files' }).total).toBe(3)
    store.setSources([LOCAL_SOURCE])
    expect(store.sources.list()).toMatchObject([{ sourceId: 'local', servers: 3 }])
  })

  it.skipIf(realEntries() === undefined)('reads every real entry', async () => {
    const store = openTestStore()
    const entries = realEntries() ?? []
    const report = await syncFrom(store, await openTestRegistry(entries))
    expect(report).toMatchObject({ entries: expect.any(Number) as number, leftOut: 0 })
    expect(report.fault).toBeUndefined()
    const held = store.sources.list()[0]?.servers ?? 0
    expect(held).toBe(report.changed)
    expect(held).toBeGreaterThan(500)
  })
})
