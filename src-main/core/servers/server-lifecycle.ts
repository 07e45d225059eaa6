import { isFailed, type RunStatus } from '../../../src-shared/domain/running/run-status'
import { type FailureText, hangError } from '../failure/describe-failure'
import { SignInNeededError } from '../failure/remote-failure'
import { background } from '../lifecycle/background'
import { Emitter } from '../lifecycle/emitter'
import { levelOf } from '../lines/line-level'
import type { LogBuffer } from '../log/log-buffer'
import type { ServerSession } from '../mcp/session'
import { type Failed, RestartScheduler } from './restart-scheduler'
import {
  decisionMessage,
  signInStatus,
  startLine,
  type StartOrigin,
  startStatus,
  statusAfter,
} from './server-status'
import { EndingSessions } from './start/ending-sessions'
import type {
  ServerContext,
  ServerIdentity,
  SharedByServers,
  StartingServer,
  StartOptions,
} from './start/launch'
import { ServerStart } from './start/server-start'
import { SessionCounts } from './start/session-counts'
import { LiveSession, type StartEnd, startServer } from './start/start-server'

/** How long requests in flight keep a session alive that another one has replaced, in ms. */
const RETIRE_MS = 5_000

export type LifecycleOptions = ServerIdentity & {
  /** Processes beside it, which stop with it. */
  readonly instances?:
    | { readonly isRunning: boolean; stop(): Promise<void>; escalate(): void }
    | undefined
}

/**
 * The life of one server: starts it, keeps its status, restarts it after a failure, replaces the session that serves,
 * stops it. It has at most one process, and during a reconnect the new one beside the one that serves. Nothing here
 * rejects or blocks another server; what goes wrong is a status.
 */
export class ServerLifecycle {
  readonly #options: LifecycleOptions
  readonly #restarts: RestartScheduler
  readonly #ending: EndingSessions
  readonly #target: StartingServer
  readonly #changed = new Emitter<undefined>()
  #status: RunStatus = { kind: 'stopped' }
  /** The start under way, the session that serves, and the reconnect under way, whose session will replace it. */
  protected starting: ServerStart | undefined
  protected live: LiveSession | undefined
  protected replacing: ServerStart | undefined
  /** The newest start or reconnect, also when it is over; `#ended` settles then. */
  protected newest: ServerStart | undefined
  #ended: Promise<void> | undefined
  /** The failure that the wait for the next start follows. */
  #failure: FailureText | undefined
  /** The changes that were not in use when the reconnect under way began. */
  #unapplied: readonly string[] = []
  #stopping: Promise<void> | undefined
  /** Set when the newest command during a stop was to start. */
  #startsAfterStop: StartOrigin | undefined
  #hasEnded = false

  readonly log: LogBuffer
  /** Epoch ms of the last change of the status's kind. */
  statusSince = Date.now()
  /** Whether the user stopped it and nobody started it since: then no call starts it. */
  isStoppedByUser = false
  /** The counts over all its sessions, those of its instances too. */
  readonly counts: SessionCounts
  /** Fires when its status, its lists or anything else it reports may have changed. */
  readonly onDidChange = this.#changed.event

