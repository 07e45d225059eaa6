import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, constants, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'

import * as z from 'zod'

import { attempt, jsonIn } from '../../../../src-shared/domain/attempt'
import type { Clock } from '../../ports'
import { readOwnText, writeOwnText } from '../../storage/own-file'
import type { ContainerRef } from '../spawn/docker-container'
import type { ChildEnd, ChildRecorder, ProcessLedger } from '../spawn/process-ledger'
import { newRunToken, type ProcessTable, startMark } from '../tree/process-table'
import { systemProcesses } from '../tree/system-processes'
import {
  type ChildRecord,
  MAX_PROCESSES,
  type ProcessRecord,
  type Reaped,
  type ReapLimits,
  reapOrphans,
  RunRecord,
} from './reap-orphans'

/** Events of the ledger; the owner of `reaped` is an installation. */
export type LedgerEvent =
  | { readonly kind: 'reaped'; readonly reaped: Reaped }
  | { readonly kind: 'movedAside'; readonly to: string; readonly reason: string }
  | { readonly kind: 'unwritable'; readonly reason: string }

export type OrphanLedgerOptions = {
  readonly file: LedgerFile
  /** Environment for docker, which removes leftover containers. */
  readonly env: Readonly<Record<string, string>>
  /** Called at most once per kind. */
  readonly onNotification: (event: LedgerEvent) => void
  readonly table?: ProcessTable
  readonly limits?: ReapLimits
}

/** Bounds the records of containers that docker doesn't answer for. */
const MAX_CHILDREN = 1_000

type Child = {
  readonly run: string
  readonly record: Omit<ChildRecord, 'processes' | 'container'>
  processes: readonly ProcessRecord[]
  container: ContainerRef | undefined
  isTreeGone: boolean
}

