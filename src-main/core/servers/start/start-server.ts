import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import type { RunStatus } from '../../../../src-shared/domain/running/run-status'
import { faultWarnings } from '../../failure/describe-failure'
import { isOtherTransport } from '../../failure/remote-failure'
import { removeCopy, repairError } from '../../launch/repair/remove-copy'
import { Disposables } from '../../lifecycle/disposables'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import { openHttpConnection } from '../../mcp/connections/streamable-http'
import type { ProtocolMode } from '../../mcp/negotiate'
import type { ServerSession } from '../../mcp/session'
import { HealthCheck, type HealthOptions } from '../recovery/health-check'
import { chosenMode, type PreparedLaunch, type RemoteLaunch, type SetUp } from './launch'
import type { RunOptions, ServerStart } from './server-start'
import { startCommand } from './start-command'

const RESOLVE_BUDGET_MS = 20_000

/** Failures that explain more than an unsupported transport does. */
const SPECIFIC: readonly AppErrorCode[] = [
  'SIGN_IN_NEEDED',
  'REMOTE_UNREACHABLE',
  'REMOTE_UNTRUSTED',
  'REMOTE_FAILED',
]

/** The end of a start. A failed one leaves no process; a canceled one may end either way. */
export type StartEnd =
  | { readonly kind: 'ready'; readonly session: ServerSession }
  | { readonly kind: 'failed'; readonly error: unknown }

/**
 * Runs the phases of a start, each within its budget: setup and repair if requested, resolve, install and spawn for a command, then
 * handshake and discover. Never rejects.
 */
export async function startServer(start: ServerStart): Promise<StartEnd> {
  try {
    // The server must hold the start before its first phase is announced.
    await Promise.resolve()
    start.signal.throwIfAborted()
    const session = await runPhases(start)
    if (session.isClosed) {
      await session.endKnown()
      throw session.endReason('start')
    }
    start.becameReady()
    return { kind: 'ready', session }
  } catch (error) {
    // B10: the session is closed and the process gone before the status changes.
    await start.close()
    return { kind: 'failed', error }
  }
}

async function runPhases(start: ServerStart): Promise<ServerSession> {
  const { timeline, options } = start
  const { ending } = start.server
  const wait = {
    turn: ending.isEnding ? ending.ended() : undefined,
    waitNote: 'the previous process is still ending',
  }
  if (options.setUp) await setUp(start, options.setUp, wait)
  const first = options.setUp ? {} : wait
  const launch = await timeline.run('resolve', RESOLVE_BUDGET_MS, () => start.prepare(), first)
  if (options.repairs) await repair(start, launch)
  const session =
    launch.kind === 'remote'
      ? await connectRemote(start, launch)
      : await startCommand(start, launch)
  const { discoverMs } = launch.budgets
  await timeline.run('discover', discoverMs, () =>
    session.discover(discoverMs, (activity) => timeline.note(activity)),
  )
  return session
}

function setUp(start: ServerStart, { limitMs, run }: SetUp, wait: RunOptions): Promise<void> {
  const { onInstallLine } = start.server
  return runToItsEnd(start, 'setUp', limitMs, (signal) => run(onInstallLine, signal), wait)
}

/**
 * Deletes a package's copy in its runner's cache, so that the next phase fetches it again (E7). Rejects with REPAIR_FAILED, also while
 * another server runs from the same copy and would lose its files.
 */
function repair(start: ServerStart, launch: PreparedLaunch): Promise<void> {
  const { installMs } = launch.budgets
  return runToItsEnd(start, 'repair', installMs, (signal) => removeAndFetch(start, launch, signal))
}

/** Runs a phase whose work has ended before the status changes, even after a failure or timeout. */
async function runToItsEnd(
  { timeline, signal }: ServerStart,
  phase: 'setUp' | 'repair',
  limitMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  options?: RunOptions,
): Promise<void> {
  const end = new AbortController()
  let working: Promise<void> | undefined
  const run = (): Promise<void> => (working = work(AbortSignal.any([signal, end.signal])))
  try {
    await timeline.run(phase, limitMs, run, options)
  } catch (error) {
    end.abort(error)
    await Promise.allSettled([working])
    throw error
  }
}

async function removeAndFetch(
  { server }: ServerStart,
  launch: PreparedLaunch,
  signal: AbortSignal,
): Promise<void> {
  const { log, onInstallLine } = server
  const { installer } = server.context
  if (launch.kind === 'remote' || !launch.copy)
    throw repairError(
      'The command’s package can’t be identified.',
      'Only plain npx and uvx commands can be repaired.',
    )
  const { place, user } = launch.copy
  const others = installer.uses.otherUsers(place.entry, user.installationId)
  if (others.length > 0)
    throw repairError(
      `The same package copy is in use by ${others.join(', ')}.`,
      'Stop these servers, then repair again.',
    )
  // A download that an earlier start left running fills the same folder.
  await installer.release(onInstallLine)
  const { installMs: limitMs } = launch.budgets
  const { folder, refetch } = await removeCopy(place, { limitMs, signal })
  installer.forget(launch.install, launch.selfInstallKey)
  const what =
    folder === undefined
      ? `${place.entry.runner} keeps no copy of the package`
      : `Removed the package copy of ${place.entry.runner}: ${folder}`
  log.append('patchbay', 'info', what)
  signal.throwIfAborted()
  if (refetch) await installer.join(refetch, onInstallLine, (line) => log.redactor(line)).finished
}

