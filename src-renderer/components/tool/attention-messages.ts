import type { ServerTools } from '../../../src-shared/domain/agents/tools'
import { counted, formatCount } from '../../ui/text/format'

/** What waits for a user's decision: "2 new or changed tools wait for your approval."; empty where nothing does. */
export function heldWords({ held }: Pick<ServerTools, 'held'>): string {
  if (held === 0) return ''
  return held === 1
    ? '1 new or changed tool needs review.'
    : `${formatCount(held)} new or changed tools need review.`
}

/** How many tools no agent can take; empty where there are none. */
export function leftOutWords({ quarantined }: Pick<ServerTools, 'quarantined'>): string {
  if (quarantined === 0) return ''
  return `${counted(quarantined, 'tool')} quarantined and unavailable to agents.`
}
