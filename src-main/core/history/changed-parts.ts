import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { HistoryFact } from '../../../src-shared/domain/running/history'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { offerOf } from '../installation/installation-service'

const MOST_NAMED = 50
const LONGEST_NAME = 200

/**
 * What was done to an installation; `before` is missing where it is new, `isBack` where it did not go back to an
 * earlier version. Names of fields, never values.
 */
export function installationFacts(
  before: Installation | undefined,
  now: Installation,
  isBack = false,
): HistoryFact[] {
  const approved: HistoryFact[] =
    // What was approved before comes back with its version.
    !isBack && now.approvedPlan !== undefined && now.approvedPlan !== before?.approvedPlan
      ? [{ kind: 'approved' }]
      : []
  if (!before) return [{ kind: 'installed', version: versionOf(now) }, ...approved]
  const changed = changedParts(before, now)
  return [
    ...moveFacts(before, now, isBack),
    ...(changed.length === 0 ? [] : [{ kind: 'configured', changed } as const]),
    ...(before.enabled === now.enabled
      ? []
      : [{ kind: now.enabled ? 'enabled' : 'disabled' } as const]),
    ...approved,
  ]
}

function moveFacts(before: Installation, now: Installation, isBack: boolean): HistoryFact[] {
  const [from, to] = [versionOf(before), versionOf(now)]
  if (isBack) return [{ kind: 'wentBack', from, to }]
  return from === to ? [] : [{ kind: 'updated', from, to }]
}

function versionOf({ server }: Installation): string {
  return server.version.slice(0, LONGEST_NAME)
}

/** The parts of an installation next to its fields, by the words that a user knows them by. */
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
    .slice(0, MOST_NAMED)
    .map((name) => name.slice(0, LONGEST_NAME))
}

function changedFields(before: Installation, now: Installation): string[] {
  const labels = new Map(fieldsOfOffer(offerOf(now)).map(({ key, label }) => [key, label]))
  const keys = [before, now].flatMap((one) => [
    ...Object.keys(one.values),
    ...Object.keys(one.secrets),
  ])
  const isChanged = (key: string): boolean =>
    !isSame(before.values[key], now.values[key]) || !isSame(before.secrets[key], now.secrets[key])
  // A key may hold what an earlier version of the entry was called by.
  return [...new Set(keys)].filter(isChanged).map((key) => labels.get(key) ?? 'a value')
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
