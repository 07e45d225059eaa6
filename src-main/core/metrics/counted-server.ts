import { isWorking, type PhaseRecord } from '../../../src-shared/domain/running/run-status'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { ProcessTree } from '../process/tree/process-tree'
import type { Server } from '../servers/server'
import type { COUNTED } from './minute'

/** What is counted of a server while the app runs; no count ever falls. */
export type Counters = Record<(typeof COUNTED)[number], number>

/** What metrics want to know of a server. */
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

/** Reads the counts of a server of the directory. */
export function countedServer(server: Server): CountedServer {
  const { counts, log } = server
  const tree = treeOfAll()
  return {
    counters: () => ({
      ...counts.byteCounts,
      starts: counts.starts,
      restarts: counts.restarts,
      losses: counts.losses,
      noiseLines: counts.noiseLines,
      stderrLines: log.stderrLines,
    }),
    isUp: () => isWorking(server.status),
    phases: () => server.phases,
    tree: () => tree([server, ...(server.instances?.servers ?? [])]),
    onDidEndRequest: counts.onDidEndRequest,
  }
}

/** Makes the processes of several sessions one tree: the same object while the sessions are the same. */
function treeOfAll(): (servers: readonly Server[]) => Pick<ProcessTree, 'look'> | undefined {
  let before: readonly ProcessTree[] = []
  let all: Pick<ProcessTree, 'look'> | undefined
  return (servers) => {
    const trees = servers.flatMap(({ session }) => session?.connection.tree ?? [])
    const isSame = trees.length === before.length && trees.every((one, at) => one === before[at])
    if (isSame) return all
    before = trees
    const look: ProcessTree['look'] = async () =>
      (await Promise.all(trees.map((one) => one.look()))).flat()
    all = trees.length > 1 ? { look } : trees[0]
    return all
  }
}
