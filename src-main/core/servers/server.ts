import { addAbortListener } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { type Capabilities, NO_CAPABILITIES } from '../../../src-shared/domain/agents/capability'
import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import {
  NO_FAULTS,
  type ProtocolFaults,
  type ProtocolWarning,
} from '../../../src-shared/domain/running/protocol-faults'
import {
  type FailedStatus,
  isActive,
  isFailed,
  isWorking,
  type PhaseRecord,
  type RunStatus,
  type StartPhase,
} from '../../../src-shared/domain/running/run-status'
import { SessionExpiredError } from '../failure/remote-failure'
import { Emitter } from '../lifecycle/emitter'
import { within } from '../lifecycle/time-limit'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { ServerNotification, SessionNotifications } from '../mcp/notifications'
import { cancelledFailure, durationText } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'
import type { RequestOptions } from '../mcp/session-options'
import type { ServerInstances, ServerUser } from './server-instances'
import { type LifecycleOptions, ServerLifecycle } from './server-lifecycle'
import type { ServerContext, SharedByServers } from './start/launch'

/**
 * Default time limit for a request to wait until its server is ready, in ms: a first start may download, and the caller decides how long is
 * too long (F10).
 */
export const START_WAIT_MS = 1_800_000

/** Time for a server to tell whether it needs a sign-in, in ms; health checks continue anyway. */
const SIGN_IN_CHECK_MS = 10_000

export type ServerOptions = LifecycleOptions & {
  /** Processes that belong to one agent or session; absent in an instance. */
  readonly instances?: ServerInstances<Server> | undefined
}

/**
 * One installed server, for callers that don't care which session serves or whether one does. A request starts the server if its policy
 * allows (C8).
 */
export class Server extends ServerLifecycle implements Disposable {
  readonly #notified = new Emitter<ServerNotification>()
  readonly #began = new Emitter<SessionNotifications>()
  #followed: { readonly session: ServerSession; readonly listening: Disposable } | undefined

  readonly serverRequests: ServerRequests | undefined
  readonly instances: ServerInstances<Server> | undefined
  /** The current installation; undefined once it is removed. */
  readonly #installation: () => Installation | undefined
  readonly #responseMs: number
  /** Fires for each notification of the server, over any session. */
  readonly onDidNotify = this.#notified.event
  /** Fires for each new Ready session, before its first request. */
  readonly onDidBegin = this.#began.event

