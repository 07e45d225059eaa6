import type { ServerTools } from '../../src-shared/domain/agents/tools'
import { counted, formatCount } from '../ui/text/elapsed'

/** What waits for a person's decision: "2 new or changed tools wait for your approval."; empty where nothing does. */
export function heldWords({ held }: Pick<ServerTools, 'held'>): string {
  if (held === 0) return ''
  return held === 1
    ? '1 new or changed tool waits for your approval.'
    : `${formatCount(held)} new or changed tools wait for your approval.`
}

/** What agents cannot be shown although nobody decided so; empty where there is nothing. */
export function leftOutWords(
  { quarantined, overCap }: Pick<ServerTools, 'quarantined' | 'overCap'>,
  cap: number,
): string {
  const [oddly, beyond] = [quarantined, overCap].map((count) =>
    count === 0 ? '' : `${counted(count, 'tool')} ${count === 1 ? 'is' : 'are'}`,
  )
  return [
    oddly && `${oddly} quarantined: no agent takes ${quarantined === 1 ? 'it' : 'them'}.`,
    beyond && `${beyond} over the cap of ${formatCount(cap)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