  constructor(context: ServerContext & SharedByServers, options: LifecycleOptions) {
    const { log, instance } = options
    this.log = log
    this.#options = options
    this.counts = instance?.counts ?? new SessionCounts()
    const onInstallLine = (line: string): unknown => log.append('install', levelOf(line), line)
    this.#ending = new EndingSessions(
      () => context.installer.waitedFor(onInstallLine),
      () => this.leftoverChanged(),
    )
    this.#restarts = new RestartScheduler(
      context,
      () => this.#begin({}, 'itself'),
      () => this.#showWait(),
    )
    const { counts } = this
    const ending = this.#ending
    const onDidMove = (): void => this.#show()
    this.#target = { identity: options, log, context, counts, ending, onInstallLine, onDidMove }
  }

  get status(): RunStatus {
    return this.#status
  }

  /** Epoch ms since when the session that serves has served; undefined without one. */
  get upSince(): number | undefined {
    return this.#stopping ? undefined : this.live?.since
  }

  /**
   * Begins a start, also where a wait was under way, with all failures forgotten; or remembers that one follows the
   * stop under way. False when it does nothing: while a start is under way or done, after `end`, and with
   * something to do first during a stop.
   */
  start(startOptions: StartOptions = {}, origin: StartOrigin = 'user'): boolean {
    const isMore = startOptions.setUp !== undefined || startOptions.repairs === true
    if (this.#hasEnded || (this.#stopping && isMore)) return false
    this.isStoppedByUser = false
    if (this.#stopping) {
      this.#startsAfterStop = origin
      return true
    }
    if (this.starting || this.live) return false
    this.#restarts.reset()
    this.#begin(startOptions, origin)
    return true
  }

  /** Stops in stages; every call shares one stop, and cancels a start that waits for it. Settles when no process is left. */
  stop(): Promise<void> {
    this.#startsAfterStop = undefined
    if (this.#stopping) return this.#stopping
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#stopping = promise
    const next = (): void => {
      this.#stopping = undefined
      if (this.#startsAfterStop) this.start({}, this.#startsAfterStop)
    }
    resolve(this.#endAll().finally(next))
    return promise
  }

  /** Stops for good: from now on nothing starts it. */
  end(): Promise<void> {
    this.#hasEnded = true
    return this.stop()
  }

  /** The user's Stop: the second one, while stopping, goes to the next stage immediately (B6). */
  stopOrEscalate(): void {
    this.isStoppedByUser = true
    // The first Stop during a restart only cancels its start.
    if (this.#stopping && !this.#startsAfterStop) {
      for (const one of [this.live, this.starting, this.replacing]) one?.session?.escalate()
      this.#ending.escalate()
      this.#options.instances?.escalate()
    }
    background(this.stop(), 'stopping a server')
  }

  /** The user's Stop no longer keeps calls from starting it. */
  liftStop(): void {
    this.isStoppedByUser = false
  }

  restart(): void {
    background(this.stop(), 'restarting a server')
    this.start()
  }

  /**
   * Brings up a new session beside the one that serves, which it replaces once it is Ready; a failure changes nothing
   * (C2). A second call joins the first; false where no session serves. A server that can't run twice is restarted.
   */
  reconnect(): boolean {
    if (this.#stopping || !this.live) return false
    if (this.live.session.connection.isAlone) this.restart()
    else if (!this.replacing) this.#beginReconnect(false)
    return true
  }

  /** The remains of a failed server may have changed. */
  leftoverChanged(): void {
    if (isFailed(this.#status)) this.#setStatus(this.#status)
  }

  /** A health check may be due now, or a wait be over for good. */
  settingsChanged(): void {
    this.live?.health.settingsChanged()
    if (this.#restarts.until === undefined || this.#target.context.settings().startsAgain) return
    this.#restarts.giveUp()
    if (this.#failure) this.#setStatus({ kind: 'error', ...this.#failure })
  }

  [Symbol.dispose](): void {
    this.#changed[Symbol.dispose]()
  }

  protected didChange(): void {
    this.#changed.emit(undefined)
  }

  #begin(startOptions: StartOptions, origin: StartOrigin): void {
    this.counts.count(origin === 'itself')
    const hasChanges = this.#changesToUse().length > 0
    this.#note('info', startLine(this.counts.starts, origin, hasChanges))
    this.starting = this.#bringUp(startOptions)
    this.#show()
  }

  #beginReconnect(isAutomatic: boolean): void {
    this.#unapplied = this.#changesToUse()
    this.counts.count(isAutomatic)
    this.#note('info', 'Reconnecting: starting a new session while the current one stays in use')
    this.replacing = this.#bringUp()
    this.#show()
  }

  #bringUp(startOptions: StartOptions = {}): ServerStart {
    const start = new ServerStart(this.#target, startOptions)
    this.newest = start
    this.#ended = startServer(start).then((end) => this.#onEnded(start, end))
    return start
  }

  #onEnded(start: ServerStart, end: StartEnd): void {
    // A stop ends every start, also one that became Ready a moment before, and reports it.
    if (this.#stopping) return
    const isStart = start === this.starting
    if (isStart) this.starting = undefined
    else this.replacing = undefined
    if (end.kind === 'ready') this.#serve(start, end.session)
    else if (isStart) this.#onFailure({ kind: 'failedStart', error: end.error, start, quietMs: 0 })
    else if (this.live) this.#onFailedReconnect(end.error, start, this.live)
  }

  /** The session takes over; the one before finishes its requests. */
  #serve(start: ServerStart, session: ServerSession): void {
    const before = this.live
    const { counts } = this
    const live: LiveSession = new LiveSession(start, session, this.#target.context, {
      onDidChange: () => this.#show(),
      onRelisted: () => {
        counts.listings += 1
        this.#show()
      },
      onHang: () => this.#onHang(live),
      onExpired: () => this.#onExpired(live),
      onLost: (error) => this.#lose(live, error),
    })
    this.live = live
    counts.listings += 1
    if (before) {
      before[Symbol.dispose]()
      this.#ending.end(before.session, RETIRE_MS)
      // A session that hung or was forgotten counts as lost, also when a reconnect has replaced it in time.
      if (before.isUnusable) this.#restarts.replaced(before.health.quietMs)
    }
    this.#restarts.ready()
    const count = session.capabilities.tools.length
    this.#note('info', `Ready with ${count === 1 ? '1 tool' : `${String(count)} tools`}`)
    this.#show()
    // The server may have forgotten the session before this listened.
    if (session.hasExpired) this.#onExpired(live)
  }

  #onFailedReconnect(error: unknown, start: ServerStart, live: LiveSession): void {
    const { message } = start.explain(error)
    this.#note('warn', `Reconnecting failed: ${message}`)
    if (live.isUnusable) {
      this.#lose(live, live.session.hasExpired ? error : hangError())
      return
    }
    const { installationId } = this.#options
    for (const reason of this.#unapplied)
      this.#target.context.unapplied?.note(installationId, reason)
    live.failedSuccessor = message
    this.#show()
  }

  #onHang(live: LiveSession): void {
    if (!this.#target.context.settings().startsAgain || this.replacing) return
    this.#note('warn', 'The server no longer responds to health checks')
    const isLost = live.isAlone || this.#restarts.wouldOpen(live.health.quietMs)
    if (isLost) this.#lose(live, hangError())
    else this.#beginReconnect(true)
  }

  /** The server was restarted elsewhere: until a reconnect succeeds, nothing can be requested. */
  #onExpired(live: LiveSession): void {
    if (live !== this.live || this.#stopping || this.replacing) return
    this.#note('info', 'The server no longer knows the session')
    // A server that forgets its sessions again and again gets the usual wait.
    const isLost = live.isAlone || this.#restarts.wouldOpen(0)
    if (isLost) this.#lose(live, live.session.endReason('use'))
    else this.#beginReconnect(true)
  }

  #lose(live: LiveSession, error: unknown): void {
    if (this.live !== live || this.#stopping) return
    this.live = undefined
    live[Symbol.dispose]()
    this.counts.losses += 1
    // Processes that the server started may outlive it.
    this.#ending.end(live.session)
    const { quietMs } = live.health
    this.#onFailure({ kind: 'lostSession', error, start: live.start, quietMs })
  }

  #onFailure(failed: Failed): void {
    const { error, start } = failed
    const failure = start.explain(error)
    if (error instanceof SignInNeededError) {
      // No failure of the server: it doesn't count, and no retry helps before the user has signed in.
      this.#note('warn', failure.message)
      this.#restarts.giveUp()
      if (!this.#takeReconnectAsStart()) this.#setStatus(signInStatus(error, failure))
      return
    }
    this.#note('error', [failure.cause?.sentence, failure.message].filter(Boolean).join(' '))
    const decision = this.#restarts.decide(failed, failure)
    if (this.#takeReconnectAsStart()) return
    const line = decisionMessage(decision)
    if (line !== undefined) this.#note('warn', line)
    this.#restarts.follow(decision)
    this.#failure = failure
    this.#setStatus(statusAfter(decision, failure, this.#restarts))
  }

  /** Makes the reconnect under way the start, as the session that served is gone; false without one. */
  #takeReconnectAsStart(): boolean {
    if (!this.replacing) return false
    this.starting = this.replacing
    this.replacing = undefined
    this.#show()
    return true
  }

  async #endAll(): Promise<undefined> {
    this.#restarts.giveUp()
    const { context, onInstallLine } = this.#target
    const { installer } = context
    const { instances } = this.#options
    const [live, start] = [this.live, this.starting ?? this.replacing]
    // The download of a start that failed by time goes on.
    const isDownloading = installer.waitedFor(onInstallLine) !== undefined
    const released = installer.release(onInstallLine)
    if (live || start || this.#ending.isEnding || isDownloading || instances?.isRunning) {
      this.#setStatus({ kind: 'stopping' })
      this.#note('info', 'Stopping')
    }
    live?.[Symbol.dispose]()
    this.#ending.closeNow()
    start?.cancel()
    const beside = instances?.stop()
    await Promise.all([live?.session.close(), this.#ended])
    await start?.close()
    await Promise.all([this.#ending.ended(), released])
    this.starting = this.live = this.replacing = undefined
    await beside
    if (this.#status.kind === 'stopping') this.#note('info', 'Stopped')
    this.#setStatus({ kind: 'stopped' })
    return undefined
  }

  #changesToUse(): readonly string[] {
    const { instance, installationId } = this.#options
    return (instance ? undefined : this.#target.context.unapplied?.of(installationId)) ?? []
  }

  #note(level: 'info' | 'warn' | 'error', text: string): void {
    this.log.append('patchbay', level, text)
  }

  #showWait(): void {
    const { until, isOffline } = this.#restarts
    if (this.#status.kind === 'backingOff' && until !== undefined)
      this.#setStatus({ ...this.#status, until, isOffline })
  }

  /** Shows the start under way or the session that serves. */
  #show(): void {
    const now = this.starting ? startStatus(this.starting) : this.live?.status
    this.#setStatus((this.#stopping ? undefined : now) ?? this.#status)
  }

  #setStatus(status: RunStatus): void {
    if (status.kind !== this.#status.kind) this.statusSince = Date.now()
    const beside = this.#options.instances?.isRunning ? 'processes' : undefined
    this.#status = isFailed(status)
      ? { ...status, leftover: beside ?? this.#ending.shown() }
      : status
    this.didChange()
  }
}
