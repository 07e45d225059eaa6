import * as z from 'zod'

import { removeContainer } from '../spawn/docker-container'
import { sendSignal, taskkill, type TreeSignal } from '../tree/kill-tree'
import {
  parseStartMark,
  type ProcessEntry,
  type ProcessSnapshot,
  type ProcessTable,
} from '../tree/process-table'
import { withDescendants } from '../tree/process-tree'

const ProcessRecord = z.object({
  pid: z.number().int().min(2),
  /** Format of the process table; see `process-table.ts`. */
  startTime: z.string().max(100),
})
export type ProcessRecord = z.infer<typeof ProcessRecord>

const ContainerRecord = z.object({
  name: z.string().regex(/^patchbay-[0-9a-f]{8,32}$/u),
  /** Absolute path of the docker client. */
  docker: z.string().max(4_096),
  /** Number of starts that failed to remove it. */
  tries: z.number().int().nonnegative(),
})
type ContainerRecord = z.infer<typeof ContainerRecord>

/** Recorded members of a child's tree; more would make the record invalid. */
export const MAX_PROCESSES = 1_000

const ChildRecord = z.object({
  /** Second part of the mark. */
  child: z.string().max(64),
  /** Installation of the child. */
  owner: z.string().max(64),
  /** SHA-256 in hex of the program's path; arguments may contain secrets and aren't recorded. */
  command: z.string().max(64),
  /** The child, and the members of its tree seen so far if marks can't be read. */
  processes: z.array(ProcessRecord).max(MAX_PROCESSES),
  container: ContainerRecord.optional(),
})
export type ChildRecord = z.infer<typeof ChildRecord>

/** The children of one run of the app. */
export const RunRecord = z.object({
  /** First part of each mark. */
  run: z.string().regex(/^[0-9a-f]{32}$/u),
  /** Identifies the boot that pids and start times belong to. */
  bootId: z.string().max(100),
  appPid: z.number().int(),
  children: z.array(ChildRecord).max(10_000),
})
export type RunRecord = z.infer<typeof RunRecord>

/** A running process that an earlier run left. */
type OrphanProcess = {
  readonly kind: 'process'
  readonly entry: ProcessEntry
  /** Installation of the process; '' for none. */
  readonly owner: string
  /** The run it belongs to. */
  readonly run: string
}

type Origin = { readonly owner: string; readonly run: string }

const READERS = 32

/**
 * Finds the processes that `runs`, all of this boot, left. A process belongs to a run if it carries the run's mark or, if marks can't be
 * read, matches the recorded pid and start time exactly. Its descendants and the process group it leads belong to it too. Excludes Patchbay
 * itself (`ownPid`), its descendants and its ancestors. Rejects if the process table can't be read.
 */
async function findOrphans(
  runs: readonly RunRecord[],
  table: ProcessTable,
  ownPid: number,
): Promise<OrphanProcess[]> {
  const snapshot = await table.read()
  const origins = new Map<number, Origin>()
  if (table.readsMarks) await addMarked(origins, runs, snapshot, table)
  await addRecorded(origins, runs, snapshot, table)
  addGroups(origins, snapshot)
  const spared = sparedBy(snapshot, ownPid, runs)
  const found: OrphanProcess[] = []
  for (const [entry, seed] of withDescendants(snapshot, origins.keys())) {
    const origin = origins.get(seed)
    if (origin && !spared.has(entry.pid)) found.push({ kind: 'process', entry, ...origin })
  }
  return found
}

async function addMarked(
  origins: Map<number, Origin>,
  runs: readonly RunRecord[],
  snapshot: ProcessSnapshot,
  table: ProcessTable,
): Promise<void> {
  const ownerOf = new Map(
    runs.map(({ run, children }) => [
      run,
      new Map(children.map(({ child, owner }) => [child, owner])),
    ]),
  )
  const living = [...snapshot.values()].filter((entry) => !entry.isDead)
  for (let at = 0; at < living.length; at += READERS) {
    const batch = living.slice(at, at + READERS)
    const marks = await Promise.all(batch.map((entry) => table.readMark(entry)))
    for (const [index, entry] of batch.entries()) {
      const mark = parseStartMark(marks[index] ?? '')
      const owners = mark && ownerOf.get(mark.run)
      if (owners) origins.set(entry.pid, { run: mark.run, owner: owners.get(mark.child) ?? '' })
    }
  }
}

