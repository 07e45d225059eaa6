import { attempt } from '../../../../src-shared/domain/attempt'
import { sendSignal, taskkill, type TreeSignal } from './kill-tree'
import type { ProcessEntry, ProcessSnapshot, ProcessTable } from './process-table'
import { systemProcesses } from './system-processes'

/** Environments read at the same time. */
const READERS = 32

/** The identity of a tree. */
export type TreeRoot = {
  /** Pid of the child, which leads its own process group (POSIX). */
  readonly pid: number
  /** Undefined if the system provides it only at a cost; the first look finds it. */
  readonly startTime: string | undefined
  /** The mark in the environment of all members. */
  readonly mark: string
  /** True once the child has ended: its pid may belong to another process. */
  readonly hasExited: () => boolean
}

/**
 * A child and everything it started: its descendants, its process group, the processes that carry its mark (even after setsid and
 * reparenting), and earlier known members. A recycled pid never counts, so it is never signaled.
 */
export class ProcessTree {
  #known: readonly ProcessEntry[] = []
  #startTime: string | undefined
  #hasExited = false
  readonly #exited = Promise.withResolvers<undefined>()
  /** Settles with the look that finds no member left; never for a tree that can't be ended. */
  readonly exited: Promise<unknown> = this.#exited.promise

  constructor(
    private readonly root: TreeRoot,
    private readonly table: ProcessTable = systemProcesses,
  ) {
    this.#startTime = root.startTime
  }

  /** The living members; if the table can't be read, the known ones that may still run. Never rejects. */
  async look(): Promise<readonly ProcessEntry[]> {
    if (this.#hasExited) return []
    const hadExited = this.root.hasExited()
    let snapshot: ProcessSnapshot
    try {
      snapshot = await this.table.read()
    } catch {
      return this.#known.filter((entry) => this.#mayRun(entry)) // the caller looks again, and waits are bounded
    }
    const seeds = this.#seeds(snapshot, hadExited)
    for (const pid of await this.#marked(snapshot)) seeds.push(pid)
    this.#known = [...withDescendants(snapshot, seeds).keys()].filter((entry) =>
      this.#mayBeOwn(entry),
    )
    // Nothing can join anymore, and a matching pid belongs to another process.
    if (hadExited && this.#known.length === 0) {
      this.#hasExited = true
      this.#exited.resolve(undefined)
    }
    return this.#known
  }

  /** Looks before a stop, on systems where a child loses its parent's pid when the parent ends. */
  async prefetch(): Promise<void> {
    if (!this.table.keepsParents && !this.root.hasExited()) await this.look()
  }

  /** Whether any member still runs; cheap while a known one does. */
  async isAlive(): Promise<boolean> {
    if (this.#hasExited) return false
    if (!this.root.hasExited() || this.#known.some((entry) => this.#mayRun(entry))) return true
    return (await this.look()).length > 0
  }

  /** Signals every member (Windows always kills); resolves to their number. */
  async signal(signal: TreeSignal): Promise<number> {
    const members = await this.look()
    if (process.platform === 'win32') {
      await taskkill(members.map(({ pid }) => pid))
      return members.length
    }
    const { pid: group } = this.root
    // Signals the group in one call, so that no member is missed while it forks.
    if (members.some((entry) => entry.group === group)) sendSignal(-group, signal)
    for (const entry of members) {
      if (entry.group !== group && this.#mayRun(entry)) sendSignal(entry.pid, signal)
    }
    return members.length
  }

  #mayRun({ pid, startTime }: ProcessEntry): boolean {
    // Unknown counts as running, so that nothing is given up.
    return attempt(() => this.table.isRunning(pid, startTime)) ?? true
  }

  /** The child, its group, and the known members. */
  #seeds(snapshot: ProcessSnapshot, hadExited: boolean): number[] {
    const { pid } = this.root
    const leader = snapshot.get(pid)
    if (!hadExited) this.#startTime ??= leader?.startTime
    const isRecycled =
      leader !== undefined &&
      (this.#startTime === undefined ? hadExited : leader.startTime !== this.#startTime)
    const known = this.#known.filter(
      (entry) => snapshot.get(entry.pid)?.startTime === entry.startTime,
    )
    const seeds = known.map((entry) => entry.pid)
    if (isRecycled) return seeds
    for (const entry of snapshot.values()) if (entry.group === pid) seeds.push(entry.pid)
    // If children keep their parent's pid, they are found by it after it has ended.
    return [...seeds, pid]
  }

  /** If a parent's pid outlives the parent, it may belong to a process before the child. */
  #mayBeOwn(entry: ProcessEntry): boolean {
    if (!this.table.keepsParents || entry.pid === this.root.pid) return true
    return this.#startTime !== undefined && Number(entry.startTime) >= Number(this.#startTime)
  }

  async #marked(snapshot: ProcessSnapshot): Promise<number[]> {
    if (!this.table.readsMarks) return []
    // Processes older than the child can't belong to it.
    const since = Number(this.#startTime ?? 0)
    const young = [...snapshot.values()].filter(
      (entry) => !entry.isDead && Number(entry.startTime) >= since,
    )
    const found: number[] = []
    for (let at = 0; at < young.length; at += READERS) {
      const batch = young.slice(at, at + READERS)
      const marks = await Promise.all(batch.map((entry) => this.table.readMark(entry)))
      batch.forEach((entry, index) => marks[index] === this.root.mark && found.push(entry.pid))
    }
    return found
  }
}

/** The living processes among `seeds` and their descendants, each with its seed. */
export function withDescendants(
  snapshot: ProcessSnapshot,
  seeds: Iterable<number>,
): Map<ProcessEntry, number> {
  const children = childrenByParent(snapshot)
  const seedOf = new Map<number, number>()
  for (const seed of seeds) seedOf.set(seed, seed)
  // Iterating a map also visits entries added during the iteration.
  for (const [pid, seed] of seedOf) {
    for (const child of children.get(pid) ?? []) if (!seedOf.has(child)) seedOf.set(child, seed)
  }
  const found = new Map<ProcessEntry, number>()
  for (const [pid, seed] of seedOf) {
    const entry = snapshot.get(pid)
    if (entry && !entry.isDead) found.set(entry, seed)
  }
  return found
}

function childrenByParent(snapshot: ProcessSnapshot): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>()
  for (const { pid, parent } of snapshot.values()) {
    const siblings = children.get(parent)
    if (siblings) siblings.push(pid)
    else children.set(parent, [pid])
  }
  return children
}
