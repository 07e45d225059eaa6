import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, constants, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'

import * as z from 'zod'

import { attempt, jsonIn } from '../../../../src-shared/domain/attempt'
import type { Clock } from '../../ports'
import { readOwnText, writeOwnText } from '../../storage/own-file'
import type { ChildKeeper, ChildNote, ChildRemains } from '../spawn/child-keeper'
import type { ContainerRef } from '../spawn/docker-container'
import { newRunToken, type ProcessTable, startMark } from '../tree/process-table'
import { systemProcesses } from '../tree/system-processes'
import {
  type ChildRecord,
  type ProcessRecord,
  type Reaped,
  type ReapLimits,
  reapOrphans,
  RunRecord,
} from './reap-orphans'

/** What the ledger has to say; the owner of `reaped` is an installation. */
export type LedgerEvent =
  | { readonly kind: 'reaped'; readonly reaped: Reaped }
  | { readonly kind: 'movedAside'; readonly to: string; readonly reason: string }
  | { readonly kind: 'unwritable'; readonly said: string }

export type OrphanLedgerOptions = {
  readonly file: LedgerFile
  /** For docker, which removes what is left of containers. */
  readonly env: Readonly<Record<string, string>>
  /** Heard at most once of a kind. */
  readonly onNotification: (event: LedgerEvent) => void
  readonly table?: ProcessTable
  readonly limits?: ReapLimits
}

/** Records of containers that docker does not answer for must not pile up. */
const MOST_CHILDREN = 1_000

type Child = {
  readonly run: string
  readonly record: Omit<ChildRecord, 'processes' | 'container'>
  processes: readonly ProcessRecord[]
  container: ContainerRef | undefined
  isTreeGone: boolean
}

/**
 * Remembers on disk which processes this run of the app has started, so that the next one can end what a
 * kill of the app leaves behind; and does so for the runs before. The run's mark is on disk before the
 * first child, so that on Linux none is missed, whenever the app ends. Open it once the profile is locked.
 */
export class OrphanLedger {
  readonly #run = newRunToken()
  readonly #children = new Map<string, Child>()
  readonly #table: ProcessTable
  readonly #bootId: string
  #earlier: readonly RunRecord[]
  #count = 0
  #isUnwritable = false
  #isClosed = false

  /** Settles when what earlier runs left is gone, after a few seconds at the latest; until then nothing should be started. */
  readonly ready: Promise<void>

  constructor(private readonly options: OrphanLedgerOptions) {
    this.#table = options.table ?? systemProcesses
    // An id that cannot be read matches none: nothing noted counts as of this boot.
    this.#bootId = attempt(() => this.#table.bootId()) ?? ''
    this.#earlier = this.#readEarlier()
    this.#write()
    this.ready = this.#reap()
  }

  /** Remembers children of an installation. */
  keeperOf(owner: string): ChildKeeper {
    return { note: ({ command, container }) => this.#note(owner, command, container, this.#run) }
  }

  /**
   * The same for children that may leave something on purpose: each counts as a run of its own, forgotten
   * with it, so that a mark which lives on in what it left says nothing to the next start.
   */
  sparingKeeperOf(owner: string): ChildKeeper {
    return {
      note: ({ command, container }) => this.#note(owner, command, container, newRunToken()),
    }
  }

  /** Ends the run; what is still noted stays noted, for the next one to end. */
  close(): void {
    this.#isClosed = true
    this.#write()
  }

  #readEarlier(): readonly RunRecord[] {
    try {
      const content = this.options.file.read()
      if (content.kind === 'runs') return content.runs
      this.options.onNotification(content)
    } catch (error) {
      this.#onUnwritable(error)
    }
    return []
  }

