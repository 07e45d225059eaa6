import { attempt } from '../../../../src-shared/domain/attempt'
import { sendSignal, taskkill, type TreeSignal } from './kill-tree'
import type { ProcessEntry, ProcessSnapshot, ProcessTable } from './process-table'
import { systemProcesses } from './system-processes'

/** How many environments are read at the same time. */
const READERS = 32

/** What a tree is known by. */
export type TreeRoot = {
  /** Of the child, which leads a process group of its own (POSIX). */
  readonly pid: number
  /** Undefined where the system tells it only at a cost: the first look finds it. */
  readonly startTime: string | undefined
  /** What all that it started carry in their environment. */
  readonly mark: string
  /** True once the child has ended: from then on its pid may be another's. */
  readonly hasExited: () => boolean
}

/**
 * A child and all that it started: its descendants, its process group, who carries its mark (also one that
 * called setsid and was given to another parent), and who was seen as one of them before. A pid that has
 * passed to another process is never counted, and so never signalled.
 */
export class ProcessTree {
  #known: readonly ProcessEntry[] = []
  #startTime: string | undefined
  #isOver = false
  readonly #gone = Promise.withResolvers<undefined>()
  /** Settles with the look that finds none of it left; a tree that can never be ended never settles it. */
  readonly gone: Promise<unknown> = this.#gone.promise

  constructor(
    private readonly root: TreeRoot,
    private readonly table: ProcessTable = systemProcesses,
  ) {
    this.#startTime = root.startTime
  }

  /** The living members; where the table cannot be read, those known that may still run. Never rejects. */
  async look(): Promise<readonly ProcessEntry[]> {
    if (this.#isOver) return []
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
    // From now on nothing can join, and a pid that looks like one of them is another's.
    if (hadExited && this.#known.length === 0) {
      this.#isOver = true
      this.#gone.resolve(undefined)
    }
    return this.#known
  }

  /** Looks ahead of a stop, where it is lost who started whom as soon as a parent ends. */
  async lookAhead(): Promise<void> {
    if (!this.table.keepsParents && !this.root.hasExited()) await this.look()
  }

  /** Whether any member still runs; cheap while one that is known does. */
  async isAlive(): Promise<boolean> {
    if (this.#isOver) return false
    if (!this.root.hasExited() || this.#known.some((entry) => this.#mayRun(entry))) return true
    return (await this.look()).length > 0
  }

  /** Signals every member (Windows ends them by force, whatever the signal); settles to how many there were. */
  async signal(signal: TreeSignal): Promise<number> {
    const members = await this.look()
    if (process.platform === 'win32') {
      await taskkill(members.map(({ pid }) => pid))
      return members.length
    }
    const { pid: group } = this.root
    // The group in one call, so that none of it is missed while it forks.
    if (members.some((entry) => entry.group === group)) sendSignal(-group, signal)
    for (const entry of members) {
      if (entry.group !== group && this.#mayRun(entry)) sendSignal(entry.pid, signal)
    }
    return members.length
  }

  #mayRun({ pid, startTime }: ProcessEntry): boolean {
    // Where that is unknown, nothing may be given up.
    return attempt(() => this.table.isRunning(pid, startTime)) ?? true
  }

  /** The child, its group, and who was known. */
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
    // Where its number stays with its children, they are found by it although it is gone.
    return [...seeds, pid]
  }

  /** Where a parent's number outlives the parent, it may be that of one before the child. */
  #mayBeOwn(entry: ProcessEntry): boolean {
    if (!this.table.keepsParents || entry.pid === this.root.pid) return true
    return this.#startTime !== undefined && Number(entry.startTime) >= Number(this.#startTime)
  }

  async #marked(snapshot: ProcessSnapshot): Promise<number[]> {
    if (!this.table.readsMarks) return []
    // None that is older than the child can be of it.
    const since = Number(this.#startTime ?? 0)
    const young = [...snapshot.values()].filter(
      (entry) => !entry.isDead && Number(entry.startTime) >= since,
    )
    const found: number[] = []
    for (let at = 0; at < young.length; at += READERS) {
      const few = young.slice(at, at + READERS)
      const marks = await Promise.all(few.map((entry) => this.table.readMark(entry)))
      few.forEach((entry, index) => marks[index] === this.root.mark && found.push(entry.pid))
    }
    return found
  }
}

/** The living processes among `seeds` and all that descend from them; each with the seed that it was found by. */
export function withDescendants(
  snapshot: ProcessSnapshot,
  seeds: Iterable<number>,
): Map<ProcessEntry, number> {
  const children = childrenByParent(snapshot)
  const seedOf = new Map<number, number>()
  for (const seed of seeds) seedOf.set(seed, seed)
  // What is added to a map while it is walked is walked too.
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
