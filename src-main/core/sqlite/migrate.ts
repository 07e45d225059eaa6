import type { DatabaseSync } from 'node:sqlite'

/** A file that a later version of Patchbay made. */
export class NewerFileError extends Error {
  override readonly name = 'NewerFileError'
}

/** One step of a schema; steps that have been released never change. */
export type Migration = (database: DatabaseSync) => void

/** Brings a file to the newest schema in one transaction; its `user_version` counts the steps it has gone through. Throws NewerFileError for one that is beyond them. */
export function migrate(database: DatabaseSync, steps: readonly Migration[]): void {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0)
  if (version > steps.length)
    throw new NewerFileError(`The file has version ${version} of ${steps.length}.`)
  if (version === steps.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const step of steps.slice(version)) step(database)
    database.exec(`PRAGMA user_version = ${steps.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
