import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, parse } from 'node:path'

import type { Clock } from '../../ports'
import {
  changeLine,
  documentLine,
  type LedgerChange,
  parseLedger,
  type RunRecord,
} from './ledger-lines'

const MAX_BYTES = 4 * 1024 * 1024

/** Lines that are added to the first one before the file is written anew, in bytes. */
const MAX_ADDED_BYTES = 256 * 1024
// Windows knows neither of the last two, and 0 changes nothing there. A pipe must not block the open.
const FLAGS: Readonly<Record<string, number | undefined>> = constants
const { O_RDONLY = 0, O_WRONLY = 0, O_APPEND = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = FLAGS

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
    const found = readOwnFile(this.path)
    if (found.kind === 'none') return { kind: 'runs', runs: [] }
    if (found.kind === 'text') {
      const runs = parseLedger(found.text)
      if (runs) return { kind: 'runs', runs }
    }
    const time = new Date(this.clock.now()).toISOString().replaceAll(':', '-')
    const to = join(dirname(this.path), `${parse(this.path).name}.corrupt-${time}.json`)
    // Of a symbolic link this moves the link itself.
    renameSync(this.path, to)
    return {
      kind: 'movedAside',
      to,
      reason:
        found.kind === 'foreign' ? found.reason : 'It does not hold what Patchbay writes there.',
    }
  }

  /** Replaces the file whole; without any run it is removed. Throws the system's error. */
  write(runs: readonly RunRecord[]): void {
    if (runs.length === 0) {
      rmSync(this.path, { force: true })
      return
    }
    const fresh = `${this.path}.new`
    rmSync(fresh, { force: true })
    // 'wx' follows no symbolic link, and renaming replaces one instead of writing through it.
    // Not flushed to the disk: only a loss of power needs that, and it ends the children too.
    writeFileSync(fresh, documentLine(runs), { flag: 'wx', mode: 0o600 })
    renameSync(fresh, this.path)
    this.#room = MAX_ADDED_BYTES
  }

  /**
   * Adds a line to what was written, for a hundredth of the time that writing it anew takes; false where that is due
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
      return false // why is told by the writing anew, where that fails too
    }
    this.#room = room
    return true
  }
}

type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'foreign'; readonly reason: string }

function readOwnFile(path: string): Found {
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { kind: 'none' }
    if (code === 'ELOOP') return { kind: 'foreign', reason: 'It is a link to another place.' }
    return { kind: 'foreign', reason: 'It cannot be read.' }
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return { kind: 'foreign', reason: 'It is not a file.' }
    const isOwn = process.getuid === undefined || stat.uid === process.getuid()
    if (!isOwn) return { kind: 'foreign', reason: 'It belongs to another account.' }
    if (stat.size > MAX_BYTES) return { kind: 'foreign', reason: 'It is too large.' }
    return { kind: 'text', text: readFileSync(file, 'utf8') }
  } finally {
    closeSync(file)
  }
}