type Try = { readonly transport: RemoteTransport; readonly protocolMode: ProtocolMode | undefined }

/**
 * Initializes a remote server over each transport in turn until one is understood (MCP, transports, backwards compatibility). A server that
 * was too slow to report its protocol version is asked once more. Rejects with the first failure.
 */
async function connectRemote(start: ServerStart, launch: RemoteLaunch): Promise<ServerSession> {
  const { handshakeMs } = launch.budgets
  start.server.log.append('patchbay', 'debug', launch.shown)
  return start.timeline.run('handshake', handshakeMs, async () => {
    const endsAt = performance.now() + handshakeMs
    const tries = launch.transports.map((transport) => firstTry(launch, transport))
    let first: unknown
    for (let one = tries.shift(); one; one = tries.shift()) {
      start.signal.throwIfAborted()
      const session = openRemote(start, launch, one)
      try {
        await session.connect(Math.max(endsAt - performance.now(), 1))
        launch.spoken.remember({ ...session.probedMode, transport: one.transport })
        return session
      } catch (error) {
        first ??= error
        if (launch.spoken.protocolMode !== undefined)
          launch.spoken.remember({ protocolMode: undefined })
        const { probeProblem } = session.probe
        await session.close()
        const isLate = probeProblem === 'late' || probeProblem === 'silent'
        if (isLate && one.protocolMode !== 'stateless' && chosenMode(launch) === undefined)
          tries.unshift({ ...one, protocolMode: 'stateless' })
        else if (!isOtherTransport(causeOf(error))) throw isSpecific(error) ? error : first
      }
    }
    throw first
  })
}

/** The SSE transport is older than the stateless protocol. */
function firstTry(launch: RemoteLaunch, transport: RemoteTransport): Try {
  const protocolMode = transport === 'sse' ? 'sessions' : launch.spoken.protocolMode
  return { transport, protocolMode: chosenMode(launch) ?? protocolMode }
}

function openRemote(
  start: ServerStart,
  launch: RemoteLaunch,
  { transport, protocolMode }: Try,
): ServerSession {
  const { url, headers, fetch, auth, maxMessageBytes } = launch
  const connection = openHttpConnection(
    { url, headers, transport },
    {
      fetch,
      authProvider: auth,
      maxMessageBytes,
      onExpired: () => session.expire(),
      onWarning: (message) => start.server.log.append('patchbay', 'warn', message),
    },
  )
  const session: ServerSession = start.openSession(connection, launch, { protocolMode })
  return session
}

function isSpecific(error: unknown): boolean {
  return error instanceof AppError && SPECIFIC.includes(error.code)
}

/** The connection's error below Patchbay's message for it. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

export type LiveSessionEvents = {
  /** The status may have changed. */
  readonly onDidChange: () => void
  readonly onHang: () => void
  /** The lists may have changed. */
  readonly onRelisted: () => void
  /** The server has forgotten the session. */
  readonly onExpired: () => void
  /** The session is gone. */
  readonly onLost: (error: unknown) => void
}

/** The current Ready session and its warnings. */
export class LiveSession implements Disposable {
  readonly health: HealthCheck
  /** Epoch ms. */
  readonly since: number
  readonly #held = new Disposables()
  /** Why a reconnect failed, as a sentence. */
  failedSuccessor: string | undefined

  constructor(
    readonly start: ServerStart,
    readonly session: ServerSession,
    context: Omit<HealthOptions, 'onDidChange' | 'onHang'>,
    events: LiveSessionEvents,
  ) {
    this.#held.add(start.faults)
    this.#held.add(session.onDidExpire(events.onExpired))
    this.#held.add(session.onDidClose(() => void reportLoss(session, events.onLost)))
    this.#held.add(session.onDidRelist(events.onRelisted))
    this.#held.add(context.wake.onDidWake(() => session.afterSleep()))
    this.since = context.time.now()
    const { settings, answerMs, time, wake } = context
    const { onDidChange, onHang } = events
    const options = { settings, answerMs, time, wake, onDidChange, onHang }
    this.health = this.#held.add(new HealthCheck(session, options))
  }

  /** Whether the server hangs or has forgotten the session. */
  get isUnusable(): boolean {
    return this.health.isHanging || this.session.hasExpired
  }

  /** Whether no second session can run next to this one. */
  get isAlone(): boolean {
    return this.session.connection.isAlone
  }

  get status(): RunStatus {
    const { health, failedSuccessor } = this
    const warnings = [
      ...this.session.capabilities.notices,
      ...faultWarnings(this.start.faults.counts),
    ]
    if (health.warning !== undefined) warnings.push(health.warning)
    if (failedSuccessor !== undefined)
      warnings.push(`Reconnecting failed, so the previous session stays in use. ${failedSuccessor}`)
    return warnings.length > 0 ? { kind: 'degraded', warnings } : { kind: 'ready' }
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]()
  }
}

/** The exit code may follow the end of the session; the status waits for it, requests don't. */
async function reportLoss(session: ServerSession, onLost: (error: unknown) => void): Promise<void> {
  await session.endKnown()
  onLost(session.endReason('use'))
}
