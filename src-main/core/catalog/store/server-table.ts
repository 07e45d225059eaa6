import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { compare, parse } from 'semver'

import type { SourceStatus } from '../../../../src-shared/domain/catalog/catalog-query'
import { type EntryHead, indexLabel, type ReadEntry, readEntry } from './listed-entry'

/** What became of one entry that a registry sent. */
export type Saved = 'changed' | 'unchanged' | 'removed' | 'passed-over'

/** What a full sync came across of all that is held. */
export type SeenCount = { readonly seen: number; readonly unseen: number }

type Held = {
  readonly id: number
  readonly version: string
  readonly published_at: number | null
  readonly digest: string
}

/** Writes what sources list. Every method is to be called inside of a transaction. */
export class ServerTable {
  readonly #database: DatabaseSync
  readonly #statements: ReturnType<typeof prepareAll>

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#statements = prepareAll(database)
  }

  /** Puts one entry in its place. An older version of a server than the one that is held is passed over. */
  save(sourceId: string, head: EntryHead, generation: number): Saved {
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

  /** Takes away what a complete full sync did not see; gives how many. */
  removeUnseen(sourceId: string, generation: number): number {
    const { changes } = this.#database
      .prepare('DELETE FROM server WHERE source_id = ? AND generation < ?')
      .run(sourceId, generation)
    return Number(changes)
  }

  /** Notes that a source still lists a server, though not what. */
  see(sourceId: string, name: string, generation: number): void {
    this.#statements.seeNamed.run(generation, sourceId, name)
  }

  /** How many servers of a source the full sync of this number saw, and how many others are held. */
  countSeen(sourceId: string, generation: number): SeenCount {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS held, count(*) FILTER (WHERE generation >= ?) AS seen FROM server
         WHERE source_id = ?`,
      )
      .get(generation, sourceId)
    const seen = Number(row?.seen)
    return { seen, unseen: Number(row?.held) - seen }
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

function prepareAll(
  database: DatabaseSync,
): Record<
  | 'find'
  | 'see'
  | 'seeNamed'
  | 'put'
  | 'putDocument'
  | 'putWords'
  | 'forget'
  | 'noteRemoved'
  | 'listAgain',
  StatementSync
> {
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
  }
}

/** Whether what a registry that lists every version sends is older than what is held. */
function isOlder(head: EntryHead, held: Held): boolean {
  const [theirs, ours] = [parse(head.version), parse(held.version)]
  if (theirs && ours) return compare(theirs, ours) < 0
  // A version with an order counts above one without.
  if (theirs ?? ours) return ours !== null
  return (head.publishedAt ?? 0) < (held.published_at ?? 0)
}

/** The text of a stored entry. */
export function inflateEntry(raw: unknown): string {
  return raw instanceof Uint8Array ? inflateRawSync(raw).toString('utf8') : ''
}

/**
 * What each source says of these servers, by name. `unlisted` is what a source whose list came whole does not have; before
 * that it says nothing of what has not come.
 */
export function readListedStatuses(reader: DatabaseSync, names: readonly string[]): SourceStatus[] {
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
