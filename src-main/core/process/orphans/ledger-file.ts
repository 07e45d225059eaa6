import { appendFileSync, closeSync, constants, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'

import type { Clock } from '../../ports'
import { readOwnText, writeOwnText } from '../../storage/own-file'
import {
  changeLine,
  documentLine,
  type LedgerChange,
  parseLedger,
  type RunRecord,
} from './ledger-lines'

const MAX_BYTES = 4 * 1024 * 1024

/** Lines that are added to the first one before the file is written again, in bytes. */
const MAX_ADDED_BYTES = 256 * 1024
// Windows does not know the last, and 0 changes nothing there.
const FLAGS: Readonly<Record<string, number | undefined>> = constants
const { O_WRONLY = 0, O_APPEND = 0, O_NOFOLLOW = 0 } = FLAGS

/** What was found: earlier runs, or a file that had to be moved aside and the reason, as a sentence. */
export type LedgerContent =
  | { readonly kind: 'runs'; readonly runs: readonly RunRecord[] }
  | { readonly kind: 'movedAside'; readonly to: string; readonly reason: string }

/** The file that remembers children over the end of the app: `children.json` in the profile folder, for this account alone. */
export class LedgerFile {
  readonly path: string
  /** What may be added still, in bytes. */
  #room = 0

  constructor(
    profileDir: string,
    private readonly clock: Clock = Date,
  ) {
    this.path = join(profileDir, 'children.json')
  }

  /** Reads what earlier runs left; a file that is no ledger of this account is moved aside, never deleted. Throws where that fails. */
  read(): LedgerContent {
    const found = readOwnText(this.path, MAX_BYTES)
    if (found.kind === 'none') return { kind: 'runs', runs: [] }
    if (found.kind === 'there') {
      const runs = parseLedger(found.value)
      if (runs) return { kind: 'runs', runs }
    }
    const time = new Date(this.clock.now()).toISOString().replaceAll(':', '-')
    const to = join(dirname(this.path), `${parse(this.path).name}.corrupt-${time}.json`)
    // Of a symbolic link this moves the link itself.
    renameSync(this.path, to)
    return {
      kind: 'movedAside',
      to,
      reason: found.kind === 'there' ? 'The file was not written by Patchbay.' : found.reason,
    }
  }

  /** Replaces the file whole; without any run it is removed. Throws the system's error. */
  write(runs: readonly RunRecord[]): void {
    if (runs.length === 0) {
      rmSync(this.path, { force: true })
      return
    }
    // Not flushed to the disk: only a loss of power needs that, and it ends the children too.
    writeOwnText(this.path, documentLine(runs))
    this.#room = MAX_ADDED_BYTES
  }

  /**
   * Adds a line to what was written, for a hundredth of the time that writing it again takes; false where that is due
   * instead, as the file has grown long, is not there, or does not take the line.
   */
  add(change: LedgerChange): boolean {
    const line = changeLine(change)
    const room = this.#room - Buffer.byteLength(line)
    // Whatever were added to half a line would make the file unreadable.
    this.#room = 0
    if (room < 0) return false
    try {
      const file = openSync(this.path, O_WRONLY | O_APPEND | O_NOFOLLOW)
      try {
        appendFileSync(file, line)
      } finally {
        closeSync(file)
      }
    } catch {
      return false // why is told by the writing again, where that fails too
    }
    this.#room = room
    return true
  }
}
