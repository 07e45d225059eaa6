import { type Capabilities, NO_CAPABILITIES } from '../../../src-shared/domain/agents/capability'
import type {
  ProtocolFaults,
  ProtocolWarning,
} from '../../../src-shared/domain/running/protocol-faults'
import {
  type FailedStatus,
  isFailed,
  type PhaseRecord,
  type RunStatus,
  type StartPhase,
} from '../../../src-shared/domain/running/run-status'
import { type FailureText, failureText, hangError } from '../failure/describe-failure'
import { SignInNeededError } from '../failure/remote-failure'
import type { ServerSession } from '../mcp/session'
import type { LiveSession } from './live-session'
import { decisionMessage, signInStatus, statusAfter } from './recovery/decision-message'
import { type Failed, RestartScheduler } from './recovery/restart-scheduler'
import { ServerSessions, type SessionParts } from './server-sessions'
import type { SessionCounts } from './session-counts'
import type { StartAttempt } from './start/start-attempt'
import type { StartOptions } from './start/start-context'
import { startLine, type StartOrigin } from './start-line'

export type SupervisorOptions = SessionParts & {
  /** From 0 to below 1, to spread waits. */
  readonly random?: (() => number) | undefined
  readonly onDidChange: () => void
  /** What stops with it: the instances of its server. */
  readonly beside?:
    | { readonly isRunning: boolean; stop(): Promise<void>; escalate(): void }
    | undefined
  /** What is told as not in use yet, which `prepare` forgets: a reconnect that fails tells it again. */
  readonly unapplied?: { of(): readonly string[]; note(reason: string): void } | undefined
}

/** How long a server has to say whether it needs a sign-in, in ms; health checks go on anyway. */
const SIGN_IN_CHECK_MS = 10_000

/**
 * The life of one server: starts it in steps, keeps its status, brings it back when it fails or is lost,
 * puts a new session in the place of the one that serves, stops it. Nothing here rejects or blocks another
 * server; what goes wrong is a status.
 */
