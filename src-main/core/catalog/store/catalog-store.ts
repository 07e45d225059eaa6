import type { SQLOutputValue } from 'node:sqlite'
import { deflateRawSync } from 'node:zlib'

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
import { type EntryHead, readEntryHead } from './listed-entry'
import { inflateEntry, readListedStatuses, type SeenCount, ServerTable } from './server-table'
import { SourceTable } from './source-table'

/** Answers of registries that are kept to be shown offline. */
const MOST_ANSWERS = 500

/** What a page of entries changed. */
export type SavedPage = { readonly changed: number; readonly removed: number }

/** An answer of a registry as it was kept. */
export type KeptAnswer = { readonly etag: string | undefined; readonly body: string }

/**
 * The catalog in its file: what the sources list, searchable. Writing goes through `transaction`; what is read
 * and found is what was committed.
 */
export class CatalogStore implements Disposable {
  readonly sources: SourceTable
  readonly #file: CatalogFile
  readonly #servers: ServerTable
  readonly #search: CatalogSearch

  constructor(file: CatalogFile) {
    this.#file = file
    this.sources = new SourceTable(file)
    this.#servers = new ServerTable(file.writer)
    this.#search = new CatalogSearch(file.reader)
  }

  get path(): string {
    return this.#file.path
  }

  /** Opens a transaction, which `commit` or `rollback` has to end; there is one at a time. */
  begin(): void {
    this.#file.writer.exec('BEGIN IMMEDIATE')
  }

  /** Makes visible what was written, to searches too. */
  commit(): void {
    this.#file.writer.exec('COMMIT')
    this.#search.forget()
  }

  rollback(): void {
    if (this.#file.writer.isTransaction) this.#file.writer.exec('ROLLBACK')
  }

  /** Does all of `work` or nothing of it. */
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

  /** Makes the list of sources the one given; what only the others listed goes. */
  setSources(sources: readonly RegistrySource[]): SourceState[] {
    this.transaction(() => this.sources.replace(sources))
    return this.sources.list()
  }

  /** Writes entries of one source. To be called inside of a transaction. */
  saveEntries(sourceId: string, heads: readonly EntryHead[], generation: number): SavedPage {
    let changed = 0
    let removed = 0
    for (const head of heads) {
      const outcome = this.#servers.save(sourceId, head, generation)
      if (outcome === 'changed') changed += 1
      if (outcome === 'removed') removed += 1
    }
    return { changed, removed }
  }

  /** Makes these documents the list of a source, except those whose name another source lists or took down. */
  seed(sourceId: string, documents: readonly unknown[]): void {
    const heads = documents.map(readEntryHead).filter((head) => head !== undefined)
    const others = this.statuses(heads.map(({ name }) => name)).filter(
      (registryStatus) =>
        registryStatus.sourceId !== sourceId && registryStatus.status !== 'unlisted',
    )
    const taken = new Set(others.map(({ name }) => name))
    const free = heads.filter(({ name }) => !taken.has(name))
    const state = this.sources.readSync(sourceId)
    const generation = state.generation + 1
    this.transaction(() => {
      this.saveEntries(sourceId, free, generation)
      this.removeUnseen(sourceId, generation)
      this.sources.writeSync(sourceId, { ...state, generation })
    })
  }

  /** Notes that a source still lists these servers, though their entries cannot be read. To be called inside of a transaction. */
  seeNames(sourceId: string, names: readonly string[], generation: number): void {
    for (const name of names) this.#servers.see(sourceId, name, generation)
  }

  /** How many servers of a source the full sync of this number saw so far, and how many others are held. */
  countSeen(sourceId: string, generation: number): SeenCount {
    return this.#servers.countSeen(sourceId, generation)
  }

  /** Takes away what a complete full sync did not see. To be called inside of a transaction. */
  removeUnseen(sourceId: string, generation: number): number {
    return this.#servers.removeUnseen(sourceId, generation)
  }

  /** Makes the first search as fast as those after it. */
  prepareSearch(): void {
    this.#search.prepare()
  }

  search(query: CatalogQuery): CatalogPage {
    return this.#search.search(query)
  }

  statuses(names: readonly string[]): SourceStatus[] {
    return readListedStatuses(this.#file.reader, names)
  }

  /** The row of a server with its source's `base_url`, and its document as JSON text; undefined for one that the source does not list. */
  read(
    sourceId: string,
    name: string,
  ): { readonly row: Record<string, SQLOutputValue>; readonly raw: string } | undefined {
    const row = this.#file.reader
      .prepare(
        `SELECT server.*, base_url, raw FROM server JOIN source USING (source_id) JOIN document USING (id)
         WHERE source_id = ? AND name = ?`,
      )
      .get(sourceId, name)
    return row && { row, raw: inflateEntry(row.raw) }
  }

  /** What a source answered for a path when it was asked last. */
  readAnswer(sourceId: string, path: string): KeptAnswer | undefined {
    const row = this.#file.writer
      .prepare('SELECT etag, body FROM answer WHERE source_id = ? AND path = ?')
      .get(sourceId, path)
    const etag = typeof row?.etag === 'string' ? row.etag : undefined
    return row && { etag, body: inflateEntry(row.body) }
  }

  /** Keeps an answer in place of the oldest. Joins the open transaction where there is one. */
  keepAnswer(sourceId: string, path: string, answer: KeptAnswer, now: number): void {
    const { writer } = this.#file
    writer
      .prepare(
        'INSERT OR REPLACE INTO answer (source_id, path, etag, body, fetched_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(sourceId, path, answer.etag ?? null, deflateRawSync(answer.body), now)
    writer
      .prepare(
        `DELETE FROM answer WHERE rowid IN
         (SELECT rowid FROM answer ORDER BY fetched_at DESC LIMIT -1 OFFSET ${MOST_ANSWERS})`,
      )
      .run()
  }

  [Symbol.dispose](): void {
    closeCatalogFile(this.#file)
  }
}
