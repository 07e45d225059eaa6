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
  /** The processes of its session; undefined without one. */
  readonly tree: () => Pick<ProcessTree, 'look'> | undefined
  readonly onDidEndRequest: (listener: (request: EndedRequest) => void) => Disposable
}

/** Looks at a server of the directory. */
export function countedServer({
  supervisor,
  log,
}: Pick<Server, 'supervisor' | 'log'>): CountedServer {
  return {
    counters: () => ({
      ...supervisor.counts.traffic,
      starts: supervisor.counts.starts,
      restarts: supervisor.counts.restarts,
      losses: supervisor.counts.losses,
      noiseLines: supervisor.counts.noiseLines,
      stderrLines: log.stderrLines,
    }),
    isUp: () => isWorking(supervisor.status),
    phases: () => supervisor.phases,
    tree: () => supervisor.session?.connection.tree,
    onDidEndRequest: supervisor.counts.onDidEndRequest,
  }
}
