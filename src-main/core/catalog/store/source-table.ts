import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

import {
  RegistryFault,
  type RegistrySource,
  type SourceState,
} from '../../../../src-shared/domain/catalog/catalog-sync'

/** The sync state of one source. Times are epoch ms of the registry's clock. */
export type SyncState = {
  readonly generation: number
  readonly latestOnly: boolean
  /** Position of an interrupted full sync. */
  readonly cursor: string | undefined
  readonly pages: number
  readonly runMark: number | undefined
  /** Unreadable entries, as `SourceState` counts them. */
  readonly leftOut: number
  /** The registry failed at the cursor's page last time. */
  readonly isStalled: boolean
  /** Increments request changes since then. */
  readonly mark: number | undefined
  readonly fullAt: number | undefined
}

type Row = Record<string, SQLOutputValue>

/** The sources of a catalog and their sync state. */
export class SourceTable {
  readonly #writer: DatabaseSync
  readonly #reader: DatabaseSync

  constructor(files: { readonly writer: DatabaseSync; readonly reader: DatabaseSync }) {
    this.#writer = files.writer
    this.#reader = files.reader
  }

  /** Replaces the list, within a transaction. A removed source, or one with a changed address, loses its servers. */
  replace(sources: readonly RegistrySource[]): void {
    const stored = new Map(sources.map((source) => [source.sourceId, source]))
    for (const { sourceId, baseUrl } of this.#list(this.#writer)) {
      if (stored.get(sourceId)?.baseUrl !== baseUrl) this.#forget(sourceId)
    }
    const put = this.#writer.prepare(
      `INSERT INTO source (source_id, base_url, enabled) VALUES (?, ?, ?)
       ON CONFLICT (source_id) DO UPDATE SET enabled = excluded.enabled`,
    )
    for (const { sourceId, baseUrl, enabled } of sources)
      put.run(sourceId, baseUrl, Number(enabled))
  }

  list(): SourceState[] {
    return this.#list(this.#reader)
  }

  find(sourceId: string): SourceState | undefined {
    return this.list().find((source) => source.sourceId === sourceId)
  }

  readSync(sourceId: string): SyncState {
    const row = this.#writer.prepare('SELECT * FROM source WHERE source_id = ?').get(sourceId) ?? {}
    return {
      generation: numberOf(row.generation) ?? 0,
      latestOnly: row.latest_only !== 0,
      cursor: typeof row.cursor === 'string' ? row.cursor : undefined,
      pages: numberOf(row.pages) ?? 0,
      runMark: numberOf(row.run_mark),
      leftOut: numberOf(row.left_out) ?? 0,
      isStalled: row.is_stalled === 1,
      mark: numberOf(row.mark),
      fullAt: numberOf(row.full_at),
    }
  }

  writeSync(sourceId: string, state: SyncState): void {
    this.#writer
      .prepare(
        `UPDATE source SET generation = ?, latest_only = ?, cursor = ?, pages = ?, run_mark = ?, mark = ?,
         full_at = ?, is_stalled = ?, left_out = ? WHERE source_id = ?`,
      )
      .run(
        ...[state.generation, Number(state.latestOnly), state.cursor ?? null, state.pages],
        ...[state.runMark ?? null, state.mark ?? null, state.fullAt ?? null],
        ...[Number(state.isStalled), state.leftOut, sourceId],
      )
  }

  /** Stores the outcome of a sync; `completedAt` stays if it didn't complete. */
  writeEnd(
    sourceId: string,
    end: { completedAt?: number; fault?: RegistryFault | undefined },
  ): void {
    const fault = end.fault === undefined ? null : JSON.stringify(end.fault)
    this.#writer
      .prepare(
        'UPDATE source SET completed_at = coalesce(?, completed_at), fault = ? WHERE source_id = ?',
      )
      .run(end.completedAt ?? null, fault, sourceId)
  }

  #list(database: DatabaseSync): SourceState[] {
    return database
      .prepare(
        `SELECT source.*, (SELECT count(*) FROM server WHERE server.source_id = source.source_id) servers
         FROM source ORDER BY rowid`,
      )
      .all()
      .map(toState)
  }

  #forget(sourceId: string): void {
    const tables = ['server', 'removed', 'answer', 'source']
    for (const table of tables) {
      this.#writer.prepare(`DELETE FROM ${table} WHERE source_id = ?`).run(sourceId)
    }
  }
}

function toState(row: Row): SourceState {
  return {
    sourceId: String(row.source_id),
    baseUrl: String(row.base_url),
    enabled: row.enabled === 1,
    servers: Number(row.servers),
    waitingPages: row.cursor === null ? 0 : Number(row.pages),
    leftOut: Number(row.left_out),
    completedAt: numberOf(row.completed_at),
    fault: faultOf(row.fault),
  }
}

function faultOf(raw: SQLOutputValue | undefined): RegistryFault | undefined {
  if (typeof raw !== 'string') return undefined
  return RegistryFault.safeParse(JSON.parse(raw)).data
}

function numberOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
