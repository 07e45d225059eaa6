import { existsSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

import { isJsonObject } from '../../../src-shared/domain/json-object'

/** Why an SQLite file is unusable. */
export type FileDamage = 'corrupt' | 'locked' | 'newer'

/** Why SQLite failed on a file; undefined if the error says nothing about the file. */
export function damageOf(error: unknown): FileDamage | undefined {
  if (error instanceof NewerFileError) return 'newer'
  const code = codeOf(error)
  if (code === SQLITE.corrupt || code === SQLITE.notADatabase) return 'corrupt'
  return code === SQLITE.busy || code === SQLITE.locked ? 'locked' : undefined
}

/** Whether an error comes from SQLite. */
export function isFileError(error: unknown): boolean {
  return codeOf(error) !== undefined
}

/** Whether SQLite misses a required part, such as a table. */
export function lacksParts(error: unknown): boolean {
  return codeOf(error) === SQLITE.error
}

/** Moves a closed file with its journals, replacing the target. Throws the system's error. */
export function moveFile(path: string, aside: string): void {
  removeFile(aside)
  for (const ending of ENDINGS)
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`)
}

/** Deletes a closed file with its journals, if it exists. Throws the system's error. */
export function removeFile(path: string): void {
  for (const ending of ENDINGS) rmSync(`${path}${ending}`, { force: true })
}

const ENDINGS = ['', '-wal', '-shm']

/** `error` is the code for a missing table. */
const SQLITE = { error: 1, busy: 5, locked: 6, corrupt: 11, notADatabase: 26 } as const

function codeOf(error: unknown): number | undefined {
  const code = isJsonObject(error) ? error.errcode : undefined
  // The lower byte of an extended code is the primary code.
  return typeof code === 'number' ? code & 0xff : undefined
}

/** A later version of Patchbay wrote the file. */
class NewerFileError extends Error {
  override readonly name = 'NewerFileError'
}

/** A schema migration, as SQL if possible; released migrations never change. */
export type Migration = string | ((database: DatabaseSync) => void)

/**
 * Migrates a file to the newest schema in one transaction; `user_version` counts applied migrations. Throws NewerFileError if the file has
 * more.
 */
export function migrate(database: DatabaseSync, steps: readonly Migration[]): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  if (version > steps.length)
    throw new NewerFileError(`The file has version ${version} of ${steps.length}.`)
  if (version === steps.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const step of steps.slice(version)) {
      if (typeof step === 'string') database.exec(step)
      else step(database)
    }
    database.exec(`PRAGMA user_version = ${steps.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
