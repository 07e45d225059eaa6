import type { AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FailureText } from '../failure/describe-failure'
import { UnreachedError } from '../failure/explained-error'
import { Disposables } from '../lifecycle/disposables'
import type { NetworkChange, NetworkWatch } from '../lifecycle/network-watch'
import type { WakeWatch } from '../lifecycle/wake-watch'
import type { Timekeeper } from '../ports'
import {
  decideRestart,
  type Failure,
  NO_FAILURES,
  recoveryAfterReady,
  recoveryAfterReturn,
  type RecoverySettings,
  type RestartDecision,
} from './recovery/restart-policy'
import type { ServerStart } from './start/server-start'

/** A failed start, or a lost Ready session; see `Failure` for `quietMs`. */
export type Failed = {
  readonly kind: 'failedStart' | 'lostSession'
  readonly error: unknown
  readonly start: ServerStart
  readonly quietMs: number
}

type Environment = {
  /** Read at each decision. */
  readonly settings: () => RecoverySettings
  readonly time: Timekeeper
  readonly wake: Pick<WakeWatch, 'isRecent' | 'onDidWake'>
  readonly network: Pick<NetworkWatch, 'isOffline' | 'onDidChange'>
}

/** Counts the failures of a server, decides what follows each, and times the next start. */
export class RestartScheduler {
  #recovery = NO_FAILURES
  #wait: { readonly dueAt: number; readonly held: Disposables } | undefined
  /** Whether the return of the network may end the newest failure. */
  #needsNetwork = false
  /** Active from the first start that reached no server until one does or the server stops: the network may return during a start. */
  #network: Disposable | undefined

  /** `onDue`: the wait has ended, by timeout or with the return of the network. `onMoved`: `until` or `isOffline` may have changed. */
  constructor(
    private readonly environment: Environment,
    private readonly onDue: () => void,
    private readonly onMoved: () => void,
  ) {}

  /** Time of the next retry, epoch ms; undefined without one. */
  get until(): number | undefined {
    const { time } = this.environment
    return this.#wait && Math.round(time.now() + this.#wait.dueAt - time.monotonic())
  }

  /** Whether the retry waits for a network and this computer has none. */
  get isOffline(): boolean {
    return this.#network !== undefined && this.environment.network.isOffline
  }

  ready(): void {
    const { time, settings } = this.environment
    this.giveUp()
    this.#recovery = recoveryAfterReady(this.#recovery, time.monotonic(), settings())
  }

  /** Counts a failure, unless the computer has just slept, and decides what follows. */
  decide(
    { kind, error, start, quietMs }: Failed,
    { code, cause }: Pick<FailureText, 'code' | 'cause'>,
  ): RestartDecision {
    const isStart = kind === 'failedStart'
    // The same configuration fails the same way, and a half-done setup or repair needs its user.
    const isForUser = cause?.isPermanent === true || ['setUp', 'repair'].includes(start.phase)
    if (isStart && isForUser) return { kind: 'stay' }
    // Another start would open another page or ask for another code (F14).
    if (isStart && start.hasAsked) return { kind: 'stay' }
    const away = isStart ? awayOf(error, start) : undefined
    const isAway = isStart && (away !== undefined || code === 'RUNNER_NOT_RUNNING')
    const { recovery, decision } = this.#decision(isAway ? 'unreached' : kind, code, quietMs)
    this.#recovery = recovery
    this.#needsNetwork = away?.needsNetwork === true
    return afterAtLeast(decision, cause?.retryAfterMs ?? 0)
  }

  /** Counts the loss of a session that hung for `quietMs` and was replaced. */
  replaced(quietMs: number): void {
    this.#recovery = this.#decision('lostSession', 'REQUEST_TIMEOUT', quietMs).recovery
  }

  /** Whether losing the session now, after it hung for `quietMs`, would open the circuit breaker, even if automatic restarts are off. */
  wouldOpen(quietMs: number): boolean {
    const { recovery, decision } = this.#decision('lostSession', 'REQUEST_TIMEOUT', quietMs)
    if (decision.kind === 'wait') return decision.because === 'rest'
    const isOpen = recovery.breaker.kind === 'open' && !this.environment.wake.isRecent
    return decision.kind === 'pause' || isOpen
  }

  /**
   * Follows the newest decision: schedules the next start, or starts when the network returns if the failure needs one. Waits don't depend
   * on the time of day.
   */
  follow(decision: RestartDecision): void {
    this.#endWait()
    if (decision.kind !== 'wait' || !this.#needsNetwork) this.giveUp()
    if (decision.kind !== 'wait') return
    const { time, wake, network } = this.environment
    if (this.#needsNetwork)
      this.#network ??= network.onDidChange((change) => this.#networkChanged(change))
    const { delayMs } = decision
    const held = new Disposables()
    held.add(wake.onDidWake(() => this.onMoved()))
    held.add(time.after(delayMs, () => this.#due()))
    this.#wait = { dueAt: time.monotonic() + delayMs, held }
  }

  #networkChanged(change: NetworkChange): void {
    if (change === 'back') this.#recovery = recoveryAfterReturn(this.#recovery)
    if (!this.#wait) return
    if (change === 'back') this.#due()
    else this.onMoved()
  }

  #due(): void {
    this.#endWait()
    this.onDue()
  }

  #decision(
    kind: Failure['kind'],
    code: AppErrorCode,
    quietMs: number,
  ): ReturnType<typeof decideRestart> {
    const { time, settings, wake } = this.environment
    const failure = { kind, code, at: time.monotonic(), quietMs, counts: !wake.isRecent }
    return decideRestart(this.#recovery, failure, settings(), Math.random())
  }

  #endWait(): void {
    this.#wait?.held[Symbol.dispose]()
    this.#wait = undefined
  }

  /** Cancels the scheduled start. */
  giveUp(): void {
    this.#endWait()
    this.#network?.[Symbol.dispose]()
    this.#network = undefined
  }

  /** The user starts the server: earlier failures no longer count, and the breaker closes. */
  reset(): void {
    this.giveUp()
    this.#recovery = NO_FAILURES
  }
}

function afterAtLeast(decision: RestartDecision, minimumMs: number): RestartDecision {
  if (decision.kind !== 'wait') return decision
  return { ...decision, delayMs: Math.max(decision.delayMs, minimumMs) }
}

/** The error of a start that reached no remote server; a local server doesn't depend on the network. */
function awayOf(error: unknown, { session }: Failed['start']): UnreachedError | undefined {
  return error instanceof UnreachedError && session?.pid === undefined ? error : undefined
}