/**
 * Records on disk which processes this run of the app has started, so that the next run can end what a killed app leaves behind, and ends
 * what earlier runs left. The run's mark is on disk before the first child, so that on Linux none is missed. Open the ledger after locking
 * the profile.
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

  /** Settles when the processes of earlier runs are gone, after a few seconds at most; start nothing before. */
  readonly ready: Promise<void>

  constructor(private readonly options: OrphanLedgerOptions) {
    this.#table = options.table ?? systemProcesses
    // An unreadable boot id matches no record, so no recorded pid counts as alive.
    this.#bootId = attempt(() => this.#table.bootId()) ?? ''
    this.#earlier = this.#readEarlier()
    this.#write()
    this.ready = this.#reap()
  }

  /** Records children of an installation. */
  ledgerOf(owner: string): ProcessLedger {
    return { add: ({ command, container }) => this.#record(owner, command, container, this.#run) }
  }

  /**
   * Records children that may leave processes on purpose. Each is a run of its own that ends with it, so its mark in surviving processes
   * means nothing to the next start.
   */
  ledgerWithoutReaping(owner: string): ProcessLedger {
    return {
      add: ({ command, container }) => this.#record(owner, command, container, newRunToken()),
    }
  }

  /** Ends the run; children that still run stay recorded for the next run. */
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
      return // No process could be read, so everything stays recorded for the next start.
    }
    this.#earlier = reaped.runs
    this.#write()
    const isUnseen = reaped.ended.length > 0 || reaped.left.length > 0
    if (isUnseen) this.options.onNotification({ kind: 'reaped', reaped })
  }

  #record(
    owner: string,
    command: string,
    container: ContainerRef | undefined,
    run: string,
  ): ChildRecorder {
    this.#count += 1
    const id = String(this.#count)
    const hash = createHash('sha256').update(command).digest('hex')
    const record = { child: id, owner, command: hash }
    const child: Child = { run, record, processes: [], container, isTreeGone: false }
    this.#children.set(id, child)
    if (this.#children.size > MAX_CHILDREN) this.#forgetOldest()
    // Written before the spawn: the mark alone doesn't tell the owner or the container.
    this.#write()
    const recordProcesses = (processes: readonly ProcessRecord[]): void => {
      child.processes = processes.slice(0, MAX_PROCESSES)
      if (this.#children.has(id)) this.#write()
    }
    return {
      mark: startMark(run, id),
      started: (pid, startTime) => startTime !== undefined && recordProcesses([{ pid, startTime }]),
      seen: (members) => recordProcesses(members.map(({ pid, startTime }) => ({ pid, startTime }))),
      finished: (remains) => this.#finish(id, child, remains),
    }
  }

  #finish(id: string, child: Child, { isTreeGone, isContainerGone }: ChildEnd): void {
    if (!this.#children.has(id)) return
    if (isTreeGone) child.processes = []
    child.isTreeGone ||= isTreeGone
    if (isContainerGone) child.container = undefined
    // A child with its own run is forgotten when it ends.
    if (child.isTreeGone && !child.container) this.#children.delete(id)
    this.#write()
  }

  #forgetOldest(): void {
    const oldest = [...this.#children].find(([, { isTreeGone }]) => isTreeGone)
    if (oldest) this.#children.delete(oldest[0])
  }

  #write(): void {
    // The app's own run is recorded before its first child.
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

  /** Servers run anyway; reported once. */
  #onUnwritable(error: unknown): void {
    if (this.#isUnwritable) return
    this.#isUnwritable = true
    const reason = error instanceof Error ? error.message : String(error)
    this.options.onNotification({ kind: 'unwritable', reason })
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

/** Parses the last whole line of a ledger; undefined if no line is valid. The app may have been killed while writing a line. */
export function parseLedger(text: string): RunRecord[] | undefined {
  const documents = text.split('\n').map((line) => LedgerDocument.safeParse(jsonIn(line)).data)
  return documents.findLast((document) => document !== undefined)?.runs
}

const MAX_BYTES = 4 * 1024 * 1024
/** Appended bytes before the file is replaced. */
const MAX_ADDED_BYTES = 1024 * 1024
// Windows lacks O_NOFOLLOW; 0 has no effect there.
const FLAGS: Readonly<Record<string, number | undefined>> = constants
const { O_WRONLY = 0, O_APPEND = 0, O_NOFOLLOW = 0 } = FLAGS

/** The records of earlier runs, or an invalid file that was moved aside with the reason as a sentence. */
export type LedgerContent =
  | { readonly kind: 'runs'; readonly runs: readonly RunRecord[] }
  | { readonly kind: 'movedAside'; readonly to: string; readonly reason: string }

/** The file `children.json` in the profile folder, readable by this account only. */
export class LedgerFile {
  readonly path: string
  /** Bytes that may still be appended. */
  #room = 0

  constructor(
    profileDir: string,
    private readonly clock: Clock = Date,
  ) {
    this.path = join(profileDir, 'children.json')
  }

  /** Reads the records of earlier runs; moves an invalid or foreign file aside without deleting it. Throws if that fails. */
  read(): LedgerContent {
    const found = readOwnText(this.path, MAX_BYTES)
    if (found.kind === 'none') return { kind: 'runs', runs: [] }
    if (found.kind === 'there') {
      const runs = parseLedger(found.value)
      if (runs) return { kind: 'runs', runs }
    }
    const time = new Date(this.clock.now()).toISOString().replaceAll(':', '-')
    const to = join(dirname(this.path), `${parse(this.path).name}.corrupt-${time}.json`)
    // Moves a symbolic link itself, not its target.
    renameSync(this.path, to)
    return {
      kind: 'movedAside',
      to,
      reason: found.kind === 'there' ? 'The file was not written by Patchbay.' : found.reason,
    }
  }

  /** Records these runs in place of the previous ones; removes the file if there are none. Throws the system's error. */
  write(runs: readonly RunRecord[]): void {
    if (runs.length === 0) {
      rmSync(this.path, { force: true })
      return
    }
    const line = `${JSON.stringify({ version: 1, runs })}\n`
    if (this.#add(line)) return
    // Not synced to disk: only a power loss needs that, and it ends the children too.
    writeOwnText(this.path, line)
    this.#room = MAX_ADDED_BYTES
  }

  /**
   * Appends a line, which takes a hundredth of the time of replacing the file; false if the file has grown long, is missing, or can't be
   * written.
   */
  #add(line: string): boolean {
    const room = this.#room - Buffer.byteLength(line)
    // Anything appended to half a line would be lost with it.
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
      return false // if replacing the file fails too, that is reported
    }
    this.#room = room
    return true
  }
}
