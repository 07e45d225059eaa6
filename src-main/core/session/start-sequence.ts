import type { LimitFunction } from 'p-limit'

import type { PhaseRecord, StartPhase } from '../../../src-shared/domain/run-status'
import type { InstallSpec, PackageInstaller } from '../launch/package-installer'
import type { LogBuffer } from '../log/log-buffer'
import type { ChildSpec } from '../process/child-process'
import { spawnChild } from '../process/child-process'
import { messageOf } from './describe-failure'
import type { FaultTally } from './fault-tally'
import { PhaseTrack } from './phase-track'
import { ServerSession } from './server-session'

/** What the resolve phase makes of an installation: all that a start needs, nothing left to ask. */
export type PreparedLaunch = {
  readonly spec: ChildSpec
  readonly install: InstallSpec | undefined
  /** Set where the runner fetches the package during its first start, unless `install` has. */
  readonly selfInstallKey?: string | undefined
  /** In ms. */
  readonly budgets: Readonly<
    Record<'installMs' | 'handshakeMs' | 'discoverMs' | 'requestMs', number>
  >
  readonly maxMessageBytes: number
  /** The command line for the log, secrets masked. */
  readonly shown: string
}

const RESOLVE_BUDGET_MS = 20_000
const SPAWN_BUDGET_MS = 10_000

/** A runner to install before the start, which the person agreed to. */
export type SetUp = {
  readonly limitMs: number
  /** Once `signal` is aborted it rejects when no process of it is left. */
  readonly run: (onLine: (line: string) => void, signal: AbortSignal) => Promise<void>
}

export type StartContext = {
  readonly setUp?: SetUp | undefined
  readonly prepare: () => Promise<PreparedLaunch>
  readonly installer: PackageInstaller
  /** Held while spawning only, so that servers that hang or download delay no other (B9). */
  readonly slots: LimitFunction
  readonly log: LogBuffer
  readonly signal: AbortSignal
  readonly clientVersion: string
  /** Called on each change of the newest start's steps. */
  readonly onPhases: (phase: StartPhase, records: readonly PhaseRecord[]) => void
  /** The same function for every start, so that a download of before is joined and heard once. */
  readonly onInstallLine: (line: string) => void
  readonly faults: FaultTally
  /** The last stderr lines of this start, oldest first. */
  readonly stderrTail: () => readonly string[]
  /** The child runs; from here on its owner must close the session. */
  readonly onSpawned: (session: ServerSession) => void
}

/**
 * Runs resolve, install, spawn, handshake and discover, each within its own budget. Rejects with the
 * reason of the first that fails; closing what was spawned is the caller's.
 */
export async function runStart(context: StartContext): Promise<ServerSession> {
  const track = new PhaseTrack(context.signal, context.onPhases)
  if (context.setUp) await setUp(context, track, context.setUp)
  const launch = await track.run('resolve', RESOLVE_BUDGET_MS, context.prepare)
  await install(context, track, launch)
  const session = await spawn(context, track, launch)
  await handshake(context, track, launch, session)
  const { discoverMs } = launch.budgets
  await track.run('discover', discoverMs, () => session.discover(discoverMs))
  return session
}

async function setUp(context: StartContext, track: PhaseTrack, wish: SetUp): Promise<void> {
  const end = new AbortController()
  const work = wish.run(context.onInstallLine, AbortSignal.any([context.signal, end.signal]))
  try {
    await track.run('setUp', wish.limitMs, () => work)
  } catch (error) {
    // Half an installer must not go on behind a status that says it failed.
    end.abort(error)
    await Promise.allSettled([work])
    throw error
  }
}

async function install(
  context: StartContext,
  track: PhaseTrack,
  launch: PreparedLaunch,
): Promise<void> {
  const { installer, log, onInstallLine } = context
  const { install: spec, budgets } = launch
  const { installMs } = budgets
  if (!spec || isFetched(installer, launch)) {
    track.skip('install', installMs)
    return
  }
  const download = installer.join(spec, onInstallLine, (line) => log.redact(line))
  if (download.isWaiting) {
    log.append('patchbay', 'info', 'The download waits for its turn')
  }
  const turn = download.isWaiting ? download.begun : undefined
  const onFailure = (error: unknown): string => {
    log.append('patchbay', 'warn', `${messageOf(error)} It is left to the start of the server.`)
    return 'left to the start'
  }
  const work = (): Promise<void> => download.finished
  if (spec.mayFail) await track.attempt('install', installMs, work, { turn, onFailure })
  else await track.run('install', installMs, work, { turn })
}

/** Whether the package is there: fetched by its command, or by a start before. */
function isFetched(
  installer: PackageInstaller,
  { install: spec, selfInstallKey: key }: PreparedLaunch,
): boolean {
  if (spec && installer.isInstalled(spec)) return true
  return key !== undefined && installer.hasFetched(key)
}

async function spawn(
  context: StartContext,
  track: PhaseTrack,
  launch: PreparedLaunch,
): Promise<ServerSession> {
  const { slots } = context
  const isBusy = slots.activeCount + slots.pendingCount >= slots.concurrency
  const turn = Promise.withResolvers<undefined>()
  const done = Promise.withResolvers<undefined>()
  void slots(() => {
    turn.resolve(undefined)
    return done.promise
  })
  try {
    return await track.run('spawn', SPAWN_BUDGET_MS, () => spawnSession(context, launch), {
      turn: isBusy ? turn.promise : undefined,
    })
  } finally {
    done.resolve(undefined)
  }
}

async function handshake(
  { installer }: StartContext,
  track: PhaseTrack,
  launch: PreparedLaunch,
  session: ServerSession,
): Promise<void> {
  const { budgets, selfInstallKey: key } = launch
  const fetches = key !== undefined && !isFetched(installer, launch)
  const limitMs = fetches ? Math.max(budgets.installMs, budgets.handshakeMs) : budgets.handshakeMs
  await track.run('handshake', limitMs, () => session.connect(limitMs), {
    note: fetches ? 'downloads first' : undefined,
  })
  if (key !== undefined) installer.rememberFetched(key)
}

async function spawnSession(context: StartContext, launch: PreparedLaunch): Promise<ServerSession> {
  const { log } = context
  log.append('patchbay', 'debug', launch.shown)
  const child = await spawnChild(launch.spec, log.intake('stderr'))
  const noise = log.intake('stdout')
  const session = new ServerSession(child, {
    clientVersion: context.clientVersion,
    onNoise: (line) => {
      noise.pushLine(line)
      context.faults.add('noiseLines')
    },
    onFault: (fault, detail) => context.faults.add(fault, detail),
    onWarning: (message) => log.append('patchbay', 'warn', message),
    stderrTail: context.stderrTail,
    maxMessageBytes: launch.maxMessageBytes,
    requestMs: launch.budgets.requestMs,
  })
  context.onSpawned(session)
  return session
}
