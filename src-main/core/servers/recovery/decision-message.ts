import type { RunStatus } from '../../../../src-shared/domain/running/run-status'
import type { FailureText } from '../../failure/describe-failure'
import type { SignInNeededError } from '../../failure/remote-failure'
import type { RestartDecision } from './restart-policy'

/** The status of a server that waits for a person to sign in, be it that it never ran. */
export function signInStatus({ host }: SignInNeededError, failure: FailureText): RunStatus {
  return { kind: 'signInNeeded', host, message: failure.message, hint: failure.hint }
}

/** When a server that waits is tried next, epoch ms, and whether this computer has no network meanwhile. */
export type Outlook = { readonly until?: number | undefined; readonly isOffline: boolean }

/** The status after a failure. */
export function statusAfter(
  decision: RestartDecision,
  failure: FailureText,
  { until = 0, isOffline }: Outlook,
): RunStatus {
  switch (decision.kind) {
    case 'stay':
      return { kind: 'error', ...failure }
    case 'pause':
      return { kind: 'paused', ...failure, reason: decision.reason }
    case 'wait': {
      const { because, attempt, of, openedBy } = decision
      return { kind: 'backingOff', ...failure, because, attempt, of, until, isOffline, ...openedBy }
    }
  }
}

/** What the log says of it, without a full stop; undefined where the failure says all. */
export function decisionMessage(decision: RestartDecision): string | undefined {
  switch (decision.kind) {
    case 'stay':
      return undefined
    case 'pause':
      return `Paused: ${decision.reason.replace(/\.$/u, '')}`
    case 'wait': {
      const { because, attempt, of, delayMs } = decision
      const number =
        of === undefined
          ? `attempt ${String(attempt)}`
          : `attempt ${String(attempt)} of ${String(of)}`
      const wait = `${String(Math.round(delayMs / 100) / 10)} s`
      return because === 'rest'
        ? `Crashed too often: cooling down for ${wait}, then test start (${number})`
        : `Restarting in ${wait} (${number})`
    }
  }
}