export class SessionSupervisor {
  readonly #options: SupervisorOptions
  readonly #sessions: ServerSessions
  readonly #restarts: RestartScheduler
  #status: RunStatus = { kind: 'stopped' }
  #statusSince = Date.now()
  /** What the wait for the next try comes from. */
  #failure: FailureText | undefined
  /** What was not in use when the reconnect under way began. */
  #unapplied: readonly string[] = []
  #stopping: Promise<void> | undefined
  /** The newest wish that came during a stop was to start. */
  #startsAfterStop: StartOrigin | undefined
  #hasEnded = false
  #isStoppedByPerson = false

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#sessions = new ServerSessions(options, {
      onMoved: () => this.#show(),
      onLeftover: () => this.leftoverChanged(),
      onReady: (session, before) => this.#onReady(session, before),
      onFailedStart: (error, attempt) =>
        this.#onFailure({ kind: 'failedStart', error, attempt, quietMs: 0 }),
      onLost: (error, { attempt, health: { quietMs } }) =>
        this.#onFailure({ kind: 'lostSession', error, attempt, quietMs }),
      onFailedReconnect: (error, attempt, serving) => this.#stay(error, attempt, serving),
      onHang: (serving) => this.#onHang(serving),
      onExpired: (serving) => this.#onExpired(serving),
    })
    this.#restarts = new RestartScheduler({
      ...options,
      onDue: () => this.#begin({}, 'itself'),
      onMoved: () => this.#tellUntil(),
    })
  }

  get status(): RunStatus {
    return this.#status
  }

  /** Epoch ms of the last change of the status's kind. */
  get statusSince(): number {
    return this.#statusSince
  }

  /** The step of the session that is brought up beside the one that serves. */
  get reconnecting(): StartPhase | undefined {
    return this.#sessions.reconnect?.phase
  }

  /** The steps of the newest start or reconnect. */
  get phases(): readonly PhaseRecord[] {
    return this.#sessions.newest?.phases ?? []
  }

  get faults(): ProtocolFaults {
    return this.#sessions.faults
  }

  get protocolWarnings(): readonly ProtocolWarning[] {
    return this.#sessions.protocolWarnings
  }

  /** Epoch ms since when the session that serves has served; undefined without one. */
  get upSince(): number | undefined {
    return this.#sessions.upSince
  }

  /** Grows whenever `capabilities` may be others. */
  get listing(): number {
    return this.#sessions.counts.listings
  }

  /** Whether a person's Stop was the last wish: then no call of a tool starts it. */
  get isStoppedByPerson(): boolean {
    return this.#isStoppedByPerson
  }

  /** What is counted of it over all its sessions. */
  get counts(): SessionCounts {
    return this.#sessions.counts
  }

  /** The one that serves; during a start the one that will, from its spawn on. */
  get session(): ServerSession | undefined {
    return (this.#sessions.serving ?? this.#sessions.start)?.session
  }

  get capabilities(): Capabilities {
    return this.session?.capabilities ?? NO_CAPABILITIES
  }

  /**
   * Begins a start, at once also where a wait was under way and with all failures forgotten, or notes that one
   * follows the stop under way; false when it does nothing: while one is under way or done, after `end`, and
   * with something to do first during a stop.
   */
  start(startOptions: StartOptions = {}, requestOrigin: StartOrigin = 'person'): boolean {
    const isMore = startOptions.setUp !== undefined || startOptions.repairs === true
    if (this.#hasEnded || (this.#stopping && isMore)) return false
    this.#isStoppedByPerson = false
    if (this.#stopping) {
      this.#startsAfterStop = requestOrigin
      return true
    }
    if (this.#sessions.start || this.#sessions.serving) return false
    this.#restarts.reset()
    this.#begin(startOptions, requestOrigin)
    return true
  }

  /** Stops, staged; every call shares one stop, and a start that waits for it is given up. Settles when no process is left. */
  stop(): Promise<void> {
    this.#startsAfterStop = undefined
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined
      if (this.#startsAfterStop) this.start({}, this.#startsAfterStop)
    })
    return this.#stopping
  }

  /** Stops for good: from now on nothing starts it. */
  end(): Promise<void> {
    this.#hasEnded = true
    return this.stop()
  }

  /** The person's Stop: the second one, while stopping, goes to the next stage at once (B6). */
  stopOrEscalate(): void {
    this.#isStoppedByPerson = true
    // During a restart it is the first: it only gives up the start.
    if (this.#stopping && !this.#startsAfterStop) {
      this.#sessions.escalate()
      this.#options.beside?.escalate()
    }
    void this.stop()
  }

  /** The person's Stop holds no longer; what is stopped stays so until something starts it. */
  liftStop(): void {
    this.#isStoppedByPerson = false
  }

  restart(): void {
    void this.stop()
    this.start()
  }

  /**
   * Brings a new session up beside the one that serves, which it takes the place of once it is Ready; one that
   * fails changes nothing (C2). A second call joins the first; false where no session serves. One that no other can
   * stand beside is started anew.
   */
  reconnect(): boolean {
    const { serving } = this.#sessions
    if (this.#stopping || !serving) return false
    if (serving.session.connection.isAlone) this.restart()
    else if (!this.#sessions.reconnect) this.#beginReconnect(false)
    return true
  }

  /** The sign-in was lost: the session that serves goes on where it answers without one, and ends with the reason where not. */
  signInLost(): void {
    const { session } = this.#sessions.serving ?? {}
    // A rejection has ended the session by then, and the status says why.
    void session?.ping(this.#options.answerMs ?? SIGN_IN_CHECK_MS).catch(() => undefined)
  }

  /** What still runs of it although it failed may have changed. */
  leftoverChanged(): void {
    if (isFailed(this.#status)) this.#setStatus(this.#status)
  }

  /** A health check may be due now, or a wait under way be over for good. */
  settingsChanged(): void {
    this.#sessions.serving?.health.settingsChanged()
    if (this.#restarts.until === undefined || this.#options.settings().startsAgain) return
    this.#restarts.giveUp()
    if (this.#failure) this.#setStatus({ kind: 'error', ...this.#failure })
  }

  #begin(startOptions: StartOptions, requestOrigin: StartOrigin): void {
    const { counts } = this
    const hasChanges = (this.#options.unapplied?.of() ?? []).length > 0
    counts.count(requestOrigin === 'itself')
    this.#log('info', startLine(counts.starts, requestOrigin, hasChanges))
    this.#sessions.beginStart(startOptions)
    this.#show()
  }

  #beginReconnect(isByItself: boolean): void {
    this.#unapplied = this.#options.unapplied?.of() ?? []
    this.counts.count(isByItself)
    this.#log('info', 'Reconnecting: starting a new session while the current one stays in use')
    this.#sessions.beginReconnect()
    this.#show()
  }

  #onReady({ capabilities }: ServerSession, before: LiveSession | undefined): void {
    // One that hung or was forgotten is lost, although nobody missed it.
    if (before?.health.isHanging || before?.hasExpired)
      this.#restarts.replaced(before.health.quietMs)
    this.#restarts.ready()
    const count = capabilities.tools.length
    this.#log('info', `Ready with ${count === 1 ? '1 tool' : `${String(count)} tools`}`)
    this.#show()
  }

  #stay(error: unknown, attempt: StartAttempt, serving: LiveSession): void {
    const { message } = this.#textOf(error, attempt)
    this.#log('warn', `Reconnecting failed: ${message}`)
    if (serving.health.isHanging || serving.hasExpired) {
      this.#sessions.lose(serving, serving.hasExpired ? error : hangError())
      return
    }
    for (const reason of this.#unapplied) this.#options.unapplied?.note(reason)
    serving.stayBecause(message)
    this.#show()
  }

  #onHang(serving: LiveSession): void {
    if (!this.#options.settings().startsAgain || this.#sessions.reconnect) return
    this.#log('warn', 'The server no longer responds to health checks')
    const isLost =
      serving.session.connection.isAlone || this.#restarts.wouldRest(serving.health.quietMs)
    if (isLost) this.#sessions.lose(serving, hangError())
    else this.#beginReconnect(true)
  }

  /** As when a remote server was started anew: until another session takes its place, nothing can be asked. */
  #onExpired(serving: LiveSession): void {
    if (serving !== this.#sessions.serving || this.#stopping || this.#sessions.reconnect) return
    this.#log('info', 'The server no longer knows the session')
    const { session } = serving
    // One that forgets again and again is not asked for the next session at once.
    const isLost = session.connection.isAlone || this.#restarts.wouldRest(0)
    if (isLost) this.#sessions.lose(serving, session.endReason('use'))
    else this.#beginReconnect(true)
  }

  #onFailure(failed: Failed & { readonly attempt: StartAttempt }): void {
    const { error, attempt } = failed
    const failure = this.#textOf(error, attempt)
    if (error instanceof SignInNeededError) {
      this.#waitForSignIn(error, failure)
      return
    }
    this.#log('error', [failure.cause?.sentence, failure.message].filter(Boolean).join(' '))
    const decision = this.#restarts.decideAccess(failed, failure)
    if (this.#sessions.takeReconnectAsStart()) {
      this.#show()
      return
    }
    const line = decisionMessage(decision)
    if (line !== undefined) this.#log('warn', line)
    this.#restarts.follow(decision)
    this.#failure = failure
    this.#setStatus(statusAfter(decision, failure, this.#restarts))
  }

  /** It is no failure of the server: none is counted, and no try is of use before a person has signed in. */
  #waitForSignIn(error: SignInNeededError, failure: FailureText): void {
    this.#log('warn', failure.message)
    this.#restarts.giveUp()
    if (this.#sessions.takeReconnectAsStart()) this.#show()
    else this.#setStatus(signInStatus(error, failure))
  }

  #tellUntil(): void {
    const { until, isOffline } = this.#restarts
    if (this.#status.kind === 'backingOff' && until !== undefined)
      this.#setStatus({ ...this.#status, until, isOffline })
  }

  get #leftover(): FailedStatus['leftover'] {
    return this.#options.beside?.isRunning ? 'processes' : this.#sessions.leftover
  }

  async #stop(): Promise<void> {
    this.#restarts.giveUp()
    const { beside } = this.#options
    const begin = (): void => {
      if (this.#status.kind === 'stopping') return
      this.#setStatus({ kind: 'stopping' })
      this.#log('info', 'Stopping')
    }
    if (beside?.isRunning) begin()
    await Promise.all([this.#sessions.stop(begin), beside?.stop()])
    if (this.#status.kind === 'stopping') this.#log('info', 'Stopped')
    this.#setStatus({ kind: 'stopped' })
  }

  #log(level: 'info' | 'warn' | 'error', text: string): void {
    this.#options.log.append('patchbay', level, text)
  }

  #textOf(error: unknown, attempt: StartAttempt): FailureText {
    const { log } = this.#options
    return failureText(error, attempt.clues(), (text) => log.redactor(text))
  }

  /** Tells how the start under way or the session that serves stands. */
  #show(): void {
    this.#setStatus(this.#sessions.status ?? this.#status)
  }

  #setStatus(status: RunStatus): void {
    if (status.kind !== this.#status.kind) this.#statusSince = Date.now()
    this.#status = isFailed(status) ? { ...status, leftover: this.#leftover } : status
    this.#options.onDidChange()
  }
}
