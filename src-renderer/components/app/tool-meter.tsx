import type { JSX } from 'react'

import { counted, formatCount } from '../../ui/text/format'

/** Number of tools from one server, or from several together. */
type ToolPart = { readonly name: string; readonly count: number }

/** Returns the largest parts, at most `limit` of them by name. The others become one part, unless only one server remains. */
export function largestParts(parts: readonly ToolPart[], limit: number): readonly ToolPart[] {
  const sorted = parts
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
  if (sorted.length <= limit + 1) return sorted
  const remaining = sorted.slice(limit).reduce((sum, { count }) => sum + count, 0)
  return [...sorted.slice(0, limit), { name: 'others', count: remaining }]
}

/** "Playwright 22, Filesystem 14, others 23. About 10,400 tokens in every conversation." */
export function partsText(
  parts: readonly ToolPart[],
  tokens: number | 'search' | undefined,
): string {
  const shares = parts.map(({ name, count }) => `${name} ${formatCount(count)}`).join(', ')
  return [shares && `${shares}.`, tokensText(tokens)].filter(Boolean).join(' ')
}

function tokensText(tokens: number | 'search' | undefined): string {
  if (tokens === 'search') return 'The app finds and calls them through two tools.'
  if (tokens === undefined) return 'Counting tokens.'
  return `About ${counted(tokens, 'token')} in every conversation.`
}

/** A bar of the parts; `end` is the number of tools at full width. */
export function ToolMeter(props: {
  readonly label: string
  readonly parts: readonly ToolPart[]
  readonly end: number
}): JSX.Element {
  const { label, parts, end } = props
  return (
    <div
      className="tool-meter meter flex h-1.5 gap-px overflow-hidden rounded-full bg-press"
      role="img"
      aria-label={label}
    >
      {parts.map(({ count }, index) => (
        <span key={index} style={{ width: `${String((100 * count) / end)}%` }} />
      ))}
    </div>
  )
}