async function addRecorded(
  origins: Map<number, Origin>,
  runs: readonly RunRecord[],
  snapshot: ProcessSnapshot,
  table: ProcessTable,
): Promise<void> {
  for (const { run, children } of runs) {
    for (const { owner, processes } of children) {
      for (const { pid, startTime } of processes) {
        const entry = snapshot.get(pid)
        if (entry?.startTime !== startTime) continue
        const mark = table.readsMarks ? await table.readMark(entry) : undefined
        if (mark === undefined) origins.set(pid, { run, owner })
      }
    }
  }
}

function addGroups(origins: Map<number, Origin>, snapshot: ProcessSnapshot): void {
  for (const { pid, group } of snapshot.values()) {
    const leader = snapshot.get(group)
    const origin = leader?.group === group ? origins.get(group) : undefined
    if (origin && !origins.has(pid)) origins.set(pid, origin)
  }
}

/** Spares the ancestors of Patchbay: a user may open it from a leftover terminal. */
function sparedBy(
  snapshot: ProcessSnapshot,
  ownPid: number,
  runs: readonly RunRecord[],
): ReadonlySet<number> {
  const spared = new Set<number>()
  for (let pid = ownPid; pid > 0 && !spared.has(pid); pid = snapshot.get(pid)?.parent ?? 0) {
    spared.add(pid)
  }
  // A run of this very process was closed before, and its children are still ours.
  if (runs.every(({ appPid }) => appPid !== ownPid)) {
    for (const entry of withDescendants(snapshot, [ownPid]).keys()) spared.add(entry.pid)
  }
  return spared
}

/** Time limits of each step, in ms. */
export type ReapLimits = {
  readonly termMs: number
  readonly killMs: number
  readonly containerMs: number
}

const DEFAULT_REAP_LIMITS: ReapLimits = { termMs: 2_000, killMs: 1_500, containerMs: 5_000 }

/** A process or container of an earlier run, and its installation; '' for none. */
export type Orphan = { readonly kind: 'process' | 'container'; readonly owner: string }

export type Reaped = {
  readonly ended: readonly Orphan[]
  /** Orphans that couldn't be ended. */
  readonly left: readonly Orphan[]
  /** Records to try again at the next start. */
  readonly runs: readonly RunRecord[]
}

export type ReapOptions = {
  readonly table: ProcessTable
  /** Current boot; pids of another boot are meaningless. */
  readonly bootId: string
  /** Patchbay itself; neither it nor its ancestors are ended. */
  readonly ownPid: number
  /** Environment for docker. */
  readonly env: Readonly<Record<string, string>>
  readonly limits?: ReapLimits
}

const POLL_MS = 50
/** A container is given up after this many starts. */
const MAX_TRIES = 5

/**
 * Ends the processes of earlier runs by SIGTERM, then SIGKILL, and removes containers by name. Bounded by its limits; rejects if the
 * process table can't be read.
 */
export async function reapOrphans(
  runs: readonly RunRecord[],
  options: ReapOptions,
): Promise<Reaped> {
  const limits = options.limits ?? DEFAULT_REAP_LIMITS
  const ofThisBoot = runs.filter(({ bootId }) => bootId !== '' && bootId === options.bootId)
  const [processes, containers] = await Promise.all([
    endProcesses(ofThisBoot, limits, options),
    removeContainers(runs, limits.containerMs, options.env),
  ])
  return {
    ended: [...processes.ended, ...containers.filter(({ isEnded }) => isEnded)],
    left: [...processes.left, ...containers.filter(({ isLeft }) => isLeft)],
    runs: remaining(runs, new Set(processes.left.map(({ run }) => run)), containers),
  }
}

