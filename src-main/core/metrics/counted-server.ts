import { isWorking, type PhaseRecord } from '../../../src-shared/domain/running/run-status'
import type { EndedRequest } from '../mcp/peer/request-failure'
import type { ProcessTree } from '../process/tree/process-tree'
import type { Server } from '../servers/server'
import type { COUNTED } from './minute'

/** Counters of a server while the app runs; they never decrease. */
export type Counters = Record<(typeof COUNTED)[number], number>

/** The parts of a server that metrics use. */
export type CountedServer = {
  readonly counters: () => Counters
  /** Whether the server is Ready or Degraded. */
  readonly isUp: () => boolean
  /** The phases of its newest start. */
  readonly phases: () => readonly PhaseRecord[]
  /** The processes of its sessions; undefined without any, and another object if they change. */
  readonly tree: () => Pick<ProcessTree, 'look'> | undefined
  readonly onDidEndRequest: (listener: (request: EndedRequest) => void) => Disposable
}

/** Reads the counters of a server. */
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

/** Merges the processes of several sessions into one tree: the same object while the sessions are the same. */
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
