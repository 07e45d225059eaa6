import { AppError } from '../../../../src-shared/domain/app-error'
import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { messageOf, ServerEndedError } from '../../failure/describe-failure'
import { ExplainedError } from '../../failure/explained-error'
import type { CopyTurn, PackageInstaller } from '../../launch/downloads/package-installer'
import { awaitPort, checkPortIsFree, localHttpFetch } from '../../mcp/connections/local-http'
import { StdioConnection } from '../../mcp/connections/stdio'
import { openHttpConnection } from '../../mcp/connections/streamable-http'
import type { Connection } from '../../mcp/peer/connection'
import type { ServerSession } from '../../mcp/session'
import { type RunningChild, spawnChild } from '../../process/spawn/child-process'
import { SIGN_IN_MS, type StartActivity, StartWatch } from '../start-watch/start-watch'
import { chosenMode, type CommandLaunch, type LocalHttpAddress } from './launch'
import type { ServerStart } from './server-start'

const SPAWN_BUDGET_MS = 10_000

/** A session with its running program, and the program's output. */
type SpawnedSession = {
  readonly session: ServerSession
  /** Number of the program's first log line. */
  readonly fromSeq: number
  /** Output on stderr and stdout without a line end so far. */
  readonly unfinished: () => string[]
  readonly printedBytes: () => number
}

/** Fetches the package if needed, spawns the command and initializes it. */
export async function startCommand(
  start: ServerStart,
  launch: CommandLaunch,
): Promise<ServerSession> {
  const { copy } = launch
  const use = copy && start.server.context.installer.uses.begin(copy.place.entry, copy.user)
  try {
    const session = await startFetched(start, launch)
    // Closed pipes don't end the use: processes without pipes may still run from the copy.
    void session.connection.tree?.exited.then(() => use?.[Symbol.dispose]())
    return session
  } catch (error) {
    use?.[Symbol.dispose]()
    throw error
  }
}

async function startFetched(start: ServerStart, launch: CommandLaunch): Promise<ServerSession> {
  const { installer } = start.server.context
  await install(start, launch)
  const copyTurn = fetchesItself(installer, launch)
    ? launch.copy && installer.enterCopy(launch.copy.place.entry)
    : undefined
  try {
    const spawned = await spawn(start, launch, copyTurn)
    const { session } = spawned
    try {
      await handshake(start, launch, spawned, () => copyTurn?.end())
    } catch (error) {
      // The program's last lines explain the failure.
      await session.close()
      logFailure(start, launch, session)
      throw withStdinFault(error, launch)
    }
    return session
  } finally {
    copyTurn?.end()
  }
}

/** A container without stdin exits without an error or waits; only its options tell why. */
function withStdinFault(error: unknown, { stdinFault }: CommandLaunch): unknown {
  const isSilent = error instanceof ServerEndedError ? error.exit?.code === 0 : isTimeout(error)
  if (stdinFault === undefined || !isSilent || !(error instanceof AppError)) return error
  return new ExplainedError(error.code, error.message, {
    causeId: 'container-stdin',
    message: `${stdinFault} Change it under Configure.`,
    step: { kind: 'configure' },
    isPermanent: true,
  })
}

function isTimeout(error: unknown): boolean {
  return error instanceof AppError && error.code === 'PHASE_TIMEOUT'
}

/** Whether the start itself downloads the package. */
function fetchesItself(installer: PackageInstaller, launch: CommandLaunch): boolean {
  return launch.selfInstallKey !== undefined && !isFetched(installer, launch)
}

/** Remembers what a failed handshake says about the protocol version. */
function logFailure(
  { server }: ServerStart,
  { spoken }: CommandLaunch,
  { probe }: ServerSession,
): void {
  const log = (text: string): unknown => server.log.append('patchbay', 'info', text)
  if (probe.isFatal) {
    // Some servers with sessions exit at an unknown request: don't send it at the next start.
    spoken.remember({ protocolMode: 'sessions', isGuess: true })
    log('The server ended during protocol detection. The next start uses the older protocol')
  } else if (probe.probeProblem === 'late') {
    spoken.remember({ protocolMode: 'stateless' })
    log('The server was slow to report the newer protocol. The next start waits longer')
  } else if (spoken.protocolMode !== undefined) {
    // The remembered version may be wrong: negotiate again at the next start.
    spoken.remember({ protocolMode: undefined })
  }
}

