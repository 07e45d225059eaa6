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

/** Time for requests in flight on a replaced session, in ms. */
const RETIRE_MS = 5_000

export type LifecycleOptions = ServerIdentity & {
  /** Instances of the server, which stop with it. */
  readonly instances?:
    | { readonly isRunning: boolean; stop(): Promise<void>; escalate(): void }
    | undefined
}

/**
 * Starts one server, keeps its status, restarts it after a failure, replaces its session on reconnect, and stops it. There is at most one
 * process, and a second one during a reconnect. Nothing here rejects or blocks another server: errors become a status.
 */
export class ServerLifecycle {
  readonly #options: LifecycleOptions
  readonly #restarts: RestartScheduler
  readonly #ending: EndingSessions
  readonly #target: StartingServer
  readonly #changed = new Emitter<undefined>()
  #status: RunStatus = { kind: 'stopped' }
  /** The running start, the current session, and the running reconnect. */
  protected starting: ServerStart | undefined
  protected live: LiveSession | undefined
  protected replacing: ServerStart | undefined
  /** The newest start or reconnect, even if it has ended; `#ended` settles then. */
  protected newest: ServerStart | undefined
  #ended: Promise<void> | undefined
  /** The failure that scheduled the next start. */
  #failure: FailureText | undefined
  /** Changes that weren't in use when the running reconnect began. */
  #unapplied: readonly string[] = []
  #stopping: Promise<void> | undefined
  /** Set if the newest command during a stop is to start. */
  #startsAfterStop: StartOrigin | undefined
  #hasEnded = false

  readonly log: LogBuffer
  /** Epoch ms of the last change of the status's kind. */
  statusSince = Date.now()
  /** Whether the user stopped the server and nobody started it since; calls don't start it then. */
  isStoppedByUser = false
  /** Counts over all sessions, including those of instances. */
  readonly counts: SessionCounts
  /** Fires when the status, the lists or any other reported state may have changed. */
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

  /** When the current session became Ready, epoch ms; undefined without one. */
  get upSince(): number | undefined {
    return this.#stopping ? undefined : this.live?.since
  }

  /**
   * Starts the server immediately and forgets all failures; during a stop, schedules the start after it. False if the server is starting,
   * running or ended, or if a stop is in progress and the options ask for a setup or repair.
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

  /** Stops in stages; all calls share one stop, which cancels a scheduled start. Settles when no process is left. */
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

  /** Stops the server for good. */
  end(): Promise<void> {
    this.#hasEnded = true
    return this.stop()
  }

  /** The user's Stop: a second one during the stop moves to the next stage immediately (B6). */
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

  /** Allows calls to start a server that the user stopped. */
  liftStop(): void {
    this.isStoppedByUser = false
  }

  restart(): void {
    background(this.stop(), 'restarting a server')
    this.start()
  }

