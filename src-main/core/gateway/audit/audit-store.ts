import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type {
  ActivityCounts,
  ActivityPage,
  ActivityPart,
  ActivityQuery,
  ActivityState,
} from '../../../../src-shared/domain/agents/activity'
import {
  type AuditFile,
  type AuditLoss,
  forgetAside,
  lossOf,
  openAuditFile,
  setAside,
} from './audit-file'
import { callOf, INSERT_CALL, NewCall, valuesOf } from './audit-row'
import { type CallFilter, whereOf } from './audit-where'
import { countCalls, type CountSpan } from './count-calls'

/** How much is kept. */
export type AuditBounds = {
  /** Most calls. */
  readonly calls: number
  /** Most that they may take on the disk, in bytes. */
  readonly bytes: number
  /** Most that an export may have, in bytes. */
  readonly exportBytes: number
}

/** What the file of calls is opened with. */
export type AuditStoreOptions = {
  readonly folder: string
  readonly bounds: AuditBounds
  /** Calls of before are gone, and it begins anew. */
  readonly onLost: (loss: AuditLoss) => void
}

const HOUR_MS = 3_600_000
/** Of all calls, those that go when they take too much room. */
const PART = 1 / 20
/** Of the most calls, by how much they may be exceeded until the oldest go together. */
const SLACK = 1 / 100

/** The calls of all agents in SQLite; its methods take as long as the disk does, and throw its errors. */
export class AuditStore implements Disposable {
  readonly #options: AuditStoreOptions
  #file: AuditFile
  #kept = 0
  /** Before this time nothing is kept any more, epoch ms. */
  #expired: number | undefined

  constructor(options: AuditStoreOptions) {
    this.#options = options
    this.#file = this.#open()
  }

  get state(): ActivityState {
    return { newest: this.#newest(), kept: this.#kept }
  }

  /** Keeps calls in one transaction, and forgets those from before `keepFrom` (epoch ms) and those that are too many. */
  append(calls: readonly NewCall[], keepFrom: number): ActivityState {
    // One that is none must not keep the others from the disk.
    const sound = calls.filter((call) => NewCall.safeParse(call).success)
    return this.#whole((database) => {
      // First: were it to fail after the commit, the same calls would come again.
      this.#shorten(keepFrom)
      database.exec('BEGIN IMMEDIATE')
      try {
        const insert = database.prepare(INSERT_CALL)
        for (const call of sound) insert.run(...valuesOf(call))
        database.exec('COMMIT')
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
      this.#kept += sound.length
      return this.state
    })
  }

  page(query: ActivityQuery, keepFrom: number): ActivityPage {
    return this.#whole((database) => {
      this.#shorten(keepFrom)
      const { sql, values } = whereOf(query)
      const { before, limit, ...all } = query
      const rows = database
        .prepare(`SELECT * FROM call ${sql} ORDER BY id DESC LIMIT ?`)
        .all(...values, limit)
      const newest = this.#newest()
      // What came on the first page and leaves room there is all there is.
      const total = before === undefined && rows.length < limit ? rows.length : this.#count(all)
      return { calls: rows.map(callOf).filter((call) => call !== undefined), total, newest }
    })
  }

  /** How many calls there were in each step of a span. */
  counts(span: CountSpan): ActivityCounts {
    return this.#whole((database) => countCalls(database, span))
  }

  /** The newest calls that fit as JSON lines, as many as there is room for in a part, and at least one. */
  export(filter: CallFilter, keepFrom: number): ActivityPart {
    return this.#whole((database) => {
      this.#shorten(keepFrom)
      const { sql, values } = whereOf(filter)
      const lines: string[] = []
      let bytes = 0
      for (const row of database
        .prepare(`SELECT * FROM call ${sql} ORDER BY id DESC`)
        .iterate(...values)) {
        const call = callOf(row)
        if (!call) continue
        const line = `${JSON.stringify(call)}\n`
        bytes += Buffer.byteLength(line)
        const isFull = lines.length > 0 && bytes > this.#options.bounds.exportBytes
        if (isFull) return { text: lines.join(''), count: lines.length, next: call.callId + 1 }
        lines.push(line)
      }
      return { text: lines.join(''), count: lines.length }
    })
  }

  /** Forgets what is from before `keepFrom`, epoch ms. */
  prune(keepFrom: number): ActivityState {
    return this.#whole(() => {
      this.#shorten(keepFrom)
      return this.state
    })
  }

  /** Forgets all calls, on the disk too. */
  clear(): ActivityState {
    return this.#whole((database) => {
      database.exec('DELETE FROM call; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
      forgetAside(this.#file.path, Infinity)
      this.#kept = 0
      return this.state
    })
  }

  [Symbol.dispose](): void {
    if (this.#file.database.isOpen) this.#file.database.close()
  }

  /** Runs `work`; a file that turns out to be damaged is set aside, and the work is done on a new one. */
  #whole<T>(work: (database: DatabaseSync) => T): T {
    if (!this.#file.database.isOpen) this.#file = this.#open()
    try {
      return work(this.#file.database)
    } catch (error) {
      const loss = lossOf(error)
      if (loss === undefined) throw error
      this[Symbol.dispose]()
      setAside(this.#file.path)
      this.#file = this.#open()
      this.#options.onLost(loss)
      return work(this.#file.database)
    }
  }

  #open(): AuditFile {
    const file = openAuditFile(this.#options.folder)
    if (file.lost) this.#options.onLost(file.lost)
    this.#kept = numberOf(file.database, 'SELECT count(*) AS n FROM call')
    this.#expired = undefined
    return file
  }

  #newest(): number {
    return numberOf(this.#file.database, 'SELECT seq AS n FROM sqlite_sequence')
  }

  #count(filter: CallFilter): number {
    const { sql, values } = whereOf(filter)
    if (sql === '') return this.#kept
    return numberOf(this.#file.database, `SELECT count(*) AS n FROM call ${sql}`, values)
  }

  #shorten(keepFrom: number): void {
    // A look through all calls: once an hour is enough, and when fewer days are kept.
    if (this.#expired === undefined || keepFrom - this.#expired >= HOUR_MS) {
      this.#expired = keepFrom
      this.#remove('DELETE FROM call WHERE at < ?', keepFrom)
      forgetAside(this.#file.path, keepFrom)
    }
    const { calls, bytes } = this.#options.bounds
    if (this.#kept > calls * (1 + SLACK)) this.#removeOldest(this.#kept - calls)
    while (this.#kept > 0 && this.#bytes() > bytes) this.#removeOldest(Math.ceil(this.#kept * PART))
  }

  #removeOldest(count: number): void {
    this.#remove('DELETE FROM call WHERE id IN (SELECT id FROM call ORDER BY id LIMIT ?)', count)
  }

  #remove(sql: string, value: number): void {
    const { database } = this.#file
    const removed = Number(database.prepare(sql).run(value).changes)
    this.#kept -= removed
    if (removed > 0) database.exec('PRAGMA incremental_vacuum')
  }

  #bytes(): number {
    const { database } = this.#file
    const pages = numberOf(database, 'SELECT page_count AS n FROM pragma_page_count')
    const free = numberOf(database, 'SELECT freelist_count AS n FROM pragma_freelist_count')
    return (pages - free) * numberOf(database, 'SELECT page_size AS n FROM pragma_page_size')
  }
}

function numberOf(
  database: DatabaseSync,
  sql: string,
  values: readonly SQLInputValue[] = [],
): number {
  return Number(database.prepare(sql).get(...values)?.n ?? 0)
}
