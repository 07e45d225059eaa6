import {
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

import * as z from 'zod'

import type { Clock } from '../ports'

const MAX_BYTES = 4 * 1024 * 1024

const ProcessRecord = z.object({
  pid: z.number().int().min(2),
  /** As the system's process table writes it; see `process-table.ts`. */
  startTime: z.string().max(100),
})
export type ProcessRecord = z.infer<typeof ProcessRecord>

const ContainerRecord = z.object({
  name: z.string().regex(/^patchbay-[0-9a-f]{8,32}$/u),
  /** Absolute path of the program that speaks to the daemon. */
  docker: z.string().max(4_096),
  /** How many starts have tried to remove it in vain. */
  tries: z.number().int().nonnegative(),
})
export type ContainerRecord = z.infer<typeof ContainerRecord>

const ChildRecord = z.object({
  /** The second part of its mark. */
  child: z.string().max(64),
  /** Installation that it belongs to. */
  owner: z.string().max(64),
  /** SHA-256 in hex of the program's path; arguments may hold secrets and are not here. */
  command: z.string().max(64),
  /** The child itself and, where marks cannot be read, what was seen of its tree. */
  processes: z.array(ProcessRecord).max(1_000),
  container: ContainerRecord.optional(),
})
export type ChildRecord = z.infer<typeof ChildRecord>

/** The children of one run of the app. */
export const RunRecord = z.object({
  /** The first part of the mark of each. */
  run: z.string().regex(/^[0-9a-f]{32}$/u),
  /** Names the run of the system that pids and start times belong to. */
  bootId: z.string().max(100),
  appPid: z.number().int(),
  children: z.array(ChildRecord).max(10_000),
})
export type RunRecord = z.infer<typeof RunRecord>

const LedgerDocument = z.object({ version: z.literal(1), runs: z.array(RunRecord).max(1_000) })

/** What was found: earlier runs, or a file that had to be moved aside and the reason, as a sentence. */
export type LedgerContent =
  | { readonly kind: 'runs'; readonly runs: readonly RunRecord[] }
  | { readonly kind: 'movedAside'; readonly to: string; readonly reason: string }

/** The file that remembers children over the end of the app: `children.json` in the profile folder, for this account alone. */
export class LedgerFile {
  readonly path: string

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
      const runs = parseRuns(found.text)
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
    writeFileSync(fresh, JSON.stringify({ version: 1, runs }), { flag: 'wx', mode: 0o600 })
    renameSync(fresh, this.path)
  }
}

type Found =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'foreign'; readonly reason: string }

function readOwnFile(path: string): Found {
  // Windows has neither flag, and 0 changes nothing there. A pipe must not block the open.
  const flags: Readonly<Record<string, number | undefined>> = constants
  const { O_RDONLY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = flags
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

function parseRuns(text: string): readonly RunRecord[] | undefined {
  try {
    return LedgerDocument.safeParse(JSON.parse(text)).data?.runs
  } catch {
    return undefined // no JSON: the caller moves it aside
  }
}
