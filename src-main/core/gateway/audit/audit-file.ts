import { chmodSync, closeSync, constants, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { fold } from '../../catalog/search/fold'
import { damageOf, lacksParts, moveFile, removeFile } from '../../sqlite/file-damage'
import { migrate, type Migration } from '../../sqlite/migrate'
import { FOLD } from './audit-where'

/** Why calls of before are no longer shown. */
export type AuditLoss = 'corrupt' | 'newer'

/** The file of calls, open. */
export type AuditFile = {
  readonly path: string
  readonly database: DatabaseSync
  /** Missing where the file was good, or the first. */
  readonly lost?: AuditLoss
}

const FILE = 'activity.db'
const ASIDE = 'activity.set-aside.db'
const BUSY_MS = 2_000
const JOURNAL_BYTES = 4 * 1024 * 1024

/** Where the calls of a folder are kept. */
export function auditPath(folder: string): string {
  return join(folder, FILE)
}

/** Opens the calls that are kept in a folder, for this account alone. A file that is damaged or of a later version is set aside and begun anew. Throws the system's and SQLite's errors. */
export function openAuditFile(folder: string): AuditFile {
  const path = auditPath(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return { path, database: open(path) }
  } catch (error) {
    const lost = lossOf(error)
    if (lost === undefined) throw error
    setAside(path)
    return { path, database: open(path), lost }
  }
}

/** Why SQLite cannot go on with a file; undefined for what a later try may mend. */
export function lossOf(error: unknown): AuditLoss | undefined {
  const damage = damageOf(error)
  if (damage === 'locked') return undefined
  const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP'
  return damage ?? (lacksParts(error) || isLink ? 'corrupt' : undefined)
}

/** Moves a closed file away, so that the next opening begins a new one. */
export function setAside(path: string): void {
  moveFile(path, join(dirname(path), ASIDE))
}

/** Deletes what was set aside for a file, where that was before `time` (epoch ms). */
export function forgetAside(path: string, time: number): void {
  const aside = join(dirname(path), ASIDE)
  const setAsideAt = statSync(aside, { throwIfNoEntry: false })?.ctimeMs ?? Infinity
  if (setAsideAt < time) removeFile(aside)
}

function open(path: string): DatabaseSync {
  makePrivate(path)
  const database = new DatabaseSync(path, { timeout: BUSY_MS })
  try {
    // What is cleared or too old is overwritten, and its room is given back.
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON')
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    database.exec(`PRAGMA journal_size_limit = ${JOURNAL_BYTES}; PRAGMA cache_size = -4000`)
    migrate(database, AUDIT_MIGRATIONS)
    database.exec('BEGIN IMMEDIATE; SELECT id, outcome FROM call LIMIT 1; COMMIT')
    database.function(FOLD, { deterministic: true }, (text) =>
      typeof text === 'string' ? fold(text) : '',
    )
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite gives its journals the rights of the file. */
function makePrivate(path: string): void {
  // Windows has no such flag, and 0 changes nothing there.
  const { O_NOFOLLOW = 0 } = constants as Readonly<Record<string, number | undefined>>
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
  chmodSync(dirname(path), 0o700)
}

/** The steps of the schema of `activity.db`, in their order. */
const AUDIT_MIGRATIONS: readonly Migration[] = [createCalls]

function createCalls(database: DatabaseSync): void {
  database.exec(`
      CREATE TABLE call (
        -- AUTOINCREMENT: a number is never given again, also when all calls were cleared.
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
      ) STRICT`)
}