  /**
   * Starts a new session next to the current one and switches once it is Ready; a failure changes nothing (C2). A second call joins the
   * first; false without a session. Restarts a server that can't run twice.
   */
  reconnect(): boolean {
    if (this.#stopping || !this.live) return false
    if (this.live.session.connection.isAlone) this.restart()
    else if (!this.replacing) this.#beginReconnect(false)
    return true
  }

  /** The remaining processes of a failed server may have changed. */
  leftoverChanged(): void {
    if (isFailed(this.#status)) this.#setStatus(this.#status)
  }

  /** Reschedules the health check, and cancels a scheduled restart if automatic restarts are off. */
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
    this.#log('info', startLine(this.counts.starts, origin, hasChanges))
    this.starting = this.#openStart(startOptions)
    this.#show()
  }

  #beginReconnect(isAutomatic: boolean): void {
    this.#unapplied = this.#changesToUse()
    this.counts.count(isAutomatic)
    this.#log('info', 'Reconnecting: starting a new session while the current one stays in use')
    this.replacing = this.#openStart()
    this.#show()
  }

  #openStart(startOptions: StartOptions = {}): ServerStart {
    const start = new ServerStart(this.#target, startOptions)
    this.newest = start
    this.#ended = startServer(start).then((end) => this.#onEnded(start, end))
    return start
  }

  #onEnded(start: ServerStart, end: StartEnd): void {
    // A stop ends every start, including one that has just become Ready.
    if (this.#stopping) return
    const isStart = start === this.starting
    if (isStart) this.starting = undefined
    else this.replacing = undefined
    if (end.kind === 'ready') this.#serve(start, end.session)
    else if (isStart) this.#onFailure({ kind: 'failedStart', error: end.error, start, quietMs: 0 })
    else if (this.live) this.#onFailedReconnect(end.error, start, this.live)
  }

  /** Switches to the new session; the old one finishes its requests. */
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
      onLost: (error) => this.#onLost(live, error),
    })
    this.live = live
    counts.listings += 1
    if (before) {
      before[Symbol.dispose]()
      this.#ending.end(before.session, RETIRE_MS)
      // A session that hung or was forgotten counts as lost, even if a reconnect has replaced it in time.
      if (before.isUnusable) this.#restarts.replaced(before.health.quietMs)
    }
    this.#restarts.ready()
    const count = session.capabilities.tools.length
    this.#log('info', `Ready with ${count === 1 ? '1 tool' : `${String(count)} tools`}`)
    this.#show()
    // The server may have forgotten the session before this listened.
    if (session.hasExpired) this.#onExpired(live)
  }

  #onFailedReconnect(error: unknown, start: ServerStart, live: LiveSession): void {
    const { message } = start.explain(error)
    this.#log('warn', `Reconnecting failed: ${message}`)
    if (live.isUnusable) {
      this.#onLost(live, live.session.hasExpired ? error : hangError())
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
    this.#log('warn', 'The server no longer responds to health checks')
    const isLost = live.isAlone || this.#restarts.wouldOpen(live.health.quietMs)
    if (isLost) this.#onLost(live, hangError())
    else this.#beginReconnect(true)
  }

  /** The server was restarted elsewhere: every request fails until a reconnect succeeds. */
  #onExpired(live: LiveSession): void {
    if (live !== this.live || this.#stopping || this.replacing) return
    this.#log('info', 'The server no longer knows the session')
    // A server that keeps forgetting its sessions gets the usual backoff.
    const isLost = live.isAlone || this.#restarts.wouldOpen(0)
    if (isLost) this.#onLost(live, live.session.endReason('use'))
    else this.#beginReconnect(true)
  }

  #onLost(live: LiveSession, error: unknown): void {
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
      // Not a failure of the server: nothing is counted, and no retry helps before the user signs in.
      this.#log('warn', failure.message)
      this.#restarts.giveUp()
      if (!this.#adoptReconnect()) this.#setStatus(signInStatus(error, failure))
      return
    }
    this.#log('error', [failure.cause?.message, failure.message].filter(Boolean).join(' '))
    const decision = this.#restarts.decide(failed, failure)
    if (this.#adoptReconnect()) return
    const line = decisionMessage(decision)
    if (line !== undefined) this.#log('warn', line)
    this.#restarts.follow(decision)
    this.#failure = failure
    this.#setStatus(statusAfter(decision, failure, this.#restarts))
  }

  /** Turns the running reconnect into the start after the current session was lost; false without one. */
  #adoptReconnect(): boolean {
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
    // A download continues after its start timed out.
    const isDownloading = installer.waitedFor(onInstallLine) !== undefined
    const released = installer.release(onInstallLine)
    if (live || start || this.#ending.isEnding || isDownloading || instances?.isRunning) {
      this.#setStatus({ kind: 'stopping' })
      this.#log('info', 'Stopping')
    }
    live?.[Symbol.dispose]()
    this.#ending.closeNow()
    start?.cancel()
    const instancesStopped = instances?.stop()
    await Promise.all([live?.session.close(), this.#ended])
    await start?.close()
    await Promise.all([this.#ending.ended(), released])
    this.starting = this.live = this.replacing = undefined
    await instancesStopped
    if (this.#status.kind === 'stopping') this.#log('info', 'Stopped')
    this.#setStatus({ kind: 'stopped' })
    return undefined
  }

  #changesToUse(): readonly string[] {
    const { instance, installationId } = this.#options
    return (instance ? undefined : this.#target.context.unapplied?.of(installationId)) ?? []
  }

  #log(level: 'info' | 'warn' | 'error', text: string): void {
    this.log.append('patchbay', level, text)
  }

  #showWait(): void {
    const { until, isOffline } = this.#restarts
    if (this.#status.kind === 'backingOff' && until !== undefined)
      this.#setStatus({ ...this.#status, until, isOffline })
  }

  /** Shows the status of the running start or the current session. */
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
