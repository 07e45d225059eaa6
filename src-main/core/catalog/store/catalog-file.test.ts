import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, it, onTestFinished } from 'vitest'

import { CATALOG_STEPS } from '../../../../e2e/fixtures/catalog-steps'
import { listedServer } from '../../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { migrate } from '../../sqlite/file-damage'
import { closeCatalogFile, MIGRATIONS, openCatalogFile } from './catalog-file'
import { CatalogStore } from './catalog-store'
import { readEntryHead } from './listed-entry'

const SOURCE = { sourceId: 's', baseUrl: 'http://127.0.0.1:1', enabled: true }

function open(folder: string) {
  const file = openCatalogFile(folder, 50)
  onTestFinished(() => closeCatalogFile(file))
  return file
}

function fill(folder: string): void {
  const file = openCatalogFile(folder, 50)
  const store = new CatalogStore(file)
  store.setSources([SOURCE])
  const head = readEntryHead(listedServer({ name: 'a.b/kept' }))
  store.transaction(() => store.saveEntries('s', head ? [head] : [], 1))
  store[Symbol.dispose]()
}

describe('D2: the catalog file', () => {
  it('keeps what was written', () => {
    const folder = tempFolder('catalog')
    fill(folder)
    const file = open(folder)
    expect(file.reason).toBeUndefined()
    expect(new CatalogStore(file).search({ text: 'kept' }).total).toBe(1)
  })

  it.each([
    ['no database at all', (path: string) => writeFileSync(path, 'what is this? '.repeat(1_000))],
    ['cut in half', (path: string) => truncateSync(path, 8_192)],
    ['one that lost a table', (path: string) => alter(path, 'DROP TABLE server')],
  ])('is moved aside if it is %s, and rebuilt', (_, damage) => {
    const folder = tempFolder('catalog')
    fill(folder)
    const path = join(folder, 'catalog.db')
    damage(path)
    const before = readFileSync(path)
    const file = open(folder)
    expect(file).toMatchObject({ reason: 'corrupt', isTemporary: false, path })
    expect(new CatalogStore(file).search({ text: '' }).total).toBe(0)
    expect(readFileSync(join(folder, 'catalog.set-aside.db')).subarray(100, 4_000)).toEqual(
      before.subarray(100, 4_000),
    )
  })

  it('is moved aside if a later version of Patchbay wrote it', () => {
    const folder = tempFolder('catalog')
    fill(folder)
    alter(join(folder, 'catalog.db'), 'PRAGMA user_version = 99')
    expect(open(folder).reason).toBe('newer')
    expect(readdirSync(folder)).toContain('catalog.set-aside.db')
  })

  it('is moved aside if another program locks it', () => {
    const folder = tempFolder('catalog')
    fill(folder)
    const other = new DatabaseSync(join(folder, 'catalog.db'))
    onTestFinished(() => other.close())
    other.exec('BEGIN EXCLUSIVE')
    const file = open(folder)
    expect(file).toMatchObject({ reason: 'locked', isTemporary: false })
    new CatalogStore(file).setSources([SOURCE])
  })

  it("is in a temporary folder for this run if the profile isn't writable", () => {
    const folder = join(tempFolder('catalog'), 'taken')
    writeFileSync(folder, 'a file, where a folder should be')
    const file = openCatalogFile(folder, 50)
    expect(file).toMatchObject({ reason: 'unusable', isTemporary: true })
    new CatalogStore(file).setSources([SOURCE])
    closeCatalogFile(file)
    expect(existsSync(dirname(file.path))).toBe(false)
  })
})

const VERSIONS = CATALOG_STEPS.map((_, index) => index + 1)

describe('D2: the catalog schema', () => {
  it.each(VERSIONS)('reaches version %i by the released migrations', (version) => {
    const now = new DatabaseSync(':memory:')
    migrate(now, MIGRATIONS.slice(0, version))
    const released = new DatabaseSync(':memory:')
    released.exec(CATALOG_STEPS.slice(0, version).join(''))
    expect(schemaOf(now)).toEqual(schemaOf(released))
    expect(MIGRATIONS).toHaveLength(CATALOG_STEPS.length)
  })

  it.each(VERSIONS.slice(0, -1))('opens a file of an earlier version: %i', (version) => {
    const folder = tempFolder('catalog')
    mkdirSync(folder, { recursive: true })
    const old = new DatabaseSync(join(folder, 'catalog.db'))
    old.exec(CATALOG_STEPS.slice(0, version).join(''))
    old.exec(`
      PRAGMA user_version = ${version};
      INSERT INTO source (source_id, base_url, enabled, mark, full_at)
      VALUES ('s', '${SOURCE.baseUrl}', 1, 7, 9);
      INSERT INTO server (id, source_id, name, description, publisher, namespace, version, status, kinds,
        asks_for_secrets, label, generation, digest, raw)
      VALUES (1, 's', 'a.b/old', 'A venerable one', 'b.a', 'domain', '1', 'active', 'npm', 0,
        'old' || char(10) || char(10) || 'a.b/old', 1, 'd', x'');
    `)
    old.close()
    const file = open(folder)
    expect(file.reason).toBeUndefined()
    const store = new CatalogStore(file)
    const { mark, fullAt } = store.sources.readSync('s')
    // New columns are filled by a full sync, which reads each entry again.
    expect({ mark, fullAt }).toEqual({ mark: 7, fullAt: undefined })
    expect(store.sources.list()).toMatchObject([{ servers: 1, leftOut: 0 }])
    expect(store.search({ text: 'vener' }).servers).toMatchObject([{ name: 'a.b/old' }])
    // Columns a file lacked have a default until a full sync.
    const runnable = store.search({ text: '', filter: { runners: ['npx'] } }).total
    expect(runnable).toBe(version < 5 ? 1 : 0)
    expect(store.statuses(['a.b/old', 'a.b/new'])).toMatchObject([{ status: 'active' }])
    const { digest } = file.reader.prepare('SELECT digest FROM server').get() ?? {}
    expect(digest).toBe('')
    file.writer.exec('DELETE FROM server')
    expect(file.reader.prepare('SELECT count(*) AS left FROM document').get()?.left).toBe(0)
    store.keepAnswer('s', 'path', { etag: '"1"', body: '{}' }, 1)
    expect(store.readAnswer('s', 'path')).toEqual({ etag: '"1"', body: '{}' })
  })

  it('stays unchanged if a migration fails', () => {
    const database = new DatabaseSync(':memory:')
    const broken = () => {
      throw new Error('no more room')
    }
    expect(() => migrate(database, [...MIGRATIONS, broken])).toThrow('no more room')
    expect(database.prepare('PRAGMA user_version').get()?.user_version).toBe(0)
    expect(database.prepare('SELECT count(*) n FROM sqlite_schema').get()?.n).toBe(0)
  })
})

/** The whole schema as SQLite stores it, without comments and spaces. */
function schemaOf(database: DatabaseSync): string[] {
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema').all()
  return rows.map((row) =>
    Object.values(row).join(' ').replaceAll(/--.*/gu, '').replaceAll(/\s+/gu, ' '),
  )
}

function alter(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
