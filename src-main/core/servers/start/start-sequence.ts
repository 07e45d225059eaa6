import type { ServerSession } from '../../mcp/session'
import { startCommand } from './command-start'
import { connectRemote } from './connect-remote'
import { repairCopy } from './repair-copy'
import type { SetUp, StartContext } from './start-context'
import { type RunOptions, StartTimeline } from './start-timeline'

const RESOLVE_BUDGET_MS = 20_000

/**
 * Runs resolve, for a command install (after a repair where one is wished) and spawn, then handshake and discover, each within its own budget. Rejects
 * with the reason of the first that fails; closing what was spawned is the caller's.
 */
export async function runStart(context: StartContext): Promise<ServerSession> {
  const track = new StartTimeline(context.signal, context.onPhases)
  const wait = { turn: context.before, waitNote: 'the previous process is still ending' }
  if (context.setUp) await setUp(context, track, context.setUp, wait)
  const resolve = context.setUp ? {} : wait
  const launch = await track.run('resolve', RESOLVE_BUDGET_MS, context.prepare, resolve)
  if (context.repairs) await repairCopy(context, track, launch)
  const session =
    launch.kind === 'remote'
      ? await connectRemote(context, track, launch)
      : await startCommand(context, track, launch)
  const { discoverMs } = launch.budgets
  await track.run('discover', discoverMs, () =>
    session.discover(discoverMs, (words) => track.note(words)),
  )
  return session
}

async function setUp(
  context: StartContext,
  track: StartTimeline,
  startOptions: SetUp,
  wait: RunOptions,
): Promise<void> {
  const end = new AbortController()
  let work: Promise<void> | undefined
  const run = (): Promise<void> =>
    (work = startOptions.run(context.onInstallLine, AbortSignal.any([context.signal, end.signal])))
  try {
    await track.run('setUp', startOptions.limitMs, run, wait)
  } catch (error) {
    // Half an installer must not go on behind a status that says it failed.
    end.abort(error)
    await Promise.allSettled([work])
    throw error
  }
}
