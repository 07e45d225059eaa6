import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { compare, parse } from 'semver'

import type {
  CatalogPage,
  CatalogQuery,
  SourceStatus,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type {
  RegistrySource,
  SourceState,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import { CatalogSearch } from '../search/catalog-search'
import { type CatalogFile, closeCatalogFile } from './catalog-file'
import {
  type EntryHead,
  indexLabel,
  type ReadEntry,
  readEntry,
  readEntryHead,
} from './listed-entry'
import { SourceTable } from './source-table'

/** Cached registry responses for offline use. */
const MAX_ANSWERS = 500

/** The changes of a page of entries. */
export type SavedPage = { readonly changed: number; readonly removed: number }

/** A cached registry response. */
export type KeptAnswer = { readonly etag: string | undefined; readonly body: string }

type Saved = 'changed' | 'unchanged' | 'removed' | 'passed-over'

/** Servers that a full sync has and hasn't seen. */
type SeenCount = { readonly seen: number; readonly unseen: number }

type Held = {
  readonly id: number
  readonly version: string
  readonly published_at: number | null
  readonly digest: string
}

/** The catalog in its file: searchable lists of all sources. Writes go through `transaction`; reads and searches see what is committed. */
export class CatalogStore implements Disposable {
  readonly sources: SourceTable
  readonly #statements: ReturnType<typeof prepareAll>
  readonly #search: CatalogSearch

  constructor(private readonly file: CatalogFile) {
    this.sources = new SourceTable(file)
    this.#statements = prepareAll(file.writer)
    this.#search = new CatalogSearch(file.reader)
  }

  get path(): string {
    return this.file.path
  }

  /** Begins the only transaction, which `commit` or `rollback` must end. */
  begin(): void {
    this.file.writer.exec('BEGIN IMMEDIATE')
  }

  /** Makes the writes visible, to searches too. */
  commit(): void {
    this.file.writer.exec('COMMIT')
    this.#search.forget()
  }

  rollback(): void {
    if (this.file.writer.isTransaction) this.file.writer.exec('ROLLBACK')
  }

  /** Runs `work` entirely or not at all. */
  transaction<T>(work: () => T): T {
    this.begin()
    try {
      const value = work()
      this.commit()
      return value
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** Replaces the list of sources; servers of removed sources go. */
  setSources(sources: readonly RegistrySource[]): SourceState[] {
    this.transaction(() => this.sources.replace(sources))
    return this.sources.list()
  }

  /** Writes entries of one source, within a transaction. */
  saveEntries(sourceId: string, heads: readonly EntryHead[], generation: number): SavedPage {
    let changed = 0
    let removed = 0
    for (const head of heads) {
      const outcome = this.#save(sourceId, head, generation)
      if (outcome === 'changed') changed += 1
      if (outcome === 'removed') removed += 1
    }
    return { changed, removed }
  }

  /** Makes these documents the list of a source, except names that another source lists or took down. */
  seed(sourceId: string, documents: readonly unknown[]): void {
    const heads = documents.map(readEntryHead).filter((head) => head !== undefined)
    const others = this.statuses(heads.map(({ name }) => name)).filter(
      (registryStatus) =>
        registryStatus.sourceId !== sourceId && registryStatus.status !== 'unlisted',
    )
    const names = new Set(others.map(({ name }) => name))
    const free = heads.filter(({ name }) => !names.has(name))
    const state = this.sources.readSync(sourceId)
    const generation = state.generation + 1
    this.transaction(() => {
      this.saveEntries(sourceId, free, generation)
      this.removeUnseen(sourceId, generation)
      this.sources.writeSync(sourceId, { ...state, generation })
    })
  }

  /** Marks servers with unreadable entries as still listed, within a transaction. */
  seeNames(sourceId: string, names: readonly string[], generation: number): void {
    for (const name of names) this.#statements.seeNamed.run(generation, sourceId, name)
  }

  /** Servers of a source that this full sync has seen so far, and others. */
  countSeen(sourceId: string, generation: number): SeenCount {
    const row = this.#statements.countSeen.get(generation, sourceId)
    const seen = Number(row?.seen)
    return { seen, unseen: Number(row?.held) - seen }
  }

  /** Removes servers that a complete full sync didn't see, within a transaction; returns their number. */
  removeUnseen(sourceId: string, generation: number): number {
    return Number(this.#statements.removeUnseen.run(sourceId, generation).changes)
  }

  /** Makes the first search as fast as later ones. */
  prepareSearch(): void {
    this.#search.prepare()
  }

  search(query: CatalogQuery): CatalogPage {
    return this.#search.search(query)
  }

  statuses(names: readonly string[]): SourceStatus[] {
    return readListedStatuses(this.file.reader, names)
  }

  /** A server's row with its source's `base_url`, and its document as JSON text; undefined if the source doesn't list it. */
  read(
    sourceId: string,
    name: string,
  ): { readonly row: Record<string, SQLOutputValue>; readonly raw: string } | undefined {
    const row = this.file.reader
      .prepare(
        `SELECT server.*, base_url, raw FROM server JOIN source USING (source_id) JOIN document USING (id)
         WHERE source_id = ? AND name = ?`,
      )
      .get(sourceId, name)
    return row && { row, raw: inflateEntry(row.raw) }
  }

  /** The last cached response of a source for a path. */
  readAnswer(sourceId: string, path: string): KeptAnswer | undefined {
    const row = this.file.writer
      .prepare('SELECT etag, body FROM answer WHERE source_id = ? AND path = ?')
      .get(sourceId, path)
    const etag = typeof row?.etag === 'string' ? row.etag : undefined
    return row && { etag, body: inflateEntry(row.body) }
  }

  /** Caches a response, replacing the oldest. Joins an open transaction. */
  keepAnswer(sourceId: string, path: string, answer: KeptAnswer, now: number): void {
    const { writer } = this.file
    writer
      .prepare(
        'INSERT OR REPLACE INTO answer (source_id, path, etag, body, fetched_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(sourceId, path, answer.etag ?? null, deflateRawSync(answer.body), now)
    writer
      .prepare(
        `DELETE FROM answer WHERE rowid IN
         (SELECT rowid FROM answer ORDER BY fetched_at DESC LIMIT -1 OFFSET ${MAX_ANSWERS})`,
      )
      .run()
  }

  [Symbol.dispose](): void {
    closeCatalogFile(this.file)
  }

  /** Writes one entry, unless a newer version of the server is stored. */
  #save(sourceId: string, head: EntryHead, generation: number): Saved {
    const held = this.#statements.find.get(sourceId, head.name) as Held | undefined
    if (head.isLatest === false && head.version !== held?.version) return 'passed-over'
    if (held && head.isLatest === undefined && isOlder(head, held)) return 'passed-over'
    if (head.status === 'deleted') return this.#remove(sourceId, head, held)
    if (held?.digest === head.digest) {
      this.#statements.see.run(generation, held.id)
      return 'unchanged'
    }
    this.#put(sourceId, head, readEntry(head), generation)
    return 'changed'
  }

  #remove(sourceId: string, head: EntryHead, held: Held | undefined): Saved {
    this.#statements.noteRemoved.run(sourceId, head.name, head.version, head.statusMessage ?? null)
    if (!held) return 'passed-over'
    this.#statements.forget.run(held.id)
    return 'removed'
  }

  #put(sourceId: string, head: EntryHead, entry: ReadEntry, generation: number): void {
    const { owner, ...indexed } = indexLabel(entry.label)
    const columns = [
      ...[entry.title ?? null, entry.description, entry.publisher, entry.namespace, entry.version],
      ...[entry.status, entry.statusMessage ?? null, entry.publishedAt ?? null],
      ...[entry.updatedAt ?? null, entry.kinds.join(' '), Number(entry.asksForSecrets)],
      entry.starts.join(' '),
      ...[entry.icon ?? null, entry.label, owner, generation, head.digest],
    ]
    const id = Number(this.#statements.put.get(sourceId, entry.name, ...columns)?.id)
    this.#statements.putDocument.run(id, deflateRawSync(head.raw))
    this.#statements.putWords.run(id, indexed.head, indexed.rest, indexed.host, entry.words)
    this.#statements.listAgain.run(sourceId, entry.name)
  }
}

/** The statements that write listings. */
function prepareAll(database: DatabaseSync) {
  return {
    find: database.prepare(
      'SELECT id, version, published_at, digest FROM server WHERE source_id = ? AND name = ?',
    ),
    see: database.prepare('UPDATE server SET generation = ? WHERE id = ?'),
    seeNamed: database.prepare('UPDATE server SET generation = ? WHERE source_id = ? AND name = ?'),
    put: database.prepare(
      `INSERT INTO server (source_id, name, title, description, publisher, namespace, version, status,
         status_message, published_at, updated_at, kinds, asks_for_secrets, starts, icon, label, owner, generation, digest)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id, name) DO UPDATE SET
         title = excluded.title, description = excluded.description, publisher = excluded.publisher,
         namespace = excluded.namespace, version = excluded.version, status = excluded.status,
         status_message = excluded.status_message, published_at = excluded.published_at,
         updated_at = excluded.updated_at, kinds = excluded.kinds,
         asks_for_secrets = excluded.asks_for_secrets, starts = excluded.starts, icon = excluded.icon, label = excluded.label,
         owner = excluded.owner, generation = excluded.generation, digest = excluded.digest
       RETURNING id`,
    ),
    putDocument: database.prepare('INSERT OR REPLACE INTO document (id, raw) VALUES (?, ?)'),
    putWords: database.prepare(
      'INSERT OR REPLACE INTO server_word (rowid, head, rest, host, words) VALUES (?, ?, ?, ?, ?)',
    ),
    forget: database.prepare('DELETE FROM server WHERE id = ?'),
    noteRemoved: database.prepare(
      `INSERT OR REPLACE INTO removed (source_id, name, version, status_message) VALUES (?, ?, ?, ?)`,
    ),
    listAgain: database.prepare('DELETE FROM removed WHERE source_id = ? AND name = ?'),
    removeUnseen: database.prepare('DELETE FROM server WHERE source_id = ? AND generation < ?'),
    countSeen: database.prepare(
      `SELECT count(*) AS held, count(*) FILTER (WHERE generation >= ?) AS seen FROM server
       WHERE source_id = ?`,
    ),
  }
}

/** Whether an entry is older than the stored one; for registries that list every version. */
function isOlder(head: EntryHead, held: Held): boolean {
  const [theirs, ours] = [parse(head.version), parse(held.version)]
  if (theirs && ours) return compare(theirs, ours) < 0
  // A valid semantic version beats an invalid one.
  if (theirs ?? ours) return ours !== null
  return (head.publishedAt ?? 0) < (held.published_at ?? 0)
}

function inflateEntry(raw: unknown): string {
  return raw instanceof Uint8Array ? inflateRawSync(raw).toString('utf8') : ''
}

/** Each source's status of these servers, by name. `unlisted`: a source with a complete list lacks the server. */
function readListedStatuses(reader: DatabaseSync, names: readonly string[]): SourceStatus[] {
  const rows = reader
    .prepare(
      `SELECT source.source_id, wanted.value AS name,
         coalesce(server.status, iif(removed.name IS NULL, 'unlisted', 'deleted')) AS status,
         coalesce(server.version, removed.version) AS version,
         coalesce(server.status_message, removed.status_message) AS message
       FROM source, json_each(?) AS wanted
       LEFT JOIN server ON server.source_id = source.source_id AND server.name = wanted.value
       LEFT JOIN removed ON removed.source_id = source.source_id AND removed.name = wanted.value
       WHERE source.enabled = 1
         AND coalesce(source.completed_at, server.id, removed.name) IS NOT NULL`,
    )
    .all(JSON.stringify(names))
  return rows.map(({ source_id, name, status, version, message }) => ({
    sourceId: String(source_id),
    name: String(name),
    status: status as SourceStatus['status'],
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof message === 'string' ? { statusMessage: message } : {}),
  }))
}
