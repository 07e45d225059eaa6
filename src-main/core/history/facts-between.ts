import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { HistoryFact } from '../../../src-shared/domain/running/history'
import {
  type FailedStatus,
  isFailed,
  isWorking,
  type PhaseRecord,
} from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { offerOf } from '../installation/installation-service'

/** The parts of a server that its history compares. */
export type Watched = Pick<ServerView, 'status' | 'phases' | 'restarts' | 'signedIn'>

/** Copies a server's state, because its phase records change while they run. */
export function watched({ status, phases, restarts, signedIn }: Watched): Watched {
  return { status, restarts, signedIn, phases: phases.map((record) => ({ ...record })) }
}

const MAX_MESSAGE_LENGTH = 500

/** Events between two states of a server, in order; `isByUser`: the user stopped it. */
export function factsBetween(before: Watched, now: Watched, isByUser: boolean): HistoryFact[] {
  return [
    ...signInFacts(before, now),
    ...(repairedAt(now) === repairedAt(before) || repairedAt(now) === undefined
      ? []
      : [{ kind: 'repaired' } as const]),
    ...(before.status.kind === now.status.kind ? [] : statusFacts(before, now, isByUser)),
  ]
}

/** When the newest start's completed repair began. */
function repairedAt({ phases }: Watched): number | undefined {
  return phases.find(({ phase, outcome }) => phase === 'repair' && outcome === 'done')?.startedAt
}

function signInFacts(before: Watched, now: Watched): HistoryFact[] {
  const [was, is] = [before.signedIn === true, now.signedIn === true]
  if (was === is) return []
  return [{ kind: is ? 'signedIn' : 'signedOut' }]
}

function statusFacts(before: Watched, now: Watched, isByUser: boolean): HistoryFact[] {
  const { status } = now
  // Backoff, then a pause: the same failure.
  if (isFailed(status))
    return isFailed(before.status) ? [] : [failed(status, isWorking(before.status))]
  switch (status.kind) {
    case 'starting':
      // The same start continues.
      if (before.status.kind === 'awaitingSignIn') return []
      return [{ kind: 'started', isByItself: now.restarts > before.restarts }]
    case 'ready':
    case 'degraded':
      return isWorking(before.status) ? [] : [{ kind: 'ready', phases: timesOf(now.phases) }]
    case 'awaitingSignIn':
    case 'signInNeeded':
      return [{ kind: 'signInNeeded' }]
    case 'stopped':
      return [{ kind: 'stopped', isByPerson: isByUser }]
    case 'stopping':
      return []
  }
}

function failed(
  { cause, code, message }: Pick<FailedStatus, 'cause' | 'code' | 'message'>,
  wasRunning: boolean,
): HistoryFact {
  const text = cause ? `${cause.message} ${message}` : message
  return { kind: 'failed', code, message: text.slice(0, MAX_MESSAGE_LENGTH), wasRunning }
}

function timesOf(phases: readonly PhaseRecord[]): { phase: PhaseRecord['phase']; ms: number }[] {
  return phases.flatMap(({ phase, outcome, startedAt, endedAt }) =>
    outcome === 'done' && endedAt !== undefined
      ? [{ phase, ms: Math.max(0, endedAt - startedAt) }]
      : [],
  )
}

const MAX_NAMED = 50
const MAX_NAME_LENGTH = 200

/** Events of an installation; `before` is undefined for a new one, `isRevert` is true for a rollback. Contains field names, never values. */
export function installationFacts(
  before: Installation | undefined,
  now: Installation,
  isRevert = false,
): HistoryFact[] {
  const approved: HistoryFact[] =
    // The earlier approval comes back with its version.
    !isRevert && now.approvedPlan !== undefined && now.approvedPlan !== before?.approvedPlan
      ? [{ kind: 'approved' }]
      : []
  if (!before) return [{ kind: 'installed', version: versionOf(now) }, ...approved]
  const changed = changedParts(before, now)
  return [
    ...moveFacts(before, now, isRevert),
    ...(changed.length === 0 ? [] : [{ kind: 'configured', changed } as const]),
    ...(before.enabled === now.enabled
      ? []
      : [{ kind: now.enabled ? 'enabled' : 'disabled' } as const]),
    ...approved,
  ]
}

function moveFacts(before: Installation, now: Installation, isRevert: boolean): HistoryFact[] {
  const [from, to] = [versionOf(before), versionOf(now)]
  if (isRevert) return [{ kind: 'wentBack', from, to }]
  return from === to ? [] : [{ kind: 'updated', from, to }]
}

function versionOf({ server }: Installation): string {
  return server.version.slice(0, MAX_NAME_LENGTH)
}

/** Parts of an installation besides its fields, by the words for users. */
const PARTS = {
  name: 'name',
  cwd: 'working folder',
  budgets: 'time limits',
  protocol: 'protocol options',
  roots: 'granted folders',
  starts: 'when it starts',
  toolChoice: 'tool selection',
} as const satisfies Partial<Record<keyof Installation, string>>

function changedParts(before: Installation, now: Installation): string[] {
  const parts = Object.keys(PARTS).flatMap((part) => {
    const key = part as keyof typeof PARTS
    return isSame(before[key], now[key]) ? [] : [PARTS[key]]
  })
  return [...parts, ...changedFields(before, now)]
    .slice(0, MAX_NAMED)
    .map((name) => name.slice(0, MAX_NAME_LENGTH))
}

function changedFields(before: Installation, now: Installation): string[] {
  const labels = new Map(fieldsOfOffer(offerOf(now)).map(({ key, label }) => [key, label]))
  const keys = [before, now].flatMap((one) => [
    ...Object.keys(one.values),
    ...Object.keys(one.secrets),
  ])
  const isChanged = (key: string): boolean =>
    !isSame(before.values[key], now.values[key]) || !isSame(before.secrets[key], now.secrets[key])
  // A key may be from an earlier version of the entry.
  return [...new Set(keys)].filter(isChanged).map((key) => labels.get(key) ?? 'a value')
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
