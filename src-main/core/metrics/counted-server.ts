import { isWorking, type PhaseRecord } from '../../../src-shared/domain/running/run-status'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { ProcessTree } from '../process/tree/process-tree'
import type { Server } from '../servers/server'
import type { COUNTED } from './minute'

/** What is counted of a server while the app runs; no count ever falls. */
export type Counters = Record<(typeof COUNTED)[number], number>

/** What figures want to know of a server. */
export type CountedServer = {
  readonly counters: () => Counters
  /** Whether it is Ready or Degraded. */
  readonly isUp: () => boolean
  /** The steps of its newest start. */
  readonly phases: () => readonly PhaseRecord[]
  /** The processes of its sessions; undefined without one, and another object where they are others. */
  readonly tree: () => Pick<ProcessTree, 'look'> | undefined
  readonly onDidEndRequest: (listener: (request: EndedRequest) => void) => Disposable
}

/** Looks at a server of the directory. */
export function countedServer({
  supervisor,
  log,
  instances,
}: Pick<Server, 'supervisor' | 'log' | 'instances'>): CountedServer {
  const tree = treeOfAll()
  return {
    counters: () => ({
      ...supervisor.counts.byteCounts,
      starts: supervisor.counts.starts,
      restarts: supervisor.counts.restarts,
      losses: supervisor.counts.losses,
      noiseLines: supervisor.counts.noiseLines,
      stderrLines: log.stderrLines,
    }),
    isUp: () => isWorking(supervisor.status),
    phases: () => supervisor.phases,
    tree: () => tree([supervisor, ...(instances?.servers ?? []).map((one) => one.supervisor)]),
    onDidEndRequest: supervisor.counts.onDidEndRequest,
  }
}

/** Makes the processes of several sessions one tree: the same object while the sessions are the same. */
function treeOfAll(): (
  supervisors: readonly Server['supervisor'][],
) => Pick<ProcessTree, 'look'> | undefined {
  let before: readonly ProcessTree[] = []
  let all: Pick<ProcessTree, 'look'> | undefined
  return (supervisors) => {
    const trees = supervisors.flatMap(({ session }) => session?.connection.tree ?? [])
    const isSame = trees.length === before.length && trees.every((one, at) => one === before[at])
    if (isSame) return all
    before = trees
    const look: ProcessTree['look'] = async () =>
      (await Promise.all(trees.map((one) => one.look()))).flat()
    all = trees.length > 1 ? { look } : trees[0]
    return all
  }
}
