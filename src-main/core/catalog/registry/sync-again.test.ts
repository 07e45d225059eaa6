import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { listedServer, manyServers } from '../../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import {
  listedNames,
  LOCAL_SOURCE,
  openTestRegistry,
  openTestStore,
  syncFrom,
} from '../../../../e2e/fixtures/test-catalog'
import { openCatalogFile } from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'
import { RegistryError } from './registry-fault'
import type { RegistryPage, RegistryReader } from './registry-reader'
import { syncSource } from './sync-source'

describe('D2: an increment', () => {
  it('requests changes since the last sync, and applies them together', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(150))
    await syncFrom(store, running)
    const now = new Date().toISOString()
    running.entries.push(
      ...manyServers(400)
        .slice(150)
        .map((entry) => withTime(entry, now)),
    )
    const visible: number[] = []
    const report = await syncFrom(store, running, {
      onProgress: () => visible.push(store.search({ text: '' }).total),
    })
    expect(report).toMatchObject({ kind: 'increment', pages: 3, changed: 250 })
    expect(visible).toEqual([150, 150, 150])
    expect(listedNames(store)).toHaveLength(400)
    expect(running.requests.at(-1)).toMatch(/updated_since=20/u)
  })

  it('removes deleted servers with the reason, and marks deprecated ones', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(3))
    await syncFrom(store, running)
    const updatedAt = new Date().toISOString()
    running.entries.splice(
      0,
      2,
      listedServer({
        ...{ name: 'org.example/server-0000', status: 'deleted', statusMessage: 'Spam' },
        updatedAt,
      }),
      listedServer({ name: 'org.example/server-0001', status: 'deprecated', updatedAt }),
    )
    const report = await syncFrom(store, running)
    expect(report).toMatchObject({ removed: 1, changed: 1 })
    expect(store.search({ text: 'server' }).servers.map(({ status }) => status)).toEqual([
      'active',
      'deprecated',
    ])
    expect(
      store.statuses(['org.example/server-0000', 'org.example/server-0001', 'no/one']),
    ).toEqual([
      {
        ...{ sourceId: 'local', name: 'org.example/server-0000', status: 'deleted' },
        ...{ version: '1.0.0', statusMessage: 'Spam' },
      },
      {
        sourceId: 'local',
        name: 'org.example/server-0001',
        status: 'deprecated',
        version: '1.0.0',
      },
      { sourceId: 'local', name: 'no/one', status: 'unlisted' },
    ])
  })

  it('reports unlisted servers after a complete list, even to a catalog that never had them', async () => {
    const running = await openTestRegistry(manyServers(3))
    const name = 'org.example/server-0002'
    const store = openTestStore()
    expect(store.statuses([name])).toEqual([])
    await syncFrom(store, running)
    running.entries.length = 2
    const gone = { sourceId: 'local', name, status: 'unlisted' }
    await syncFrom(store, running, { mode: 'full' })
    expect(store.statuses([name])).toEqual([gone])

    const rebuilt = openTestStore()
    running.misbehave('error-500', { times: 1 })
    await syncFrom(rebuilt, running)
    expect(rebuilt.statuses([name])).toEqual([])
    await syncFrom(rebuilt, running)
    expect(rebuilt.statuses([name])).toEqual([gone])
  })

  it('leaves no words of removed servers in the index', async () => {
    const store = openTestStore()
    const running = await openTestRegistry([
      listedServer({ name: 'a.b/first' }),
      listedServer({ name: 'a.b/second', description: 'Peculiar' }),
    ])
    await syncFrom(store, running)
    const updatedAt = new Date().toISOString()
    running.entries.splice(1, 1, listedServer({ name: 'a.b/second', status: 'deleted', updatedAt }))
    await syncFrom(store, running)
    // The new server takes the removed one's row.
    running.entries.push(listedServer({ name: 'a.b/third', updatedAt }))
    await syncFrom(store, running)
    expect(listedNames(store)).toEqual(['a.b/first', 'a.b/third'])
    expect(store.search({ text: 'peculiar' }).total).toBe(0)
  })

  it('keeps what arrived before an interruption, and requests the same again', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(10))
    await syncFrom(store, running)
    const now = new Date().toISOString()
    running.entries.push(
      ...manyServers(260)
        .slice(10)
        .map((entry) => withTime(entry, now)),
    )
    running.misbehave('error-500', { after: 1, times: 1 })
    const broken = await syncFrom(store, running)
    expect(broken).toMatchObject({ kind: 'increment', fault: { code: 'server-error' } })
    expect(listedNames(store)).toHaveLength(110)
    expect(await syncFrom(store, running)).toMatchObject({ kind: 'increment', changed: 150 })
    expect(listedNames(store)).toHaveLength(260)
  })

  it.each([
    ['a cursor that came before', 'repeated-cursor', {}],
    ['a limit of pages', 'page-limit', { pageLimit: 1 }],
  ] as const)(
    'ends at %s, keeps what arrived, and requests the same again',
    async (_, code, more) => {
      const store = openTestStore()
      const running = await openTestRegistry(manyServers(10))
      await syncFrom(store, running)
      const now = new Date().toISOString()
      running.entries.push(
        ...manyServers(260)
          .slice(10)
          .map((entry) => withTime(entry, now)),
      )
      running.misbehave('same-cursor', { after: 1 })
      const broken = await syncFrom(store, running, more)
      expect(broken).toMatchObject({ kind: 'increment', changed: 100, fault: { code } })
      expect(listedNames(store)).toHaveLength(110)
      running.misbehave('ok')
      expect(await syncFrom(store, running)).toMatchObject({ kind: 'increment', changed: 150 })
      expect(listedNames(store)).toHaveLength(260)
      expect(store.sources.list()[0]?.fault).toBeUndefined()
    },
  )

  it('becomes a full sync if the registry has no increments or the last full one is old', async () => {
    const store = openTestStore()
    const running = await openTestRegistry(manyServers(5), {
      intercept: (request, response) => {
        if (!request.url?.includes('updated_since')) return false
        response.writeHead(400).end('{}')
        return true
      },
    })
    await syncFrom(store, running)
    expect(await syncFrom(store, running)).toMatchObject({ kind: 'full', changed: 0, entries: 5 })
    expect(await syncFrom(store, running, { fullEveryMs: -1 })).toMatchObject({ kind: 'full' })
  })
})

