import type { OffSuggestion, ToolView } from '../../../src-shared/domain/agents/tools'

const DAY_MS = 86_400_000
/** What was called within it is used still. */
const RECENT_DAYS = 7

/**
 * Exposed tools to switch off until at most `limit` are left, the least missed first: those that were never called, not
 * in 30 days, not in the last 7, and only then the others; among these the ones called less, then the larger ones. `now`
 * is in epoch ms.
 */
export function suggestOff(
  tools: readonly ToolView[],
  limit: number,
  now: number,
): OffSuggestion[] {
  const exposed = tools.filter(({ exposure }) => exposure === 'exposed')
  const excess = Math.max(0, exposed.length - limit)
  const isAnyKnown = tools.some(({ lastUsedAt }) => lastUsedAt !== undefined)
  return exposed
    .toSorted((a, b) => compare(a, b, now))
    .slice(0, excess)
    .map((tool) => {
      const { installationId, name, tokens } = tool
      const use = isAnyKnown ? useOf(tool, limit, now) : 'No calls yet, sorted by size'
      return { installationId, name, tokens, because: `${use}; ${sizeOf(tokens)}.` }
    })
}

function compare(a: ToolView, b: ToolView, now: number): number {
  return (
    rankOf(a, now) - rankOf(b, now) ||
    a.uses - b.uses ||
    (b.tokens ?? 0) - (a.tokens ?? 0) ||
    inText(a.installationId, b.installationId) ||
    inText(a.name, b.name)
  )
}

function rankOf({ uses, lastUsedAt }: ToolView, now: number): number {
  if (lastUsedAt === undefined) return 0
  if (daysSince(lastUsedAt, now) < RECENT_DAYS) return 3
  return uses === 0 ? 1 : 2
}

function useOf(tool: ToolView, limit: number, now: number): string {
  const { uses, lastUsedAt } = tool
  if (lastUsedAt === undefined) return 'Never called'
  if (rankOf(tool, now) === 1) return 'Not called in 30 days'
  const times = uses === 1 ? 'once' : `${uses.toLocaleString()} times`
  const called = `Called ${times} in 30 days, last ${agoOf(daysSince(lastUsedAt, now))}`
  return rankOf(tool, now) === 3
    ? `${called}. Suggested only to reach ${limit.toLocaleString()} ${limit === 1 ? 'tool' : 'tools'}`
    : called
}

/** A moment that is still to come is of a clock that was wrong, and counts as today. */
function daysSince(time: number, now: number): number {
  return Math.max(0, Math.floor((now - time) / DAY_MS))
}

function agoOf(days: number): string {
  if (days === 0) return 'within a day'
  return days === 1 ? 'a day ago' : `${String(days)} days ago`
}

function sizeOf(tokens: number | undefined): string {
  return tokens === undefined ? 'size unknown' : `≈ ${tokens.toLocaleString()} tokens`
}

/** By code units: the order must not hang on the language of the system. */
function inText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
