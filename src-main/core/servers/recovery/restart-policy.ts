import type { AppErrorCode } from '../../../../src-shared/domain/app-error'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { isTransient } from '../../failure/transient-failure'
type BreakerSettings = Pick<
  Settings,
  'breakerLosses' | 'breakerWindowMs' | 'breakerRestMs' | 'longestWaitMs'
>

export type RecoverySettings = BreakerSettings &
  Pick<Settings, 'startsAgain' | 'startTries' | 'firstWaitMs'>

/** The circuit breaker of one server; `losses` are monotonic times, in ms. */
type Breaker =
  | { readonly kind: 'closed'; readonly losses: readonly number[] }
  /** The server crashed too often: it cools down, and every start is a test start. */
  | { readonly kind: 'open'; readonly failedTestStarts: number; readonly openedBy: CrashStreak }

/** Number of crashes within a time span, in ms. */
type CrashStreak = { readonly losses: number; readonly withinMs: number }

/** The failures of a server since it last ran well; times are monotonic, in ms. */
export type Recovery = {
  /** Failed starts and losses in a row. */
  readonly failures: number
  readonly failedStarts: number
  /** Starts in a row that reached no server. */
  readonly unreached: number
  readonly breaker: Breaker
  /** When the current session became Ready. */
  readonly readyAt?: number | undefined
}

const CLOSED: Breaker = { kind: 'closed', losses: [] }

/** The state of a new server, and of one that the user starts. */
export const NO_FAILURES: Recovery = { failures: 0, failedStarts: 0, unreached: 0, breaker: CLOSED }

export type Failure = {
  /** `unreached`: the start reached no server because the network, the remote server or its runtime is away. */
  readonly kind: 'failedStart' | 'lostSession' | 'unreached'
  readonly at: number
  /** How long the server had hung before `at`, in ms. */
  readonly quietMs: number
  readonly code: AppErrorCode
  /** False around a sleep of the computer: the failure is retried but not counted. */
  readonly counts: boolean
}

/** What to do after a failure. */
export type RestartDecision =
  | {
      readonly kind: 'wait'
      readonly delayMs: number
      readonly because: Failure['kind'] | 'rest'
      /** Number of the next retry, from 1. */
      readonly attempt: number
      /** Number of retries before a pause. */
      readonly of?: number | undefined
      /** With `rest`: the crashes that opened the breaker. */
      readonly openedBy?: CrashStreak | undefined
    }
  | { readonly kind: 'pause'; readonly reason: string }
  /** Only the user can continue. */
  | { readonly kind: 'stay' }

/** Each wait varies by up to a quarter, so that servers that crashed together don't restart together. */
const JITTER = 0.25

/** Records that a session is Ready. */
export function recoveryAfterReady(
  recovery: Recovery,
  at: number,
  settings: RecoverySettings,
): Recovery {
  return { ...afterStableRun(recovery, at, settings), failedStarts: 0, unreached: 0, readyAt: at }
}

/** Records that the network is back: unreached servers are retried as if for the first time. */
export function recoveryAfterReturn(recovery: Recovery): Recovery {
  return { ...recovery, unreached: 0 }
}

/** Decides what follows a failed start or a lost session; `random` is from 0 to below 1. */
export function decideRestart(
  before: Recovery,
  failure: Failure,
  settings: RecoverySettings,
  random: number,
): { readonly recovery: Recovery; readonly decision: RestartDecision } {
  const recovery = counted(
    { ...afterStableRun(before, failure.at - failure.quietMs, settings), readyAt: undefined },
    failure,
    settings,
  )
  if (!settings.startsAgain || !isTransient(failure.code))
    return { recovery, decision: { kind: 'stay' } }
  return { recovery, decision: decisionOf(recovery, failure, settings, random) }
}