  async #reap(): Promise<void> {
    if (this.#earlier.length === 0) return
    const { env, limits } = this.options
    const bootId = this.#bootId
    const own = { table: this.#table, bootId, ownPid: process.pid, env, limits }
    let reaped: Reaped
    try {
      reaped = await reapOrphans(this.#earlier, own)
    } catch {
      return // nothing could be read of any process, so all stays recorded for the next start
    }
    this.#earlier = reaped.runs
    this.#write()
    const isUnseen = reaped.ended.length > 0 || reaped.left.length > 0
    if (isUnseen) this.options.onNotification({ kind: 'reaped', reaped })
  }

  #note(
    owner: string,
    command: string,
    container: ContainerRef | undefined,
    run: string,
  ): ChildNote {
    this.#count += 1
    const id = String(this.#count)
    const hash = createHash('sha256').update(command).digest('hex')
    const record = { child: id, owner, command: hash }
    const child: Child = { run, record, processes: [], container, isTreeGone: false }
    this.#children.set(id, child)
    if (this.#children.size > MOST_CHILDREN) this.#forgetOldest()
    // Before the spawn: whose it is and which container belongs to it, the mark alone cannot tell.
    this.#write()
    const noteProcesses = (processes: readonly ProcessRecord[]): void => {
      child.processes = processes
      if (this.#children.has(id)) this.#write()
    }
    return {
      mark: startMark(run, id),
      started: (pid, startTime) => startTime !== undefined && noteProcesses([{ pid, startTime }]),
      seen: (members) => noteProcesses(members.map(({ pid, startTime }) => ({ pid, startTime }))),
      settle: (remains) => this.#settle(id, child, remains),
    }
  }

  #settle(id: string, child: Child, { isTreeGone, isContainerGone }: ChildRemains): void {
    if (!this.#children.has(id)) return
    if (isTreeGone) child.processes = []
    child.isTreeGone ||= isTreeGone
    if (isContainerGone) child.container = undefined
    // A run of its own is forgotten with its child.
    if (child.isTreeGone && !child.container) this.#children.delete(id)
    this.#write()
  }

  #forgetOldest(): void {
    const oldest = [...this.#children].find(([, { isTreeGone }]) => isTreeGone)
    if (oldest) this.#children.delete(oldest[0])
  }

  #write(): void {
    // The app's own run is there before its first child.
    const runs = new Map<string, Child[]>(this.#isClosed ? [] : [[this.#run, []]])
    for (const [run, some] of Map.groupBy(this.#children.values(), (one) => one.run))
      runs.set(run, some)
    const own = [...runs].map(([run, children]) => ({
      ...{ run, bootId: this.#bootId, appPid: process.pid },
      children: children.map(toRecord),
    }))
    try {
      this.options.file.write([...this.#earlier, ...own])
    } catch (error) {
      this.#onUnwritable(error)
    }
  }

  /** Servers run all the same; said once. */
  #onUnwritable(error: unknown): void {
    if (this.#isUnwritable) return
    this.#isUnwritable = true
    const said = error instanceof Error ? error.message : String(error)
    this.options.onNotification({ kind: 'unwritable', said })
  }
}

function toRecord({ record, processes, container }: Child): ChildRecord {
  return {
    ...record,
    processes: [...processes],
    ...(container && { container: { ...container, tries: 0 } }),
  }
}

const LedgerDocument = z.object({ version: z.literal(1), runs: z.array(RunRecord).max(1_000) })

/**
 * The runs that the last whole line of a ledger holds; undefined for a text without any. The app may have been killed in the
 * middle of a line.
 */
export function parseLedger(text: string): RunRecord[] | undefined {
  const documents = text.split('\n').map((line) => LedgerDocument.safeParse(jsonIn(line)).data)
  return documents.findLast((document) => document !== undefined)?.runs
}

const MAX_BYTES = 4 * 1024 * 1024
/** Lines that are added to the first one before the file is replaced, in bytes. */
const MAX_ADDED_BYTES = 1024 * 1024
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

  /** Notes these runs in place of the ones before; without any the file is removed. Throws the system's error. */
  write(runs: readonly RunRecord[]): void {
    if (runs.length === 0) {
      rmSync(this.path, { force: true })
      return
    }
    const line = `${JSON.stringify({ version: 1, runs })}\n`
    if (this.#add(line)) return
    // Not flushed to the disk: only a loss of power needs that, and it ends the children too.
    writeOwnText(this.path, line)
    this.#room = MAX_ADDED_BYTES
  }

  /**
   * Adds a line, for a hundredth of the time that replacing the file takes; false where that is due instead, as the file has
   * grown long, is not there, or does not take the line.
   */
  #add(line: string): boolean {
    const room = this.#room - Buffer.byteLength(line)
    // Whatever were added to half a line would be lost with it.
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
      return false // the file that replaces it says why, where that fails too
    }
    this.#room = room
    return true
  }
}