  constructor(context: ServerContext & SharedByServers, options: ServerOptions) {
    super(context, options)
    const { installationId, instance } = options
    this.serverRequests = options.serverRequests
    this.instances = options.instances
    this.#responseMs = context.answerMs ?? SIGN_IN_CHECK_MS
    this.#installation = () => {
      const installation = context.installationOf(installationId)
      // An instance exists only because a request needs it.
      const started = { enabled: true, starts: 'onFirstUse' } as const
      return installation && instance ? { ...installation, ...started } : installation
    }
  }

  /** The phase of the running reconnect. */
  get reconnecting(): StartPhase | undefined {
    return this.replacing?.phase
  }

  /** The phases of the newest start or reconnect. */
  get phases(): readonly PhaseRecord[] {
    return this.newest?.phases ?? []
  }

  get faults(): ProtocolFaults {
    return (this.live?.start ?? this.newest)?.faults.counts ?? NO_FAULTS
  }

  get protocolWarnings(): readonly ProtocolWarning[] {
    return (this.live?.start ?? this.newest)?.faults.warnings ?? []
  }

  /** The current session; during a start the new one, from its spawn on. */
  get session(): ServerSession | undefined {
    return (this.live ?? this.starting)?.session
  }

  get liveSession(): ServerSession | undefined {
    return isWorking(this.status) ? this.session : undefined
  }

  /** The Ready session for a user. */
  liveSessionFor(user: ServerUser): ServerSession | undefined {
    return this.instances?.isOwn(user) ? this.instances.liveSessionFor(user) : this.liveSession
  }

  /** Requests in flight, including those of instances. */
  get inFlight(): number {
    const sessions = [this, ...(this.instances?.servers ?? [])].map(({ session }) => session)
    return sessions.reduce((sum, session) => sum + (session?.inFlight ?? 0), 0)
  }

  /** The lists of the Ready session. */
  get capabilities(): Capabilities {
    return this.liveSession?.capabilities ?? NO_CAPABILITIES
  }

  /** Grows whenever `capabilities` may have changed, even if their counts stay. */
  get generation(): number {
    return this.counts.listings
  }

  /** The notifications of the Ready session. */
  get notifications(): SessionNotifications | undefined {
    return this.#followed?.session.notifications
  }

  /**
   * Sends a request once the server is Ready, and once more over the next session if the server had forgotten the first one, so never
   * executed it. Rejects as `ready` and `ServerSession.request` do. `timeoutMs` bounds the response; `waitMs` bounds the wait for the
   * server.
   */
  async request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions & { readonly waitMs?: number } = {},
  ): Promise<unknown> {
    const { waitMs = START_WAIT_MS, signal } = options
    const send = async (): Promise<unknown> => {
      const session = await this.ready({ method, waitMs, signal })
      return session.request(method, params, options)
    }
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) throw error
      return send()
    }
  }

  /**
   * Waits for the Ready session; starts the server if its policy allows, once for all callers. Rejects with NOT_FOUND, a
   * `ServerUnreachableError`, or REQUEST_CANCELLED.
   */
  async ready(wanted: Wanted): Promise<ServerSession> {
    const installation = this.#installation()
    if (!installation) throw new AppError('NOT_FOUND', 'This server is no longer in the list.')
    const { enabled, starts } = installation
    const isStopped = this.status.kind === 'stopped' && !this.isStoppedByUser
    if (enabled && starts === 'onFirstUse' && isStopped) this.start(undefined, 'call')
    return waitUntilReady(this, installation, wanted)
  }

  /** Like `ready`, for a user with an instance: once the server is Ready, the user's instance is started. */
  async readyFor(user: ServerUser, wanted: Wanted): Promise<ServerSession> {
    const { instances } = this
    if (!instances?.isOwn(user)) return this.ready(wanted)
    const own = instances.find(instances.keyOf(user))
    if (own?.liveSession) return instances.acquire(user).ready(wanted)
    await this.ready(wanted)
    const { method, signal } = wanted
    // The user's session may have ended meanwhile.
    if (signal?.aborted) throw cancelledFailure(method, signal.reason)
    return instances.acquire(user).ready(wanted)
  }

  /** The sign-in was lost: a session that works without one continues, any other ends with the reason. */
  signInLost(): void {
    const { session } = this.live ?? {}
    // A rejection ends the session, and the status says why.
    void session?.ping(this.#responseMs).catch(() => undefined)
  }

  override [Symbol.dispose](): void {
    this.instances?.[Symbol.dispose]()
    this.#followed?.listening[Symbol.dispose]()
    this.#followed = undefined
    for (const one of [this.#notified, this.#began]) one[Symbol.dispose]()
    super[Symbol.dispose]()
  }

  protected override didChange(): void {
    super.didChange()
    this.#follow()
  }

  /** Listens to the current Ready session. */
  #follow(): void {
    const { liveSession } = this
    if (this.#followed?.session === liveSession) return
    this.#followed?.listening[Symbol.dispose]()
    this.#followed = undefined
    if (!liveSession) return
    const listening = liveSession.notifications.onDidReceive((notification) =>
      this.#notified.emit(notification),
    )
    this.#followed = { session: liveSession, listening }
    this.#began.emit(liveSession.notifications)
  }
}

/** Requests don't wait for a retry that is later than this, in ms. */
const MAX_BACKOFF_MS = 300_000

type Wanted = {
  /** The method, such as `tools/call`. */
  readonly method: string
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

/** The server isn't Ready; with its last stderr lines, oldest first and masked. */
class ServerUnreachableError extends AppError {
  constructor(
    code: AppErrorCode,
    message: string,
    hint: string | undefined,
    readonly stderrTail: readonly string[] = [],
  ) {
    super(code, message, { hint })
  }
}

/** Resolves with the session once the server is Ready. Rejects with a `ServerUnreachableError` or REQUEST_CANCELLED. */
async function waitUntilReady(
  server: {
    readonly status: RunStatus
    readonly liveSession: ServerSession | undefined
    readonly onDidChange: (listener: () => void) => Disposable
  },
  installation: Installation,
  { method, waitMs, signal }: Wanted,
): Promise<ServerSession> {
  const until = Date.now() + waitMs
  for (;;) {
    const { liveSession } = server
    if (liveSession && !liveSession.hasExpired) return liveSession
    if (!mayServe(server.status, until)) {
      // During a restart the server is stopped for a tick.
      await nextTurn()
      if (mayServe(server.status, until)) continue
      throw unreachableError(installation, server.status)
    }
    const remainingMs = until - Date.now()
    const hasTimedOut = remainingMs <= 0 || !(await changed(server, remainingMs, signal))
    if (signal?.aborted) throw cancelledFailure(method, signal.reason)
    if (hasTimedOut) throw timeoutErrorOf(installation, server.status, waitMs)
  }
}

/** Whether the server changed within `ms` and before `signal` was aborted. */
async function changed(
  server: Parameters<typeof waitUntilReady>[0],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  using _changing = server.onDidChange(() => resolve(true))
  using _aborting = signal && addAbortListener(signal, () => resolve(false))
  return await within(ms, promise, () => false)
}

/** Whether a server may become Ready before `until` without its user. */
function mayServe(status: RunStatus, until: number): boolean {
  // Nobody knows when an unreached server returns, so the caller gets the error immediately.
  if (status.kind === 'backingOff') {
    const soon = Math.min(until, Date.now() + MAX_BACKOFF_MS)
    return status.because !== 'unreached' && status.until < soon
  }
  return isActive(status) && status.kind !== 'awaitingSignIn'
}

/** Why a server isn't Ready, and what its user can do. */
function unreachableError(
  { name, starts }: Installation,
  status: RunStatus,
): ServerUnreachableError {
  if (isFailed(status)) return failedError(name, status)
  if (status.kind === 'signInNeeded')
    return new ServerUnreachableError(
      'SIGN_IN_NEEDED',
      `${name} is not running. ${status.message}`,
      'Sign in, then try again.',
    )
  if (status.kind === 'awaitingSignIn')
    return new ServerUnreachableError(
      'SIGN_IN_NEEDED',
      `${name} is starting and waits until you sign in.`,
      'Open its page in Patchbay and sign in at its link, then try again.',
    )
  return new ServerUnreachableError(
    'SERVER_NOT_RUNNING',
    starts === 'byHand'
      ? `${name} starts only manually and is not running.`
      : `${name} was stopped and is not running.`,
    'Start it in Patchbay, then try again.',
  )
}

function failedError(name: string, status: FailedStatus): ServerUnreachableError {
  const { cause, code, hint, stderrTail } = status
  const message = [`${name} is not running.`, cause?.message, status.message]
  return new ServerUnreachableError(code, message.filter(Boolean).join(' '), hint, stderrTail)
}

/** The server wasn't Ready in time, but may be later. */
function timeoutErrorOf(
  { name }: Installation,
  status: RunStatus,
  waitMs: number,
): ServerUnreachableError {
  if (isFailed(status)) return failedError(name, status)
  return new ServerUnreachableError(
    'REQUEST_TIMEOUT',
    `${name} was not ready within ${durationText(waitMs)} and is still starting.`,
    'Try again in a moment.',
  )
}
