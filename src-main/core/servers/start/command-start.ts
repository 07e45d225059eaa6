import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf, ServerEndedError } from '../../failure/describe-failure'
import { ExplainedError } from '../../failure/explained-error'
import type { CopyTurn, PackageInstaller } from '../../launch/downloads/package-installer'
import type { ServerSession } from '../../mcp/session'
import { handshake } from './handshake'
import type { CommandLaunch } from './launch'
import { type SpawnedSession, spawnSession } from './spawn-session'
import type { StartContext } from './start-context'
import type { StartTimeline } from './start-timeline'

const SPAWN_BUDGET_MS = 10_000

/** Fetches the package where that is to be done ahead, spawns the command and shakes hands with it. */
export async function startCommand(
  context: StartContext,
  track: StartTimeline,
  launch: CommandLaunch,
): Promise<ServerSession> {
  const { copy } = launch
  const use = copy && context.installer.uses.begin(copy.place.entry, copy.user)
  try {
    const session = await startFetched(context, track, launch)
    // Not by its pipes, which may run dry after all that wrote to them is gone.
    void session.connection.tree?.gone.then(() => use?.[Symbol.dispose]())
    return session
  } catch (error) {
    use?.[Symbol.dispose]()
    throw error
  }
}

async function startFetched(
  context: StartContext,
  track: StartTimeline,
  launch: CommandLaunch,
): Promise<ServerSession> {
  await install(context, track, launch)
  const copyTurn = fetchesItself(context.installer, launch)
    ? launch.copy && context.installer.enterCopy(launch.copy.place.entry)
    : undefined
  try {
    const spawned = await spawn(context, track, launch, copyTurn)
    const { session } = spawned
    try {
      await handshake(context, track, launch, spawned, {
        fetches: fetchesItself(context.installer, launch),
        onAsked: () => copyTurn?.end(),
      })
    } catch (error) {
      // What it still says belongs to what is to be known of it.
      await session.close()
      noteFailure(context, launch, session)
      throw withStdinFault(error, launch)
    }
    return session
  } finally {
    copyTurn?.end()
  }
}

/** A container without stdin ends well, or waits: only its options tell why. */
function withStdinFault(error: unknown, { stdinFault }: CommandLaunch): unknown {
  const isSilent = error instanceof ServerEndedError ? error.exit?.code === 0 : isTimeout(error)
  if (stdinFault === undefined || !isSilent || !(error instanceof AppError)) return error
  return new ExplainedError(error.code, error.message, {
    causeId: 'container-stdin',
    sentence: `${stdinFault} Change it under Configure.`,
    step: { kind: 'configure' },
    isPermanent: true,
  })
}

function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.code === 'PHASE_TIMEOUT'
}

/** Whether the package comes with the start itself. */
function fetchesItself(installer: PackageInstaller, launch: CommandLaunch): boolean {
  return launch.selfInstallKey !== undefined && !isFetched(installer, launch)
}

/** Remembers what a handshake that failed tells of the era, for the next start. */
function noteFailure(
  { log }: StartContext,
  { spoken }: CommandLaunch,
  { probe }: ServerSession,
): void {
  if (probe.isFatal) {
    // Some older servers end on a question that they do not know: the next start does not ask it.
    spoken.remember({ protocolMode: 'legacy', isGuess: true })
    const note =
      'The server ended during protocol detection. The next start uses the older protocol'
    log.append('patchbay', 'info', note)
  } else if (probe.probeProblem === 'late') {
    spoken.remember({ protocolMode: 'modern' })
    const note = 'The server was slow to report the newer protocol. The next start waits longer'
    log.append('patchbay', 'info', note)
  } else if (spoken.protocolMode !== undefined) {
    // What was known of it may have been wrong: the next start asks.
    spoken.remember({ protocolMode: undefined })
  }
}

async function install(
  context: StartContext,
  track: StartTimeline,
  launch: CommandLaunch,
): Promise<void> {
  const { installer, log, onInstallLine } = context
  const { install: spec, budgets } = launch
  const { installMs } = budgets
  if (!spec || isFetched(installer, launch)) {
    track.skip('install', installMs)
    return
  }
  const download = installer.join(spec, onInstallLine, (line) => log.redactor(line))
  if (download.isShared)
    log.append('patchbay', 'info', 'Waiting for another server that downloads the same package')
  else if (download.isWaiting) log.append('patchbay', 'info', 'Waiting to download')
  const turn = download.isWaiting ? download.begun : undefined
  const onFailure = (error: unknown): string => {
    log.append('patchbay', 'warn', `${messageOf(error)} The server’s start continues the download.`)
    return 'continues at server start'
  }
  const work = (): Promise<void> => download.finished
  if (spec.mayFail) await track.attempt('install', installMs, work, { turn, onFailure })
  else await track.run('install', installMs, work, { turn })
}

/** Whether the package is there: fetched by its command, or by a start before. */
function isFetched(
  installer: PackageInstaller,
  { install: spec, selfInstallKey: key }: CommandLaunch,
): boolean {
  if (spec && installer.isInstalled(spec)) return true
  return key !== undefined && installer.hasFetched(key)
}

async function spawn(
  context: StartContext,
  track: StartTimeline,
  launch: CommandLaunch,
  copyTurn: CopyTurn | undefined,
): Promise<SpawnedSession> {
  const { slots } = context
  const isBusy = slots.activeCount + slots.pendingCount >= slots.concurrency
  const turn = Promise.withResolvers<undefined>()
  const done = Promise.withResolvers<undefined>()
  const enter = (): void =>
    void slots(() => {
      turn.resolve(undefined)
      return done.promise
    })
  if (copyTurn?.isWaiting) void copyTurn.begun.then(enter)
  else enter()
  let spawning: Promise<unknown> | undefined
  const begin = (): Promise<SpawnedSession> => {
    const spawned = spawnSession(context, launch)
    spawning = spawned
    return spawned
  }
  try {
    return await track.run('spawn', SPAWN_BUDGET_MS, begin, {
      turn: isBusy || copyTurn?.isWaiting ? turn.promise : undefined,
      waitNote: copyTurn?.isWaiting ? 'another server downloads the same package' : undefined,
    })
  } finally {
    // A child that is born as its start is given up must be known by then to who ends it.
    await Promise.allSettled([spawning])
    done.resolve(undefined)
  }
}