async function install({ server, timeline }: ServerStart, launch: CommandLaunch): Promise<void> {
  const { log, onInstallLine } = server
  const { installer } = server.context
  const { install: spec, budgets } = launch
  const { installMs } = budgets
  if (!spec || isFetched(installer, launch)) {
    timeline.skip('install', installMs)
    return
  }
  const download = installer.join(spec, onInstallLine, (line) => log.redactor(line))
  if (download.isShared)
    log.append('patchbay', 'info', 'Waiting for another server that downloads the same package')
  else if (download.isWaiting) log.append('patchbay', 'info', 'Waiting to download')
  const turn = download.isWaiting ? download.started : undefined
  const onFailure = (error: unknown): string => {
    log.append('patchbay', 'warn', `${messageOf(error)} The server’s start continues the download.`)
    return 'continues at server start'
  }
  const work = (): Promise<void> => download.finished
  if (spec.mayFail) await timeline.attempt('install', installMs, work, { turn, onFailure })
  else await timeline.run('install', installMs, work, { turn })
}

/** Whether the package was fetched, by its install command or by an earlier start. */
function isFetched(
  installer: PackageInstaller,
  { install: spec, selfInstallKey: key }: CommandLaunch,
): boolean {
  if (spec && installer.isInstalled(spec)) return true
  return key !== undefined && installer.hasFetched(key)
}

async function spawn(
  start: ServerStart,
  launch: CommandLaunch,
  copyTurn: CopyTurn | undefined,
): Promise<SpawnedSession> {
  const { slots } = start.server.context
  const isBusy = slots.activeCount + slots.pendingCount >= slots.concurrency
  const turn = Promise.withResolvers<undefined>()
  const done = Promise.withResolvers<undefined>()
  const enter = (): void =>
    void slots(() => {
      turn.resolve(undefined)
      return done.promise
    })
  if (copyTurn?.isWaiting) void copyTurn.started.then(enter)
  else enter()
  let spawning: Promise<unknown> | undefined
  const begin = (): Promise<SpawnedSession> => {
    const spawned = spawnSession(start, launch)
    spawning = spawned
    return spawned
  }
  try {
    return await start.timeline.run('spawn', SPAWN_BUDGET_MS, begin, {
      turn: isBusy || copyTurn?.isWaiting ? turn.promise : undefined,
      waitNote: copyTurn?.isWaiting ? 'another server downloads the same package' : undefined,
    })
  } finally {
    // A child spawned during a cancel must be known to the start, which ends it.
    await Promise.allSettled([spawning])
    done.resolve(undefined)
  }
}

async function spawnSession(start: ServerStart, launch: CommandLaunch): Promise<SpawnedSession> {
  const { log, counts } = start.server
  const { serves } = launch
  if (serves) await checkPortIsFree(serves.url)
  log.append('patchbay', 'debug', launch.shown)
  const fromSeq = log.nextSeq
  const stderr = log.intake('stderr')
  const child = await spawnChild(launch.spec, stderr)
  const noise = log.intake('stdout')
  const connection: Connection = serves
    ? localConnection(start, launch, child, { serves, onExpired: () => session.expire() })
    : new StdioConnection(child, {
        onNoise: (line) => {
          noise.pushLine(line)
          counts.noiseLines += 1
          start.faults.add('noiseLines')
        },
        maxMessageBytes: launch.maxMessageBytes,
        singleWrites: launch.protocol?.singleWrites,
        onWarning: (message) => log.append('patchbay', 'warn', message),
      })
  const known = serves?.transport === 'sse' ? 'sessions' : launch.spoken.protocolMode
  const session: ServerSession = start.openSession(connection, launch, {
    protocolMode: chosenMode(launch) ?? known,
    packageVersion: launch.packageVersion,
    onText: (text) => noise.pushLine(Buffer.from(text)),
  })
  return {
    ...{ session, fromSeq },
    unfinished: () => {
      const stdout = connection instanceof StdioConnection ? connection.unfinished : ''
      return [stderr.unfinished, stdout].filter((text) => text !== '')
    },
    printedBytes: () => stderr.received + connection.byteCounts.bytesIn,
  }
}

