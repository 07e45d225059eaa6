import { setImmediate as nextTurn } from 'node:timers/promises'

import { type Capabilities, NO_CAPABILITIES } from '../../../src-shared/domain/agents/capability'
import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { isActive, isWorking, type RunStatus } from '../../../src-shared/domain/running/run-status'
import { SessionExpiredError } from '../failure/remote-failure'
import { Emitter } from '../lifecycle/emitter'
import type { LogBuffer } from '../log/log-buffer'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { ServerNotification, SessionNotifications } from '../mcp/notifications'
import { cancelledFailure } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'
import type { RequestOptions } from '../mcp/session-options'
import type { ServerInstances, ServerUser } from './server-instances'
import { lateError, unreachableError } from './server-unreachable'
import type { SessionSupervisor } from './session-supervisor'

/** How long a request that sets no deadline waits for its server to be ready, in ms: a first start may download, and the caller decides how long is too long (F10). */
export const START_WAIT_MS = 1_800_000

/** A later retry is one to hear of now, in ms: nothing goes on until then. */
const LONGEST_BACKOFF_MS = 300_000

/** For what a server is wanted. */
export type Wanted = {
  /** What is to be sent, such as `tools/call`. */
  readonly method: string
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

export type ServerParts = {
  /** What is installed of it now; undefined once it is removed. */
  readonly installation: () => Installation | undefined
  readonly log: LogBuffer
  /** Answers its requests; missing where nothing can. */
  readonly serverRequests: ServerRequests | undefined
  /** Its processes that not all agents share; missing in one of them. */
  readonly instances?: ServerInstances<Server> | undefined
  /** Makes the life of its sessions, which tells of each change. */
  readonly live: (onDidChange: () => void) => SessionSupervisor
}

/**
 * One installed server, which outlives its sessions: who sends it a request or listens to it need not know which
 * session serves, or whether one does. A request starts it where that is its policy (C8).
 */
export class Server implements Disposable {
  readonly log: LogBuffer
  readonly serverRequests: ServerRequests | undefined
  readonly instances: ServerInstances<Server> | undefined
  /** Starts and stops it, and tells how it stands. */
  readonly supervisor: SessionSupervisor
  readonly #parts: ServerParts
  readonly #changed = new Emitter<undefined>()
  readonly #notified = new Emitter<ServerNotification>()
  readonly #began = new Emitter<SessionNotifications>()
  #followed: { readonly session: ServerSession; readonly listening: Disposable } | undefined

  /** Fires when its status, what it lists, or what is told of it may be another. */
  readonly onDidChange = this.#changed.event
  /** Fires for what it says unasked, over whichever session. */
  readonly onDidNotify = this.#notified.event
  /** Fires when it serves over a session that nothing was asked of yet. */
  readonly onDidBegin = this.#began.event

  constructor(parts: ServerParts) {
    this.#parts = parts
    this.log = parts.log
    this.serverRequests = parts.serverRequests
    this.instances = parts.instances
    this.supervisor = parts.live(() => this.#onChange())
  }

  get status(): RunStatus {
    return this.supervisor.status
  }

  /** The session that serves now. */
  get serving(): ServerSession | undefined {
    const { status, session } = this.supervisor
    return isWorking(status) ? session : undefined
  }

  /** The session that serves a user now. */
  servingFor(user: ServerUser): ServerSession | undefined {
    return this.instances?.isOwn(user) ? this.instances.servingFor(user) : this.serving
  }

  /** Requests that are under way, those of its instances too. */
  get inFlight(): number {
    return [this, ...(this.instances?.servers ?? [])].reduce(
      (sum, { supervisor }) => sum + (supervisor.session?.inFlight ?? 0),
      0,
    )
  }

  /** What the session that serves lists. */
  get capabilities(): Capabilities {
    return this.serving?.capabilities ?? NO_CAPABILITIES
  }

  /** Grows whenever `capabilities` may be others, also where their counts stay. */
  get generation(): number {
    return this.supervisor.listing
  }

  /** What it can be asked to tell; undefined where it does not serve. */
  get news(): SessionNotifications | undefined {
    return this.#followed?.session.news
  }

  /**
   * Sends a request once the server serves, and once more over the next session where the server had forgotten the
   * first one and so never executed it. Rejects as `ready` and `ServerSession.request` do. `timeoutMs` is that of
   * the answer; the wait for the server has its own.
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
   * Its session once it serves; starts it where that is its policy, once for all who wait. Rejects with NOT_FOUND, a
   * `ServerUnreachableError`, or REQUEST_CANCELLED.
   */
  async ready({ method, waitMs, signal }: Wanted): Promise<ServerSession> {
    const installation = this.#parts.installation()
    if (!installation) throw new AppError('NOT_FOUND', 'This server is no longer in the list.')
    const until = Date.now() + waitMs
    if (this.#mayStart(installation)) this.supervisor.start(undefined, 'call')
    for (;;) {
      const { serving } = this
      if (serving && !serving.hasExpired) return serving
      if (!mayServe(this.status, until)) {
        // A restart is stopped for a moment.
        await nextTurn()
        if (mayServe(this.status, until)) continue
        throw unreachableError(installation, this.status)
      }
      const left = until - Date.now()
      const isOver = left <= 0 || !(await this.#change(left, signal))
      if (signal?.aborted) throw cancelledFailure(method, signal.reason)
      if (isOver) throw lateError(installation, this.status, waitMs)
    }
  }

  /** As `ready`, for a user who may not share it: then its own instance is started, once the server itself serves. */
  async readyFor(user: ServerUser, wanted: Wanted): Promise<ServerSession> {
    const { instances } = this
    if (!instances?.isOwn(user)) return this.ready(wanted)
    const own = instances.find(instances.keyOf(user))
    if (own?.serving) return instances.take(user).ready(wanted)
    await this.ready(wanted)
    const { method, signal } = wanted
    // Its session may be over by now.
    if (signal?.aborted) throw cancelledFailure(method, signal.reason)
    return instances.take(user).ready(wanted)
  }

  [Symbol.dispose](): void {
    this.instances?.[Symbol.dispose]()
    this.#followed?.listening[Symbol.dispose]()
    this.#followed = undefined
    for (const one of [this.#changed, this.#notified, this.#began]) one[Symbol.dispose]()
  }

  #mayStart({ starts, enabled }: Installation): boolean {
    const { status, isStoppedByPerson } = this.supervisor
    return enabled && starts === 'onFirstUse' && status.kind === 'stopped' && !isStoppedByPerson
  }

  #onChange(): void {
    this.#changed.emit(undefined)
    this.#follow()
  }

  /** Listens to the session that serves, and to the next one when it has another. */
  #follow(): void {
    const { serving } = this
    if (this.#followed?.session === serving) return
    this.#followed?.listening[Symbol.dispose]()
    this.#followed = undefined
    if (!serving) return
    const listening = serving.news.onDidReceive((news) => this.#notified.emit(news))
    this.#followed = { session: serving, listening }
    this.#began.emit(serving.news)
  }

  /** Whether it changed within `ms`, unless that is given up before. */
  async #change(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const listening = this.#changed.event(() => resolve(true))
    const timer = setTimeout(() => resolve(false), ms)
    const giveUp = (): void => resolve(false)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await promise
    } finally {
      listening[Symbol.dispose]()
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

/** Whether it serves before `until` without that anybody does anything, as far as one can know. */
function mayServe(status: RunStatus, until: number): boolean {
  // Nobody knows when what is away comes back: who calls is told of it at once.
  if (status.kind === 'backingOff') {
    const soon = Math.min(until, Date.now() + LONGEST_BACKOFF_MS)
    return status.because !== 'unreached' && status.until < soon
  }
  // Only its user can go on.
  return isActive(status) && status.kind !== 'awaitingSignIn'
}