async function endProcesses(
  runs: readonly RunRecord[],
  limits: ReapLimits,
  { table, ownPid }: ReapOptions,
): Promise<{ ended: OrphanProcess[]; left: OrphanProcess[] }> {
  const seen = new Map<string, OrphanProcess>()
  const scan = async (): Promise<OrphanProcess[]> => {
    const found = await findOrphans(runs, table, ownPid)
    for (const orphan of found) seen.set(keyOf(orphan), orphan)
    return found
  }
  let left = runs.length === 0 ? [] : await scan()
  left = await signalUntilExited('SIGTERM', left, limits.termMs, scan, table)
  left = await signalUntilExited('SIGKILL', left, limits.killMs, scan, table)
  const isLeft = new Set(left.map(keyOf))
  return { ended: [...seen.values()].filter((one) => !isLeft.has(keyOf(one))), left }
}

/** Sends SIGTERM to each process once, and SIGKILL repeatedly, because a process may fork meanwhile. */
async function signalUntilExited(
  signal: TreeSignal,
  found: readonly OrphanProcess[],
  limitMs: number,
  scan: () => Promise<OrphanProcess[]>,
  table: ProcessTable,
): Promise<OrphanProcess[]> {
  const signaled = new Set<string>()
  const deadline = performance.now() + limitMs
  let left = [...found]
  while (left.length > 0) {
    const due = left.filter((one) => signal === 'SIGKILL' || !signaled.has(keyOf(one)))
    due.forEach((one) => signaled.add(keyOf(one)))
    await signalAll(due, signal, table)
    if (performance.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    left = await scan()
  }
  return left
}

async function signalAll(
  orphans: readonly OrphanProcess[],
  signal: TreeSignal,
  table: ProcessTable,
): Promise<void> {
  if (process.platform === 'win32') return taskkill(orphans.map(({ entry }) => entry.pid))
  for (const { entry } of orphans) {
    if (table.isRunning(entry.pid, entry.startTime)) sendSignal(entry.pid, signal)
  }
}

function keyOf({ entry }: OrphanProcess): string {
  return `${String(entry.pid)} ${entry.startTime}`
}

type ContainerEnd = Orphan & {
  readonly record: ContainerRecord
  readonly isEnded: boolean
  readonly isLeft: boolean
}

function removeContainers(
  runs: readonly RunRecord[],
  limitMs: number,
  env: ReapOptions['env'],
): Promise<ContainerEnd[]> {
  const children = runs.flatMap((run) => run.children)
  return Promise.all(
    children.flatMap(({ owner, container: record }) =>
      record === undefined
        ? []
        : [
            removeContainer(record, env, limitMs).then(({ kind }): ContainerEnd => ({
              kind: 'container',
              owner,
              record,
              isEnded: kind === 'done',
              isLeft: kind === 'failed',
            })),
          ],
    ),
  )
}

/** Records to try again at the next start: runs with living processes, and containers that docker didn't answer for. */
function remaining(
  runs: readonly RunRecord[],
  living: ReadonlySet<string>,
  containers: readonly ContainerEnd[],
): RunRecord[] {
  const left = new Set(containers.filter(({ isLeft }) => isLeft).map(({ record }) => record))
  const retried = ({ container, ...child }: ChildRecord): ChildRecord => {
    const isDue = container !== undefined && left.has(container) && container.tries < MAX_TRIES
    return isDue ? { ...child, container: { ...container, tries: container.tries + 1 } } : child
  }
  return runs
    .map((run) => ({ ...run, children: run.children.map(retried) }))
    .map((run) =>
      living.has(run.run)
        ? run
        : { ...run, children: run.children.filter(({ container }) => container !== undefined) },
    )
    .filter((run) => living.has(run.run) || run.children.length > 0)
}
