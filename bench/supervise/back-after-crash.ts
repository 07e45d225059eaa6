import { Harness } from '../../e2e/fixtures/harness'
import type { ServerView } from '../../src-shared/domain/state/app-state'
import type { BenchPart } from '../measure/bench'
import { within } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { installAll } from '../stdio/readiness'
import { TWENTY } from './twenty-servers'

const ROUND_LIMIT_MS = 60_000
const BAR: Bar = { metric: 'back-after-crash-s', unit: 's', op: '<=', bar: 3 }

/**
 * Time from the SIGKILL of a Ready server's process until the server is Ready again with another process, while nineteen others run. Each
 * round kills another server, because the wait before a restart grows with a server's losses. The slowest counts.
 */
export const backAfterCrash: BenchPart = async ({ rounds }) => {
  const harness = new Harness(await installAll(TWENTY, { catalogUpkeep: false }))
  try {
    const pids = await within(ROUND_LIMIT_MS, 'twenty servers to be Ready', untilAllReady(harness))
    const seconds: number[] = []
    for (const [installationId, pid] of [...pids].slice(0, rounds))
      seconds.push(await within(ROUND_LIMIT_MS, 'a restart', killOne(harness, installationId, pid)))
    const row = toRow(BAR, Math.max(...seconds))
    return [{ row, rounds: { back: seconds }, roundUnit: 's' }]
  } finally {
    await harness.close()
  }
}

/** Each server's process, by the server's id. */
async function untilAllReady(harness: Harness): Promise<Map<string, number>> {
  const pids = new Map<string, number>()
  await untilServer(harness, ({ installationId, status, pid }) => {
    if (status.kind === 'ready' && pid !== undefined) pids.set(installationId, pid)
    return pids.size === TWENTY.length
  })
  return pids
}

async function killOne(harness: Harness, installationId: string, pid: number): Promise<number> {
  const back = untilServer(
    harness,
    (server) =>
      server.installationId === installationId &&
      server.status.kind === 'ready' &&
      server.pid !== undefined &&
      server.pid !== pid,
  )
  const begin = performance.now()
  process.kill(pid, 'SIGKILL')
  await back
  return (performance.now() - begin) / 1_000
}

/** Settles with a server's first matching change. */
function untilServer(harness: Harness, isWanted: (server: ServerView) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const listening = harness.patchbay.onEvent((event) => {
      if (event.channel !== 'server.changed' || !isWanted(event.payload.server)) return
      listening[Symbol.dispose]()
      resolve()
    })
  })
}
