import type { AppErrorCode } from '../../../../src-shared/domain/app-error'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { isTransient } from '../../failure/transient-failure'
import {
  type Breaker,
  breakerAfterFailedStart,
  breakerAfterLoss,
  type BreakerSettings,
  CLOSED,
  type LossRow,
  steadyMs,
} from './circuit-breaker'

export type RecoverySettings = BreakerSettings &
  Pick<Settings, 'startsAgain' | 'startTries' | 'firstWaitMs'>

/** What a server has been through since it last ran well; times are of a clock that never jumps, in ms. */
export type Recovery = {
  /** Failed starts and losses in a row. */
  readonly failures: number
  /** Failed starts in a row. */
  readonly failedStarts: number
  /** Starts in a row that reached no server. */
  readonly unreached: number
  readonly breaker: Breaker
  /** Since when the session of now is Ready. */
  readonly readyAt?: number | undefined
}

/** As a server begins, also when a person starts it. */
export const FRESH: Recovery = { failures: 0, failedStarts: 0, unreached: 0, breaker: CLOSED }

export type Failure = {
  /** `unreached`: a start that reached no server, as the network is away, or what runs elsewhere, or what it would run in. */
  readonly kind: 'failedStart' | 'lostSession' | 'unreached'
  readonly at: number
  /** For how many ms before `at` it had hung and said nothing. */
  readonly quietMs: number
  readonly code: AppErrorCode
  /** False around a sleep of the computer: tried again, and nothing is made of it. */
  readonly counts: boolean
}

/** What to do after a failure. */
export type RestartDecision =
  | {
      readonly kind: 'wait'
      readonly delayMs: number
      readonly because: Failure['kind'] | 'rest'
      /** The number of the next try, from 1. */
      readonly attempt: number
      /** After how many it pauses. */
      readonly of?: number | undefined
      /** With `rest`: what opened the breaker. */
      readonly openedBy?: LossRow | undefined
    }
  | { readonly kind: 'pause'; readonly reason: string }
  /** Only a person goes on. */
  | { readonly kind: 'stay' }

/** Each wait is up to a quarter longer or shorter, so that servers lost together do not come back together. */
const JITTER = 0.25

/** A session is Ready. */
export function recoveryAfterReady(
  recovery: Recovery,
  at: number,
  settings: RecoverySettings,
): Recovery {
  return { ...settled(recovery, at, settings), failedStarts: 0, unreached: 0, readyAt: at }
}

/** The network has come back: what could not be reached is tried as if for the first time. */
export function recoveryAfterReturn(recovery: Recovery): Recovery {
  return { ...recovery, unreached: 0 }
}

/** A start failed or a Ready session was lost; `random` is from 0 to below 1. */
export function decideRestart(
  before: Recovery,
  failure: Failure,
  settings: RecoverySettings,
  random: number,
): { readonly recovery: Recovery; readonly decision: RestartDecision } {
  const recovery = counted(
    { ...settled(before, failure.at - failure.quietMs, settings), readyAt: undefined },
    failure,
    settings,
  )
  if (!settings.startsAgain || !isTransient(failure.code))
    return { recovery, decision: { kind: 'stay' } }
  return { recovery, decision: verdictOf(recovery, failure, settings, random) }
}

/** A session that was Ready for long enough has ended the row of failures before it, and passed its trial. */
function settled(recovery: Recovery, at: number, settings: RecoverySettings): Recovery {
  const { readyAt, breaker } = recovery
  if (readyAt === undefined || at - readyAt < steadyMs(settings)) return recovery
  return { ...FRESH, breaker: breaker.kind === 'open' ? CLOSED : breaker }
}

function counted(recovery: Recovery, failure: Failure, settings: RecoverySettings): Recovery {
  // Nothing is known of the server then, be it good or bad: no row of it ends or grows.
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

function verdictOf(
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
    const { failedToolRuns, openedBy } = breaker
    if (failedToolRuns >= of) return { kind: 'pause', reason: toolRunsFailed(of) }
    const delayMs = settings.breakerRestMs
    return { kind: 'wait', because: 'rest', delayMs, attempt: failedToolRuns + 1, of, openedBy }
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
  const longest = Math.max(firstWaitMs, longestWaitMs)
  const doubled = Math.min(firstWaitMs * 2 ** (failures - 1), longest)
  const delayMs = doubled * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.min(Math.max(delayMs, firstWaitMs), longest))
}

function startsFailed(tries: number): string {
  return tries === 1
    ? 'Failed to start. Automatic retries are off.'
    : `Failed to start ${String(tries)} times in a row.`
}

function toolRunsFailed(tries: number): string {
  const times = tries === 1 ? 'a test start' : `${String(tries)} test starts in a row`
  return `Crashed repeatedly, and ${times} failed.`
}
