import * as z from 'zod'

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

const RunToken = z.string().regex(/^[0-9a-f]{32}$/u)

/** The children of one run of the app. */
export const RunRecord = z.object({
  /** The first part of the mark of each. */
  run: RunToken,
  /** Names the run of the system that pids and start times belong to. */
  bootId: z.string().max(100),
  appPid: z.number().int(),
  children: z.array(ChildRecord).max(10_000),
})
export type RunRecord = z.infer<typeof RunRecord>

/** What has come since: a run with those of its children that are new or others now, or the end of a child; without one, of its run. */
const LedgerChange = z.union([
  z.object({ noted: RunRecord }),
  z.object({ over: z.object({ run: RunToken, child: z.string().max(64).optional() }) }),
])
export type LedgerChange = z.infer<typeof LedgerChange>

const LedgerDocument = z.object({ version: z.literal(1), runs: z.array(RunRecord).max(1_000) })

/** The first line of a ledger: all that is known when it is written. */
export function documentLine(runs: readonly RunRecord[]): string {
  return `${JSON.stringify({ version: 1, runs })}\n`
}

/** One of the lines below it. */
export function changeLine(change: LedgerChange): string {
  return `${JSON.stringify(change)}\n`
}

/** The runs that a ledger holds; undefined for a text that is none. The app may have been killed in the middle of its last line. */
export function parseLedger(text: string): RunRecord[] | undefined {
  const [first = '', ...changes] = text.split('\n')
  changes.pop()
  try {
    const { runs } = LedgerDocument.parse(JSON.parse(first))
    return runsAfter(
      runs,
      changes.map((line) => LedgerChange.parse(JSON.parse(line))),
    )
  } catch {
    return undefined // no JSON, or JSON of another kind
  }
}

function runsAfter(before: readonly RunRecord[], changes: readonly LedgerChange[]): RunRecord[] {
  const runs = new Map(before.map((run) => [run.run, { of: run, children: childrenOf(run) }]))
  for (const change of changes) {
    if ('noted' in change) {
      const { noted } = change
      const known = runs.get(noted.run) ?? { of: noted, children: new Map<string, ChildRecord>() }
      for (const child of noted.children) known.children.set(child.child, child)
      runs.set(noted.run, known)
    } else if (change.over.child === undefined) runs.delete(change.over.run)
    else runs.get(change.over.run)?.children.delete(change.over.child)
  }
  return [...runs.values()].map(({ of, children }) => ({ ...of, children: [...children.values()] }))
}

function childrenOf({ children }: RunRecord): Map<string, ChildRecord> {
  return new Map(children.map((child) => [child.child, child]))
}
