import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { formatCount } from '../../ui/text/format'

/** A server's share of the exposed tools; the last part may be of all others. */
export type BudgetPart = { readonly key: string; readonly name: string; readonly count: number }

/** So many servers are named. */
const NAMED = 2

/** Who has how many of the exposed tools, most first; servers beyond the second are one part. */
export function budgetParts(
  { servers }: Pick<ToolsState, 'servers'>,
  names: ReadonlyMap<string, string>,
): readonly BudgetPart[] {
  const parts = servers
    .flatMap(({ installationId, exposed }): BudgetPart[] => {
      const name = names.get(installationId)
      if (name === undefined || exposed === 0) return []
      return [{ key: installationId, name, count: exposed }]
    })
    .toSorted((one, other) => other.count - one.count)
  if (parts.length <= NAMED + 1) return parts
  const others = parts.slice(NAMED).reduce((sum, { count }) => sum + count, 0)
  return [...parts.slice(0, NAMED), { key: 'others', name: 'others', count: others }]
}

/** "Playwright 22, Filesystem 14, others 23. About 10,400 tokens in every conversation." */
export function budgetWords(
  { exposed, tokens }: Pick<ToolsState, 'exposed' | 'tokens'>,
  parts: readonly BudgetPart[],
): string {
  if (exposed === 0) return 'Tools available to agents appear here.'
  const shares = parts.map(({ name, count }) => `${name} ${formatCount(count)}`).join(', ')
  const takes =
    tokens === undefined
      ? 'Counting tokens.'
      : `About ${formatCount(tokens)} tokens in every conversation.`
  return [shares && `${shares}.`, takes].filter(Boolean).join(' ')
}
