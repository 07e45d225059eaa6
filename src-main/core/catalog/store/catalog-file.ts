import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { damageOf, type FileDamage, lacksParts, moveFile } from '../../sqlite/file-damage'
import { migrate } from '../../sqlite/migrate'
import { MIGRATIONS } from './catalog-schema'

/** Why a catalog file was not used as it was; `unusable` is a folder in which none can be. */
export type SetAsideReason = FileDamage | 'unusable'

/** A catalog file that is open for writing. */
export type CatalogFile = {
  readonly path: string
  readonly writer: DatabaseSync
  /** Sees what is committed, also while a transaction of the writer is under way. */
  readonly reader: DatabaseSync
  /** Why the catalog begins empty; missing where the file was good, or the first. */
  readonly reason?: SetAsideReason
  /** The file lies in the system's temporary folder and goes when it is closed. */
  readonly isTemporary: boolean
}

const FILE = 'catalog.db'
const ASIDE = 'catalog.set-aside.db'
const BUSY_MS = 2_000

/**
 * Opens the catalog of a profile folder. A file that is corrupt, locked or of a later version is moved aside and
 * begun anew; where the folder cannot be written, the catalog lives in a temporary one for this run.
 */
export function openCatalogFile(folder: string, busyMs = BUSY_MS): CatalogFile {
  const path = join(folder, FILE)
  const reason = attempt(() => mkdirSync(folder, { recursive: true })) ?? undefined
  if (reason === undefined) {
    const first = tryOpen(path, busyMs)
    if (typeof first !== 'string') return { ...first, isTemporary: false }
    const second = moveAside(path) ? tryOpen(path, busyMs) : 'unusable'
    if (typeof second !== 'string') return { ...second, reason: first, isTemporary: false }
  }
  const temporary = join(mkdtempSync(join(tmpdir(), 'patchbay-catalog-')), FILE)
  const opened = open(temporary, busyMs)
  return { ...opened, reason: 'unusable', isTemporary: true }
}

/** Moves the file of a closed catalog away, so that the next opening begins a new one; false where it cannot be. */
export function moveAside(path: string): boolean {
  return attempt(() => moveFile(path, join(dirname(path), ASIDE))) === undefined
}

/** Closes both connections, and removes a temporary file. */
export function closeCatalogFile({ path, reader, writer, isTemporary }: CatalogFile): void {
  if (reader.isOpen) reader.close()
  if (writer.isOpen) writer.close()
  if (isTemporary) rmSync(dirname(path), { recursive: true, force: true })
}

function tryOpen(path: string, busyMs: number) {
  try {
    return open(path, busyMs)
  } catch (error) {
    return damageOf(error) ?? (lacksParts(error) ? 'corrupt' : 'unusable')
  }
}

function open(path: string, busyMs: number): Pick<CatalogFile, 'path' | 'writer' | 'reader'> {
  const writer = new DatabaseSync(path, { timeout: busyMs })
  try {
    writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    migrate(writer, MIGRATIONS)
    // Finds out now, not at the first sync, that somebody else holds the file or that it lost a table.
    writer.exec(
      'BEGIN IMMEDIATE; SELECT count(*) FROM source; SELECT id FROM server LIMIT 1; COMMIT',
    )
    const reader = new DatabaseSync(path, { timeout: busyMs, readOnly: true })
    reader.exec('PRAGMA cache_size = -16000; PRAGMA query_only = 1')
    return { path, writer, reader }
  } catch (error) {
    writer.close()
    throw error
  }
}

function attempt(work: () => void): SetAsideReason | undefined {
  try {
    work()
    return undefined
  } catch {
    return 'unusable'
  }
}
