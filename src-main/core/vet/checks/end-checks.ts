import { setTimeout as delay } from 'node:timers/promises'

import { type Check, type CheckOutcome, flaw, notChecked, PASSED, SECTIONS } from '../check'
import { plain } from '../launch-variants'
import type { VetRun } from '../vet-run'
import type { VettedServer } from '../vetted-server'

/** Time for a server to exit after the end of its stdin, and after SIGTERM, in ms. */
const STDIN_MS = 3_000
const SIGNAL_MS = 5_000
const POLL_MS = 100
const NOT_STARTED: CheckOutcome = {
  ...{ kind: 'notChecked', reason: 'The server didn’t start a second time.', isMissing: true },
}

/** Checks of the server's exit, which end the shared run. */
export function endChecks(): readonly Check[] {
  const ends = new WeakMap<VettedServer, EndOfRun>()
  return [
    {
      id: 'end.signal',
      level: 'should',
      title: 'The server ends on SIGTERM.',
      section: SECTIONS.shutdown,
      needs: ['running', 'process'],
      run: async ({ server, signal }) => {
        if (process.platform === 'win32') return notChecked('Windows has no SIGTERM.')
        const start = await server.variant('signal', plain)
        const tree = start.kind === 'ready' ? start.run.session.connection.tree : undefined
        if (!tree) return NOT_STARTED
        await tree.signal('SIGTERM')
        for (let waitedMs = 0; waitedMs < SIGNAL_MS; waitedMs += POLL_MS) {
          if (!(await tree.isAlive())) return PASSED
          await delay(POLL_MS, undefined, { signal })
        }
        return flaw({
          message: `The server still runs ${String(SIGNAL_MS / 1_000)} s after SIGTERM, so apps have to kill it.`,
          fix: 'End on SIGTERM, or leave the signal to its default.',
        })
      },
    },
    {
      id: 'end.stdin',
      level: 'should',
      title: 'The server ends within 3 seconds when its stdin is closed.',
      section: SECTIONS.shutdown,
      needs: ['running', 'stdio'],
      endsServer: true,
      run: async ({ run, server }) => {
        const end = await endedBy(run)
        ends.set(server, end)
        if (end.hasExited) return PASSED
        return flaw({
          message: `The server still runs ${String(STDIN_MS / 1_000)} s after its stdin was closed, so apps have to end it by a signal.`,
          fix: 'End at the end of stdin.',
        })
      },
    },
    {
      id: 'end.processes',
      level: 'must',
      title: 'The server leaves no process behind when it ends.',
      section: SECTIONS.shutdown,
      run: ({ server }) => {
        const end = ends.get(server)
        if (!end?.hasExited) return notChecked('The server didn’t end when its stdin was closed.')
        if (end.remaining.length === 0) return PASSED
        return flaw({
          message: `${end.remaining.length === 1 ? 'A process was' : `${String(end.remaining.length)} processes were`} left after the end of the server. Patchbay ended ${end.remaining.length === 1 ? 'it' : 'them'}.`,
          received: end.remaining.map((pid) => `process ${String(pid)}`).join('\n'),
          fix: 'End every process that the server starts.',
        })
      },
    },
  ]
}

/** Whether the program exited after its stdin was closed, and the processes it left. */
type EndOfRun = { readonly hasExited: boolean; readonly remaining: readonly number[] }

async function endedBy(run: VetRun): Promise<EndOfRun> {
  const { connection } = run.session
  const { tree } = connection
  const from = performance.now()
  const isInTime = (): boolean => performance.now() - from < STDIN_MS - 2 * POLL_MS
  const ending = run.end()
  let hasExited = false
  let remaining: readonly number[] = []
  // Later the stop sends signals.
  while (isInTime()) {
    await Promise.race([ending, delay(POLL_MS)])
    const pids = ((await tree?.look()) ?? []).map(({ pid }) => pid)
    if (!isInTime()) break
    remaining = pids
    hasExited = connection.exit !== undefined
    if (hasExited && remaining.length === 0) break
  }
  await ending
  return { hasExited, remaining }
}
