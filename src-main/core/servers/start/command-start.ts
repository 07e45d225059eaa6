import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { messageOf } from '../../failure/describe-failure'
import type { CopyTurn, PackageInstaller } from '../../launch/downloads/package-installer'
import { awaitPort, checkPortIsFree, servedFetch } from '../../mcp/connections/local-http'
import { StdioConnection } from '../../mcp/connections/stdio'
import { openHttpConnection } from '../../mcp/connections/streamable-http'
import type { Connection } from '../../mcp/peer/connection'
import { ServerSession } from '../../mcp/session'
import { type RunningChild, spawnChild } from '../../process/spawn/child-process'
import { chosenEra, type CommandLaunch, type ServedAt } from './launch'
import { logGivenUp } from './log-given-up'
import type { PhaseTrack } from './phase-track'
import type { StartContext } from './start-context'

const SPAWN_BUDGET_MS = 10_000

/** Fetches the package where that is to be done ahead, spawns the command and shakes hands with it. */
export async function startCommand(
  context: StartContext,
  track: PhaseTrack,
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
  track: PhaseTrack,
  launch: CommandLaunch,
): Promise<ServerSession> {
  await install(context, track, launch)
  const copyTurn = fetchesItself(context.installer, launch)
    ? launch.copy && context.installer.enterCopy(launch.copy.place.entry)
    : undefined
  try {
    const session = await spawn(context, track, launch, copyTurn)
    try {
      await handshake(context, track, launch, session)
    } catch (error) {
      // What it still says belongs to what is to be known of it.
      await session.close()
      noteFailure(context, launch, session)
      throw error
    }
    return session
  } finally {
    copyTurn?.end()
  }
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
    spoken.remember({ era: 'legacy', isGuess: true })
    const note =
      'The server ended during protocol detection. The next start uses the older protocol'
    log.append('patchbay', 'info', note)
  } else if (probe.doubt === 'late') {
    spoken.remember({ era: 'modern' })
    const note = 'The server was slow to report the newer protocol. The next start waits longer'
    log.append('patchbay', 'info', note)
  } else if (spoken.era !== undefined) {
    // What was known of it may have been wrong: the next start asks.
    spoken.remember({ era: undefined })
  }
}

async function install(
  context: StartContext,
  track: PhaseTrack,
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
  if (download.isWaiting) {
    log.append('patchbay', 'info', 'Waiting to download')
  }
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
  track: PhaseTrack,
  launch: CommandLaunch,
  copyTurn: CopyTurn | undefined,
): Promise<ServerSession> {
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
  const begin = (): Promise<ServerSession> => {
    const session = spawnSession(context, launch)
    spawning = session
    return session
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

async function handshake(
  { installer, faults }: StartContext,
  track: PhaseTrack,
  launch: CommandLaunch,
  session: ServerSession,
): Promise<void> {
  const { budgets, selfInstallKey: key } = launch
  const fetches = fetchesItself(installer, launch)
  const limitMs = fetches ? Math.max(budgets.installMs, budgets.handshakeMs) : budgets.handshakeMs
  await track.run('handshake', limitMs, () => shake(launch, session, limitMs), {
    note: fetches ? 'downloading' : undefined,
    facts: launch.serves ? undefined : () => receivedFacts(session, faults.counts),
  })
  if (key !== undefined) installer.rememberFetched(key)
  launch.spoken.remember(session.foundEra)
}

/** What came from a server that did not answer, as a sentence. */
function receivedFacts(
  { connection }: ServerSession,
  { noiseLines, unknownAnswers }: ProtocolFaults,
): string {
  if (connection.traffic.bytesIn === 0) return 'Nothing arrived on stdout.'
  if (unknownAnswers > 0) return 'The server sent a response, but to an unknown request.'
  if (noiseLines === 0) return 'The server started a line on stdout but did not end it.'
  return noiseLines === 1
    ? 'The server wrote a line on stdout that is not a message.'
    : `The server wrote ${noiseLines} lines on stdout that are not messages.`
}

/** One that serves HTTP is waited for until something answers at its port, or it has ended. */
async function shake(
  { serves }: CommandLaunch,
  session: ServerSession,
  limitMs: number,
): Promise<void> {
  if (serves) {
    const over = new AbortController()
    const closing = session.onDidClose(() => over.abort())
    await awaitPort(serves.url, AbortSignal.any([over.signal, AbortSignal.timeout(limitMs)]))
    closing[Symbol.dispose]()
    if (session.isClosed) throw session.endReason('start')
  }
  await session.connect(limitMs)
}

async function spawnSession(context: StartContext, launch: CommandLaunch): Promise<ServerSession> {
  const { log } = context
  const { serves } = launch
  if (serves) await checkPortIsFree(serves.url)
  log.append('patchbay', 'debug', launch.shown)
  const child = await spawnChild(launch.spec, log.intake('stderr'))
  const noise = log.intake('stdout')
  const connection: Connection = serves
    ? localConnection(context, launch, child, { serves, onExpired: () => session.expire() })
    : new StdioConnection(child, {
        onNoise: (line) => {
          noise.pushLine(line)
          context.onNoise()
          context.faults.add('noiseLines')
        },
        maxMessageBytes: launch.maxMessageBytes,
        singleWrites: launch.protocol?.singleWrites,
        onWarning: (message) => log.append('patchbay', 'warn', message),
      })
  const chosen = chosenEra(launch)
  const session: ServerSession = new ServerSession(connection, {
    clientVersion: context.clientVersion,
    serverRequests: context.serverRequests,
    era: chosen ?? (serves?.transport === 'sse' ? 'legacy' : launch.spoken.era),
    isEraChosen: chosen !== undefined,
    packageVersion: launch.packageVersion,
    onWarning: (message) => log.append('patchbay', 'warn', message),
    onGiveUp: (error) => logGivenUp(log, error),
    onFault: (fault, detail) => context.faults.add(fault, detail),
    onText: (text) => noise.pushLine(Buffer.from(text)),
    tap: context.openTap?.(),
    maxMessageBytes: launch.maxMessageBytes,
    stderrTail: context.stderrTail,
    requestMs: launch.budgets.requestMs,
    callMs: launch.budgets.callMs,
  })
  context.onSpawned(session)
  return session
}

function localConnection(
  { log }: StartContext,
  { maxMessageBytes }: CommandLaunch,
  child: RunningChild,
  { serves, onExpired }: { readonly serves: ServedAt; readonly onExpired: () => void },
): Connection {
  const output = log.intake('stdout')
  // Whatever it writes to its stdout: it speaks elsewhere.
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  const fetch = servedFetch(child, (status) =>
    log.append(
      'patchbay',
      'info',
      `The server returns ${String(status)}. Retrying until it is ready`,
    ),
  )
  const onWarning = (message: string): unknown => log.append('patchbay', 'warn', message)
  return openHttpConnection(serves, { fetch, maxMessageBytes, onExpired, child, onWarning })
}
