import type { AppErrorCode } from '../../../../src-shared/domain/app-error'
import type { FailureText } from '../../failure/describe-failure'
import { UnreachedError } from '../../failure/unreached-error'
import { Disposables } from '../../lifecycle/disposables'
import type { NetworkChange, NetworkWatch } from '../../lifecycle/network-watch'
import type { WakeWatch } from '../../lifecycle/wake-watch'
import type { Timekeeper } from '../../ports'
import type { StartAttempt } from '../start/start-attempt'
import {
  decideRestart,
  type Failure,
  FRESH,
  recoveryAfterReady,
  recoveryAfterReturn,
  type RecoverySettings,
  type RestartDecision,
} from './restart-policy'

export type RestartSchedulerOptions = {
  /** Read anew for each decision. */
  readonly settings: () => RecoverySettings
  readonly time: Timekeeper
  readonly wake: Pick<WakeWatch, 'isRecent' | 'onDidWake'>
  readonly network: Pick<NetworkWatch, 'isOffline' | 'onDidChange'>
  /** From 0 to below 1. */
  readonly random?: (() => number) | undefined
  /** The wait is over: by its time, or as the network has come back. */
  readonly onDue: () => void
  /** `until` is another moment of the day now, or `isOffline` is something else. */
  readonly onMoved: () => void
}

/** What came to nothing: a start, or a session that was Ready; see `Failure` for `quietMs`. */
export type Failed = {
  readonly kind: 'failedStart' | 'lostSession'
  readonly error: unknown
  readonly attempt: Pick<StartAttempt, 'phase' | 'session' | 'hasAsked'>
  readonly quietMs: number
}

/** Remembers what a server has been through, says what to do after a failure, and holds the wait before the next try. */
export class RestartScheduler {
  #recovery = FRESH
  #wait: { readonly dueAt: number; readonly held: Disposables } | undefined
  /** Whether the newest failure is one that a network may mend. */
  #needsNetwork = false
  /** From the first start that reached nothing on, also during the next ones: the network may come back in them. */
  #network: Disposable | undefined

  constructor(private readonly options: RestartSchedulerOptions) {}

  /** Epoch ms of the next try while it waits for one. */
  get until(): number | undefined {
    const { time } = this.options
    return this.#wait && Math.round(time.now() + this.#wait.dueAt - time.monotonic())
  }

  /** Whether it waits for a network, and this computer has none. */
  get isOffline(): boolean {
    return this.#network !== undefined && this.options.network.isOffline
  }

  /** A session is Ready. */
  ready(): void {
    const { time, settings } = this.options
    this.giveUp()
    this.#recovery = recoveryAfterReady(this.#recovery, time.monotonic(), settings())
  }

  /** Counts a failure, unless the computer has just slept, and says what to do. */
  decideAccess(
    { kind, error, attempt, quietMs }: Failed,
    { code, cause }: Pick<FailureText, 'code' | 'cause'>,
  ): RestartDecision {
    const isStart = kind === 'failedStart'
    // A retry with the same configuration fails the same way, and half a setup or repair is a person's to look at.
    const isForUser = cause?.isPermanent === true || ['setUp', 'repair'].includes(attempt.phase)
    if (isStart && isForUser) return { kind: 'stay' }
    // Another start would open another page, or ask for another code (F14).
    if (isStart && attempt.hasAsked) return { kind: 'stay' }
    const away = isStart ? awayOf(error, attempt) : undefined
    const isAway = isStart && (away !== undefined || code === 'RUNNER_NOT_RUNNING')
    const { recovery, decision } = this.#decision(isAway ? 'unreached' : kind, code, quietMs)
    this.#recovery = recovery
    this.#needsNetwork = away?.needsNetwork === true
    return afterAtLeast(decision, cause?.retryAfterMs ?? 0)
  }

  /** Counts a session as lost that another one took the place of, after it hung for `quietMs`. */
  replaced(quietMs: number): void {
    this.#recovery = this.#decision('lostSession', 'REQUEST_TIMEOUT', quietMs).recovery
  }

  /** Whether a server that is lost now, after it hung for `quietMs`, would rest or pause; also where no start comes by itself. */
  wouldRest(quietMs: number): boolean {
    const { recovery, decision } = this.#decision('lostSession', 'REQUEST_TIMEOUT', quietMs)
    if (decision.kind === 'wait') return decision.because === 'rest'
    const isOpen = recovery.breaker.kind === 'open' && !this.options.wake.isRecent
    return decision.kind === 'pause' || isOpen
  }

  /**
   * Does as the newest verdict says: waits before the next try, no longer than until the network comes back where it
   * needs one, or waits for nothing. No wait is held by the time of day.
   */
  follow(decision: RestartDecision): void {
    this.#endWait()
    if (decision.kind !== 'wait' || !this.#needsNetwork) this.giveUp()
    if (decision.kind !== 'wait') return
    const { time, wake, network, onMoved } = this.options
    if (this.#needsNetwork)
      this.#network ??= network.onDidChange((change) => this.#networkChanged(change))
    const { delayMs } = decision
    const held = new Disposables()
    held.add(wake.onDidWake(() => onMoved()))
    held.add(time.after(delayMs, () => this.#due()))
    this.#wait = { dueAt: time.monotonic() + delayMs, held }
  }

  #networkChanged(change: NetworkChange): void {
    if (change === 'back') this.#recovery = recoveryAfterReturn(this.#recovery)
    if (!this.#wait) return
    if (change === 'back') this.#due()
    else this.options.onMoved()
  }

  #due(): void {
    this.#endWait()
    this.options.onDue()
  }

  #decision(
    kind: Failure['kind'],
    code: AppErrorCode,
    quietMs: number,
  ): ReturnType<typeof decideRestart> {
    const { time, settings, wake, random = Math.random } = this.options
    const failure = { kind, code, at: time.monotonic(), quietMs, counts: !wake.isRecent }
    return decideRestart(this.#recovery, failure, settings(), random())
  }

  #endWait(): void {
    this.#wait?.held[Symbol.dispose]()
    this.#wait = undefined
  }

  /** Waits for nothing any more. */
  giveUp(): void {
    this.#endWait()
    this.#network?.[Symbol.dispose]()
    this.#network = undefined
  }

  /** A person takes over: what was before counts no more, and the breaker is closed. */
  reset(): void {
    this.giveUp()
    this.#recovery = FRESH
  }
}

function afterAtLeast(decision: RestartDecision, leastMs: number): RestartDecision {
  if (decision.kind !== 'wait') return decision
  return { ...decision, delayMs: Math.max(decision.delayMs, leastMs) }
}

/** The failure of a start that reached no server elsewhere; what runs here is there or not, whatever the network does. */
function awayOf(error: unknown, { session }: Failed['attempt']): UnreachedError | undefined {
  return error instanceof UnreachedError && session?.pid === undefined ? error : undefined
}