describe('D2: entries that an increment ignores', () => {
  it('are reported if they outnumber those of the full list, which stay', async () => {
    const store = openTestStore()
    const nameless = listedServer({ name: '', updatedAt: new Date().toISOString() })
    const running = await openTestRegistry([...manyServers(5), { server: { title: 'No name' } }])
    const leftOut = (): number | undefined => store.sources.find('local')?.leftOut
    await syncFrom(store, running)
    expect(leftOut()).toBe(1)
    expect(await syncFrom(store, running)).toMatchObject({ kind: 'increment', leftOut: 0 })
    expect(leftOut()).toBe(1)
    running.entries.push(nameless, nameless)
    expect(await syncFrom(store, running)).toMatchObject({ kind: 'increment', leftOut: 2 })
    expect(leftOut()).toBe(2)
  })
})

describe('D2: a sync interrupted anywhere', () => {
  it('ends with the same catalog as an uninterrupted one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 15 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 5 }),
        async (count, size, stops) => {
          const store = new CatalogStore(openCatalogFile(tempFolder('catalog')))
          store.setSources([LOCAL_SOURCE])
          const entries = manyServers(count)
          const order = {
            sourceId: 'local',
            baseUrl: LOCAL_SOURCE.baseUrl,
            store,
            mode: 'auto' as const,
          }
          for (const stop of [...stops, Infinity]) {
            await syncSource({ ...order, reader: { readPage: pagesOf(entries, size, stop) } })
          }
          expect(store.search({ text: '' }).total).toBe(count)
          expect(store.sources.list()[0]?.completedAt).toBeGreaterThan(0)
          store[Symbol.dispose]()
        },
      ),
      { numRuns: 25 },
    )
  })
})

/** Pages of a list, until the one after `stop` fails. */
function pagesOf(
  entries: readonly object[],
  size: number,
  stop: number,
): RegistryReader['readPage'] {
  let given = 0
  return ({ cursor, updatedSince }): Promise<RegistryPage> => {
    given += 1
    if (given > stop) {
      return Promise.reject(new RegistryError({ code: 'unreachable', message: 'Gone.' }))
    }
    const begin = Number(cursor ?? 0)
    const page = updatedSince === undefined ? entries.slice(begin, begin + size) : []
    const end = begin + size
    const nextCursor = page.length > 0 && end < entries.length ? String(end) : undefined
    return Promise.resolve({ entries: page, nextCursor, date: undefined })
  }
}

function withTime(entry: object, updatedAt: string): object {
  const { server } = entry as { server: { name: string } }
  return listedServer({ ...server, updatedAt })
}
