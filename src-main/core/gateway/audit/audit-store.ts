import { chmodSync, closeSync, constants, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'

import {
  type ActivityCounts,
  type ActivityPage,
  type ActivityQuery,
  type ActivityState,
  Call,
  FAILED_OUTCOMES,
} from '../../../../src-shared/domain/agents/activity'
import {
  damageOf,
  lacksParts,
  migrate,
  type Migration,
  moveFile,
  removeFile,
} from '../../sqlite/file-damage'
import { fold } from '../../text/words'
import { type AuditLoss, auditPath, emptyDay, type NewCall } from './audit-call'

export type CallFilter = Partial<Omit<ActivityQuery, 'limit'>>

/** Limits of the store: number of calls, and bytes on disk. */
export type AuditBounds = { readonly calls: number; readonly bytes: number }

const BOUNDS: AuditBounds = { calls: 200_000, bytes: 512 * 1024 * 1024 }
const BUSY_MS = 2_000
const JOURNAL_BYTES = 4 * 1024 * 1024
const HOUR_MS = 3_600_000
/** Share of all calls that is removed if they take too much room. */
const PART = 1 / 20
/** The number of calls may exceed the limit by this share before the oldest are removed together. */
const SLACK = 1 / 100
const MAX_WORDS = 8
const BYTES = `SELECT (page_count - freelist_count) * page_size AS n
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`
/** Members of a call and their columns. */
const MEMBERS = Object.keys(Call.omit({ callId: true }).shape) as (keyof NewCall)[]
const COLUMNS = MEMBERS.map((member) =>
  member.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`),
)
const SEARCHED = ['target', 'server_name', 'agent_name', 'message', 'arguments'] as const
const INSERT = `INSERT INTO call (${COLUMNS.join(', ')}) VALUES (${MEMBERS.map(() => '?').join(', ')})`
const SELECT = `SELECT id AS callId, ${MEMBERS.map((member, at) => `${COLUMNS[at]} AS ${member}`).join(', ')} FROM call`

/** The calls of all agents in SQLite. Methods block on the disk and throw its errors. `retentionStart` (epoch ms): earlier calls are removed. */
export class AuditStore {
  #database: DatabaseSync | undefined
  #storedCount = 0
  #expired: number | undefined

  /** Opens the database at the first use. `onLost`: the file is unusable and was moved aside. */
  constructor(
    private readonly folder: string,
    private readonly onLost: (loss: AuditLoss) => void,
    private readonly bounds: AuditBounds = BOUNDS,
  ) {}

  append(calls: readonly NewCall[], retentionStart: number): ActivityState {
    return this.#run((database) => {
      // Must come first: if it failed after the commit, the same calls would be written again.
      this.#prune(database, retentionStart)
      database.exec('BEGIN IMMEDIATE')
      try {
        const insert = database.prepare(INSERT)
        for (const call of calls) insert.run(...MEMBERS.map((member) => call[member] ?? null))
        database.exec('COMMIT')
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
      this.#storedCount += calls.length
      return this.#state(database)
    })
  }

  page(query: ActivityQuery, retentionStart: number): ActivityPage & { readonly kept: number } {
    const calls = this.calls(query, retentionStart)
    return this.#run((database) => {
      const { before, limit, ...all } = query
      const { sql, values } = whereOf(all)
      // A first page that isn't full holds all calls.
      const isAll = before === undefined && calls.length < limit
      const count = `SELECT count(*) AS n FROM call ${sql}`
      const total = isAll
        ? calls.length
        : sql
          ? numberOf(database, count, values)
          : this.#storedCount
      return { calls, total, ...this.#state(database) }
    })
  }

  /** Returns the newest matching calls, newest first. */
  calls(query: CallFilter & { readonly limit: number }, retentionStart: number): Call[] {
    return this.#run((database) => {
      this.#prune(database, retentionStart)
      const { sql, values } = whereOf(query)
      const rows = database.prepare(`${SELECT} ${sql} ORDER BY id DESC LIMIT ?`)
      return rows.all(...values, query.limit).flatMap(callOf)
    })
  }

  /** Returns the number of calls in each half hour of the 24 h before `now` (epoch ms). */
  counts(now: number): ActivityCounts {
    return this.#run((database) => {
      const day = emptyDay(now)
      const { from, stepMs, steps } = day
      const rows = database.prepare(
        `SELECT CAST((at - ?) / ? AS INTEGER) AS step, count(*) AS calls,
          sum(outcome IN (${FAILED_OUTCOMES.map(() => '?').join(', ')})) AS failed
          FROM call WHERE at >= ? AND at < ? GROUP BY step`,
      )
      for (const row of rows.all(
        from,
        stepMs,
        ...FAILED_OUTCOMES,
        from,
        from + steps.length * stepMs,
      )) {
        const step = steps[Number(row.step)]
        if (step) Object.assign(step, { calls: Number(row.calls), failed: Number(row.failed) })
      }
      return day
    })
  }

  /** Removes all calls, on the disk too. */
  clear(): ActivityState {
    return this.#run((database) => {
      database.exec('DELETE FROM call; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
      removeFile(this.#asidePath)
      this.#storedCount = 0
      return this.#state(database)
    })
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  /** Runs `operation`; if the file turns out to be damaged, moves it aside and runs `operation` on a new one. */
  #run<T>(operation: (database: DatabaseSync) => T): T {
    try {
      return operation(this.#open())
    } catch (error) {
      const loss = lossOf(error)
      this.close()
      moveFile(auditPath(this.folder), this.#asidePath)
      this.onLost(loss)
      return operation(this.#open())
    }
  }

  #open(): DatabaseSync {
    if (this.#database) return this.#database
    const database = openDatabase(this.folder)
    this.#storedCount = numberOf(database, 'SELECT count(*) AS n FROM call')
    this.#expired = undefined
    return (this.#database = database)
  }

  get #asidePath(): string {
    return join(this.folder, 'activity.set-aside.db')
  }

  #state(database: DatabaseSync): ActivityState {
    return {
      newest: numberOf(database, 'SELECT seq AS n FROM sqlite_sequence'),
      kept: this.#storedCount,
    }
  }

  #prune(database: DatabaseSync, retentionStart: number): void {
    const remove = (sql: string, value: number): void => {
      const removed = Number(database.prepare(`DELETE FROM call WHERE ${sql}`).run(value).changes)
      this.#storedCount -= removed
      if (removed > 0) database.exec('PRAGMA incremental_vacuum')
    }
    const removeOldest = (count: number): void =>
      remove('id IN (SELECT id FROM call ORDER BY id LIMIT ?)', count)
    // This reads all calls, so it runs once an hour, and when fewer days are kept.
    if (this.#expired === undefined || retentionStart - this.#expired >= HOUR_MS) {
      this.#expired = retentionStart
      remove('at < ?', retentionStart)
      const movedAt = statSync(this.#asidePath, { throwIfNoEntry: false })?.ctimeMs ?? Infinity
      if (movedAt < retentionStart) removeFile(this.#asidePath)
    }
    const { calls, bytes } = this.bounds
    if (this.#storedCount > calls * (1 + SLACK)) removeOldest(this.#storedCount - calls)
    while (this.#storedCount > 0 && numberOf(database, BYTES) > bytes)
      removeOldest(Math.ceil(this.#storedCount * PART))
  }
}

/** Returns why SQLite can't use a file; throws `error` if a later attempt may succeed. */
function lossOf(error: unknown): AuditLoss {
  const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP'
  const damage = damageOf(error) ?? (lacksParts(error) || isLink ? 'corrupt' : 'locked')
  if (damage === 'locked') throw error
  return damage
}

function openDatabase(folder: string): DatabaseSync {
  const path = auditPath(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Private to this account and never through a link; SQLite gives its journals the file's permissions.
  const { O_NOFOLLOW = 0 } = constants as Readonly<Record<string, number | undefined>>
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
  chmodSync(folder, 0o700)
  const database = new DatabaseSync(path, { timeout: BUSY_MS })
  try {
    // Cleared and expired data is overwritten, and the file shrinks.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON')
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec(`PRAGMA journal_size_limit = ${JOURNAL_BYTES}; PRAGMA cache_size = -4000`)
    migrate(database, MIGRATIONS)
    database.exec('BEGIN IMMEDIATE; SELECT id, outcome FROM call LIMIT 1; COMMIT')
    database.function('fold', { deterministic: true }, (text) =>
      typeof text === 'string' ? fold(text) : '',
    )
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** AUTOINCREMENT: numbers are never reused, even after all calls were cleared. */
const MIGRATIONS: readonly Migration[] = [
  `
      CREATE TABLE call (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL,
        agent_id TEXT NOT NULL,
        agent_name TEXT NOT NULL,
        installation_id TEXT,
        server_name TEXT,
        method TEXT NOT NULL,
        target TEXT NOT NULL,
        duration_ms REAL NOT NULL,
        request_bytes INTEGER NOT NULL,
        result_bytes INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        message TEXT,
        arguments TEXT
      ) STRICT`,
]

/** Returns the call of a row; empty for a row that Patchbay didn't write. */
function callOf(row: Record<string, SQLOutputValue>): Call[] {
  const members = Object.entries(row).filter(([, value]) => value !== null)
  const { data } = Call.safeParse(Object.fromEntries(members))
  return data ? [data] : []
}

/** Builds the SQL condition of a filter, empty if every call matches. Each word of the text must occur somewhere in a call. */
function whereOf(filter: CallFilter): { readonly sql: string; readonly values: SQLInputValue[] } {
  const { before, after, from, to, agentId, installationId, outcomes = [], text = '' } = filter
  const words = text.split(/\s+/u).filter((word) => word !== '')
  const parts: [string, SQLInputValue[]][] = [
    ['id < ?', listed(before)],
    ['id > ?', listed(after)],
    ['at >= ?', listed(from)],
    ['at < ?', listed(to)],
    ['agent_id = ?', listed(agentId)],
    ['installation_id = ?', listed(installationId)],
    [`outcome IN (${outcomes.map(() => '?').join(', ')})`, outcomes],
    ...words.slice(0, MAX_WORDS).map(occurs),
  ]
  const active = parts.filter(([, values]) => values.length > 0)
  const sql = active.map(([part]) => part).join(' AND ')
  return { sql: sql && `WHERE ${sql}`, values: active.flatMap(([, values]) => values) }
}

function listed(value: SQLInputValue | undefined): SQLInputValue[] {
  return value === undefined ? [] : [value]
}

function occurs(word: string): [string, SQLInputValue[]] {
  // LIKE ignores case for ASCII only, and is several times faster than a custom function.
  const isPlain = /^[\x20-\x7E]+$/u.test(word)
  const value = isPlain ? `%${word.replace(/[\\%_]/gu, String.raw`\$&`)}%` : word
  const parts = SEARCHED.map((column) =>
    isPlain ? `${column} LIKE ? ESCAPE '\\'` : `instr(fold(${column}), fold(?)) > 0`,
  )
  return [`(${parts.join(' OR ')})`, SEARCHED.map(() => value)]
}

function numberOf(
  database: DatabaseSync,
  sql: string,
  values: readonly SQLInputValue[] = [],
): number {
  return Number(database.prepare(sql).get(...values)?.n ?? 0)
}
