import { removeContainer } from '../spawn/docker-container'
import { sendSignal, taskkill, type TreeSignal } from '../tree/kill-tree'
import type { ProcessTable } from '../tree/process-table'
import { findOrphans, type OrphanProcess } from './find-orphans'
import type { ChildRecord, ContainerRecord, RunRecord } from './ledger-lines'

/** How long each step may take, in ms. */
export type ReapLimits = {
  readonly termMs: number
  readonly killMs: number
  readonly containerMs: number
}

const DEFAULT_REAP_LIMITS: ReapLimits = { termMs: 2_000, killMs: 1_500, containerMs: 5_000 }

/** One thing that an earlier run left, and the installation that it belonged to; '' for none. */
export type Orphan = { readonly kind: 'process' | 'container'; readonly owner: string }

export type Reaped = {
  readonly ended: readonly Orphan[]
  /** What could not be ended. */
  readonly left: readonly Orphan[]
  /** To be tried again at the next start. */
  readonly runs: readonly RunRecord[]
}

export type ReapOptions = {
  readonly table: ProcessTable
  /** This boot's; pids of another one say nothing. */
  readonly bootId: string
  /** Patchbay itself: neither it nor what started it is ever ended. */
  readonly ownPid: number
  /** For docker. */
  readonly env: Readonly<Record<string, string>>
  readonly limits?: ReapLimits
}

const POLL_MS = 50
/** After so many starts a container that cannot be removed is given up. */
const MAX_TRIES = 5

/**
 * Ends what earlier runs of the app left behind: each process by SIGTERM, then SIGKILL, and each container
 * by its name. Bounded by its limits; rejects where the process table cannot be read.
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
  const look = async (): Promise<OrphanProcess[]> => {
    const found = await findOrphans(runs, table, ownPid)
    for (const orphan of found) seen.set(keyOf(orphan), orphan)
    return found
  }
  let left = runs.length === 0 ? [] : await look()
  left = await signalUntilGone('SIGTERM', left, limits.termMs, look, table)
  left = await signalUntilGone('SIGKILL', left, limits.killMs, look, table)
  const isLeft = new Set(left.map(keyOf))
  return { ended: [...seen.values()].filter((one) => !isLeft.has(keyOf(one))), left }
}

/** SIGTERM reaches each process once; SIGKILL again and again, as one may fork meanwhile. */
async function signalUntilGone(
  signal: TreeSignal,
  found: readonly OrphanProcess[],
  limitMs: number,
  look: () => Promise<OrphanProcess[]>,
  table: ProcessTable,
): Promise<OrphanProcess[]> {
  const asked = new Set<string>()
  const deadline = performance.now() + limitMs
  let left = [...found]
  while (left.length > 0) {
    const due = left.filter((one) => signal === 'SIGKILL' || !asked.has(keyOf(one)))
    due.forEach((one) => asked.add(keyOf(one)))
    await signalAll(due, signal, table)
    if (performance.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    left = await look()
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

/** What the next start should try again: runs with living processes, and containers that docker did not answer for. */
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
