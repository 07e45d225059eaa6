import type { HistoryFact } from '../../../src-shared/domain/running/history'
import {
  type FailedStatus,
  isFailed,
  isWorking,
  type PhaseRecord,
} from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'

/** What is looked at of a server to tell what happened to it. */
export type Watched = Pick<ServerView, 'status' | 'phases' | 'restarts' | 'signedIn'>

/** What is seen of a server now; its steps are copied, as their records change while they run. */
export function lookAt({ status, phases, restarts, signedIn }: Watched): Watched {
  return { status, restarts, signedIn, phases: phases.map((record) => ({ ...record })) }
}

const LONGEST_MESSAGE = 500

/** What happened between two looks at a server, in order; `isByPerson` says whose wish a stop was. */
export function factsBetween(before: Watched, now: Watched, isByPerson: boolean): HistoryFact[] {
  return [
    ...signInFacts(before, now),
    ...(repairedAt(now) === repairedAt(before) || repairedAt(now) === undefined
      ? []
      : [{ kind: 'repaired' } as const]),
    ...(before.status.kind === now.status.kind ? [] : statusFacts(before, now, isByPerson)),
  ]
}

/** When the repair of the newest start began, where it has one that came to its end. */
function repairedAt({ phases }: Watched): number | undefined {
  return phases.find(({ phase, outcome }) => phase === 'repair' && outcome === 'done')?.startedAt
}

function signInFacts(before: Watched, now: Watched): HistoryFact[] {
  const [was, is] = [before.signedIn === true, now.signedIn === true]
  if (was === is) return []
  return [{ kind: is ? 'signedIn' : 'signedOut' }]
}

function statusFacts(before: Watched, now: Watched, isByPerson: boolean): HistoryFact[] {
  const { status } = now
  // Backing off, then paused: the same failure.
  if (isFailed(status))
    return isFailed(before.status) ? [] : [failed(status, isWorking(before.status))]
  switch (status.kind) {
    case 'starting':
      // The same start goes on.
      if (before.status.kind === 'awaitingSignIn') return []
      return [{ kind: 'started', isByItself: now.restarts > before.restarts }]
    case 'ready':
    case 'degraded':
      return isWorking(before.status) ? [] : [{ kind: 'ready', phases: timesOf(now.phases) }]
    case 'awaitingSignIn':
    case 'signInNeeded':
      return [{ kind: 'signInNeeded' }]
    case 'stopped':
      return [{ kind: 'stopped', isByPerson }]
    case 'stopping':
      return []
  }
}

function failed(
  { cause, code, message }: Pick<FailedStatus, 'cause' | 'code' | 'message'>,
  wasRunning: boolean,
): HistoryFact {
  const said = cause ? `${cause.sentence} ${message}` : message
  return { kind: 'failed', code, message: said.slice(0, LONGEST_MESSAGE), wasRunning }
}

function timesOf(phases: readonly PhaseRecord[]): { phase: PhaseRecord['phase']; ms: number }[] {
  return phases.flatMap(({ phase, outcome, startedAt, endedAt }) =>
    outcome === 'done' && endedAt !== undefined
      ? [{ phase, ms: Math.max(0, endedAt - startedAt) }]
      : [],
  )
}
