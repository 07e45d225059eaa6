import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import type { FailureText } from '../failure/describe-failure'
import type { SignInNeededError } from '../failure/remote-failure'
import type { RestartDecision } from './recovery/restart-policy'
import type { ServerStart } from './start/server-start'

/** Origin of a start: the user, the app as it opens, a call, or the restart policy. */
export type StartOrigin = 'user' | 'app' | 'call' | 'itself'

const ORIGINS: Readonly<Record<StartOrigin, string>> = {
  user: 'by you',
  app: 'at app start',
  call: 'for a call',
  itself: 'automatically',
}

/** The first log line of a start; `hasChanges`: a user's start applies changes. */
export function startLine(count: number, origin: StartOrigin, hasChanges: boolean): string {
  const who = origin === 'user' && hasChanges ? 'after a change' : ORIGINS[origin]
  return `Start ${String(count)}, ${who}`
}

/** The status during a start. */
export function startStatus({ phase, activity: { label, signIn } }: ServerStart): RunStatus {
  if (phase !== 'handshake') return { kind: 'starting', phase }
  return signIn
    ? { kind: 'awaitingSignIn', phase, ...signIn }
    : { kind: 'starting', phase, activity: label }
}

/** The status of a server that needs its user to sign in. */
export function signInStatus({ host }: SignInNeededError, failure: FailureText): RunStatus {
  return { kind: 'signInNeeded', host, message: failure.message, hint: failure.hint }
}

/** When a waiting server starts next, epoch ms, and whether this computer is offline. */
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

/** The log line of a decision, without a full stop; undefined if the failure's own line is enough. */
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