/** A session that was Ready for long enough ends the streak of failures before it, and passes its test start. */
function afterStableRun(recovery: Recovery, at: number, settings: RecoverySettings): Recovery {
  const { readyAt, breaker } = recovery
  const steadyMs = Math.min(settings.breakerWindowMs, settings.longestWaitMs)
  if (readyAt === undefined || at - readyAt < steadyMs) return recovery
  return { ...NO_FAILURES, breaker: breaker.kind === 'open' ? CLOSED : breaker }
}

function counted(recovery: Recovery, failure: Failure, settings: RecoverySettings): Recovery {
  // A start that reached no server says nothing about the server: the streak of failures stays as it is.
  if (failure.kind === 'unreached') return { ...recovery, unreached: recovery.unreached + 1 }
  if (!failure.counts) return { ...recovery, unreached: 0 }
  const isStart = failure.kind === 'failedStart'
  return {
    unreached: 0,
    failures: recovery.failures + 1,
    failedStarts: recovery.failedStarts + (isStart ? 1 : 0),
    breaker: isStart
      ? breakerAfterFailedStart(recovery.breaker)
      : breakerAfterLoss(recovery.breaker, failure, settings),
  }
}

function decisionOf(
  recovery: Recovery,
  { kind, counts }: Failure,
  settings: RecoverySettings,
  random: number,
): RestartDecision {
  const { failures, failedStarts, unreached, breaker } = recovery
  const { startTries: of } = settings
  if (kind === 'unreached') {
    const delayMs = delayOf(unreached, settings, random)
    return { kind: 'wait', because: kind, delayMs, attempt: unreached + 1 }
  }
  if (counts && breaker.kind === 'open') {
    const { failedTestStarts, openedBy } = breaker
    if (failedTestStarts >= of) return { kind: 'pause', reason: testStartsFailed(of) }
    const delayMs = settings.breakerRestMs
    return { kind: 'wait', because: 'rest', delayMs, attempt: failedTestStarts + 1, of, openedBy }
  }
  if (failedStarts >= of) return { kind: 'pause', reason: startsFailed(of) }
  const delayMs = delayOf(Math.max(failures, 1), settings, random)
  return kind === 'failedStart'
    ? { kind: 'wait', because: kind, delayMs, attempt: failedStarts + 1, of }
    : { kind: 'wait', because: kind, delayMs, attempt: Math.max(failures, 1) }
}

function delayOf(
  failures: number,
  { firstWaitMs, longestWaitMs }: RecoverySettings,
  random: number,
): number {
  const maxWaitMs = Math.max(firstWaitMs, longestWaitMs)
  const doubled = Math.min(firstWaitMs * 2 ** (failures - 1), maxWaitMs)
  const delayMs = doubled * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.min(Math.max(delayMs, firstWaitMs), maxWaitMs))
}

function startsFailed(tries: number): string {
  return tries === 1
    ? 'Failed to start. Automatic retries are off.'
    : `Failed to start ${String(tries)} times in a row.`
}

function testStartsFailed(tries: number): string {
  const times = tries === 1 ? 'a test start' : `${String(tries)} test starts in a row`
  return `Crashed repeatedly, and ${times} failed.`
}

/**
 * Counts a crash: too many within the window open the breaker, and a crash after a test start fails the test. The `quietMs` of an unnoticed
 * hang aren't part of the window.
 */
function breakerAfterLoss(
  breaker: Breaker,
  { at, quietMs }: { readonly at: number; readonly quietMs: number },
  settings: BreakerSettings,
): Breaker {
  if (breaker.kind === 'open') return breakerAfterFailedStart(breaker)
  const withinMs = settings.breakerWindowMs
  const losses = [...breaker.losses.map((loss) => loss + quietMs), at].filter(
    (loss) => at - loss < withinMs,
  )
  return losses.length < settings.breakerLosses
    ? { kind: 'closed', losses }
    : { kind: 'open', failedTestStarts: 0, openedBy: { losses: losses.length, withinMs } }
}

/** Counts a failed start, which only matters as a test start. */
function breakerAfterFailedStart(breaker: Breaker): Breaker {
  return breaker.kind === 'open'
    ? { ...breaker, failedTestStarts: breaker.failedTestStarts + 1 }
    : breaker
}
