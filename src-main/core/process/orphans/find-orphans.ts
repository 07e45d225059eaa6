import type { ProcessEntry, ProcessSnapshot, ProcessTable } from '../tree/process-table'
import { parseStartMark } from '../tree/start-mark'
import { withDescendants } from '../tree/tree-members'
import type { RunRecord } from './ledger-lines'

/** A living process that an earlier run left. */
export type OrphanProcess = {
  readonly kind: 'process'
  readonly entry: ProcessEntry
  /** Installation that it belonged to; '' for none. */
  readonly owner: string
  /** The run that it is of. */
  readonly run: string
}

type Origin = { readonly owner: string; readonly run: string }

const READERS = 32

/**
 * The processes that `runs`, all of this boot, left. One is theirs when it carries their mark; where it
 * cannot be read, when pid and start time are the noted ones, both exactly. So are its descendants and who
 * is in the process group that it leads. Patchbay itself (`ownPid`), what it has started since and what it
 * was started by are left out. Rejects where the process table cannot be read.
 */
export async function findOrphans(
  runs: readonly RunRecord[],
  table: ProcessTable,
  ownPid: number,
): Promise<OrphanProcess[]> {
  const snapshot = await table.read()
  const origins = new Map<number, Origin>()
  if (table.readsMarks) await addMarked(origins, runs, snapshot, table)
  await addNoted(origins, runs, snapshot, table)
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
    const few = living.slice(at, at + READERS)
    const marks = await Promise.all(few.map((entry) => table.readMark(entry)))
    for (const [index, entry] of few.entries()) {
      const mark = parseStartMark(marks[index] ?? '')
      const owners = mark && ownerOf.get(mark.run)
      if (owners) origins.set(entry.pid, { run: mark.run, owner: owners.get(mark.child) ?? '' })
    }
  }
}

async function addNoted(
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

/** A person may open Patchbay from within something that an earlier run left, such as a terminal. */
function sparedBy(
  snapshot: ProcessSnapshot,
  ownPid: number,
  runs: readonly RunRecord[],
): ReadonlySet<number> {
  const spared = new Set<number>()
  for (let pid = ownPid; pid > 0 && !spared.has(pid); pid = snapshot.get(pid)?.parent ?? 0) {
    spared.add(pid)
  }
  // A run of this very process was closed before, and its children are ours still.
  if (runs.every(({ appPid }) => appPid !== ownPid)) {
    for (const entry of withDescendants(snapshot, [ownPid]).keys()) spared.add(entry.pid)
  }
  return spared
}