function localConnection(
  { server }: ServerStart,
  { maxMessageBytes }: CommandLaunch,
  child: RunningChild,
  { serves, onExpired }: { readonly serves: LocalHttpAddress; readonly onExpired: () => void },
): Connection {
  const { log } = server
  const output = log.intake('stdout')
  // The server speaks over HTTP, so all of its stdout is log.
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  const fetch = localHttpFetch(child, (status) =>
    log.append(
      'patchbay',
      'info',
      `The server returns ${String(status)}. Retrying until it is ready`,
    ),
  )
  const onWarning = (message: string): unknown => log.append('patchbay', 'warn', message)
  return openHttpConnection(serves, { fetch, maxMessageBytes, onExpired, child, onWarning })
}

/**
 * Initializes the program. The default limit is for a program without signs of life: a working one gets the download limit, and one that
 * waits for a sign-in gets minutes (F14). `onSignIn`: the program waits for its user, so its package is installed.
 */
async function handshake(
  start: ServerStart,
  launch: CommandLaunch,
  { session, ...output }: SpawnedSession,
  onSignIn: () => void,
): Promise<void> {
  const { context, log } = start.server
  const { installMs, handshakeMs } = launch.budgets
  const fetches = fetchesItself(context.installer, launch)
  const maxMs = Math.max(installMs, handshakeMs)
  const usualMs = fetches ? maxMs : handshakeMs
  const onChange = (activity: StartActivity): void => {
    if (activity.signIn) onSignIn()
    start.setActivity(activity)
  }
  using watch = new StartWatch(
    { ...output, log, tree: session.connection.tree, servesHttp: launch.serves !== undefined },
    { idleMs: handshakeMs, usualMs, longestMs: maxMs },
    onChange,
  )
  await start.timeline.run('handshake', usualMs, () => shake(launch, session, usualMs, maxMs), {
    note: fetches ? 'downloading' : undefined,
    facts: launch.serves ? undefined : () => receivedFacts(session, start.faults.counts),
    patience: watch,
  })
  const { selfInstallKey: key } = launch
  if (key !== undefined) context.installer.rememberFetched(key)
  launch.spoken.remember(session.probedMode)
}

/** A sentence about the output of a server that didn't answer. */
function receivedFacts(
  { connection }: ServerSession,
  { noiseLines, unknownAnswers }: ProtocolFaults,
): string {
  if (connection.byteCounts.bytesIn === 0) return 'Nothing arrived on stdout.'
  if (unknownAnswers > 0) return 'The server sent a response, but to an unknown request.'
  if (noiseLines === 0) return 'The server started a line on stdout but did not end it.'
  return noiseLines === 1
    ? 'The server wrote a line on stdout that is not a message.'
    : `The server wrote ${noiseLines} lines on stdout that are not messages.`
}

/** Waits until a server that serves HTTP answers at its port or exits, then connects. */
async function shake(
  { serves }: CommandLaunch,
  session: ServerSession,
  usualMs: number,
  maxMs: number,
): Promise<void> {
  const patienceMs = maxMs + SIGN_IN_MS
  if (serves) {
    const abort = new AbortController()
    const closing = session.onDidClose(() => abort.abort())
    await awaitPort(serves.url, AbortSignal.any([abort.signal, AbortSignal.timeout(patienceMs)]))
    closing[Symbol.dispose]()
    if (session.isClosed) throw session.endReason('start')
  }
  await session.connect(usualMs, patienceMs)
}
