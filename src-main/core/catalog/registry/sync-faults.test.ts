import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

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
import { type CatalogFile, openCatalogFile } from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'

/** Another connection locks the catalog's file until released. */
function hold({ path }: CatalogFile): () => void {
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  return () => other.close()
}

/** The catalog's file can't grow until released. */
function fill({ writer }: CatalogFile): () => void {
  // SQLite takes at least the existing pages.
  writer.exec('PRAGMA max_page_count = 1')
  return () => writer.exec('PRAGMA max_page_count = 1000000')
}

/** Large servers whose text hardly compresses. */
function wordyServers(count: number): object[] {
  return Array.from({ length: count }, (_, index) =>
    listedServer({
      name: `org.wordy/server-${index}`,
      description: randomBytes(500).toString('hex'),
    }),
  )
}

describe('D2: an interrupted sync', () => {
  it.each([
    ['not-json', 'not-json'],
    ['no-list', 'wrong-shape'],
    ['refused', 'refused'],
    ['unauthorized', 'sign-in-needed'],
    ['busy', 'busy'],
    ['hang', 'timed-out'],
    ['too-large', 'too-large'],
  ] as const)(
    'loses nothing to a page that is %s, and keeps the earlier ones',
    async (mode, code) => {
      const store = openTestStore()
      const running = await openTestRegistry(manyServers(150))
      await syncFrom(store, running)
      const before = listedNames(store)
      for (const place of [0, 149]) {
        const name = before[place] ?? ''
        running.entries[place] = listedServer({ name, description: 'Peculiar' })
      }
      running.misbehave(mode, { after: 1 })
      const timeLimitMs = mode === 'hang' ? 2_000 : 20_000
      const bounds = { byteLimit: 2 * 1024 * 1024, timeLimitMs }
      const report = await syncFrom(store, running, { mode: 'full' }, bounds)
      expect(report).toMatchObject({ pages: 1, changed: 1, removed: 0, fault: { code } })
      expect(listedNames(store)).toEqual(before)
      const changed = store.search({ text: 'peculiar' }).servers
      expect(changed.map(({ name }) => name)).toEqual(before.slice(0, 1))
      expect(store.sources.list()).toMatchObject([{ servers: 150, fault: { code } }])
    },
  )

  it.each([
    ['locked', hold],
    ['full', fill],
  ])('loses nothing to a file that is %s, and completes afterwards', async (_, hinder) => {
    const file = openCatalogFile(tempFolder('catalog'), 50)
    using store = new CatalogStore(file)
    store.setSources([LOCAL_SOURCE])
    const running = await openTestRegistry(manyServers(20))
    await syncFrom(store, running)
    const before = listedNames(store)
    running.entries.push(...wordyServers(300))
    const free = hinder(file)
    const report = await syncFrom(store, running, { mode: 'full' })
    expect(report).toMatchObject({ removed: 0, fault: { code: 'store-failed' } })
    expect(listedNames(store)).toEqual(expect.arrayContaining(before))
    free()
    expect((await syncFrom(store, running, { mode: 'full' })).fault).toBeUndefined()
    expect(store.sources.list()).toMatchObject([{ servers: 320 }])
  })
})
