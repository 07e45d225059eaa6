import type { Settings } from '../../../../src-shared/domain/state/settings'

export type BreakerSettings = Pick<
  Settings,
  'breakerLosses' | 'breakerWindowMs' | 'breakerRestMs' | 'longestWaitMs'
>

/** The circuit breaker of one server; `at` and `losses` are times of a clock that never jumps, in ms. */
export type Breaker =
  | { readonly kind: 'closed'; readonly losses: readonly number[] }
  /** Lost too often: it rests, and every start is one on trial. */
  | { readonly kind: 'open'; readonly failedToolRuns: number; readonly openedBy: LossRow }

/** How often a server was lost within how many ms. */
export type LossRow = { readonly losses: number; readonly withinMs: number }

/** As a server begins. */
export const CLOSED: Breaker = { kind: 'closed', losses: [] }

/**
 * A session was lost: too many of them within the window open the breaker, and a loss on trial fails the trial.
 * The `quietMs` before it in which nobody knew that it hung are no part of the window.
 */
export function breakerAfterLoss(
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
    : { kind: 'open', failedToolRuns: 0, openedBy: { losses: losses.length, withinMs } }
}

/** A start failed: on trial that fails the trial; otherwise it is no loss. */
export function breakerAfterFailedStart(breaker: Breaker): Breaker {
  return breaker.kind === 'open'
    ? { ...breaker, failedToolRuns: breaker.failedToolRuns + 1 }
    : breaker
}

/** How long a session has to be Ready to end a row of failures and to pass a trial, in ms. */
export function steadyMs({ breakerWindowMs, longestWaitMs }: BreakerSettings): number {
  return Math.min(breakerWindowMs, longestWaitMs)
}
