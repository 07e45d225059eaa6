import type { AgentProfile, AgentView } from '../../../src-shared/domain/agents/agent'
import type { ToolView } from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { namesOf } from '../../components/tool/tool-choices'
import { counted, formatCount, formatMoment } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'

/** Returns when an app was last connected: "now", "2 min ago"; undefined if it never was since Patchbay started. */
export function lastSeen(
  { connections, lastSeenAt }: Pick<AgentView, 'connections' | 'lastSeenAt'>,
  now: number,
): string | undefined {
  if (connections > 0) return 'now'
  return lastSeenAt === undefined ? undefined : formatMoment(lastSeenAt, now)
}

/** Returns the name and version that the client sent, with invisible characters escaped. */
export function clientName({ app }: Pick<AgentView, 'app'>): string | undefined {
  if (app === undefined) return undefined
  return visibleText([app.name, app.version].filter(Boolean).join(' '))
}

/** Returns a warning if more tools are available to an app than the app accepts; undefined otherwise. */
export function limitWarning(
  name: string,
  limit: number | undefined,
  exposed: number,
): string | undefined {
  if (limit === undefined || exposed <= limit) return undefined
  return `${name} accepts up to ${counted(limit, 'tool')}, but gets ${formatCount(exposed)}.`
}

/** Returns a warning if the tool limit omits tools; undefined otherwise. */
export function overLimitWarning(overCap: number, limit: number): string | undefined {
  if (overCap === 0) return undefined
  return `${counted(overCap, 'tool')} over the limit of ${formatCount(limit)}.`
}

/** Returns how much of a server a choice includes: "All 14 tools" or "3 of 14 tools", and the number of missing names. */
export function chosenText(choice: ToolChoice, listed: readonly string[]): string {
  if (listed.length === 0 && choice.kind !== 'list') return 'Tools not listed yet'
  if (choice.kind === 'all') return `All ${counted(listed.length, 'tool')}`
  const known = new Set(listed)
  const names = namesOf(choice, listed)
  const missing = names.filter((name) => !known.has(name)).length
  const taken = `${formatCount(names.length - missing)} of ${counted(listed.length, 'tool')}`
  return missing === 0 ? taken : `${taken}, ${formatCount(missing)} missing`
}

/** Which calls need approval. */
export const APPROVAL_HINT: Readonly<Record<AgentProfile['confirm'], string>> = {
  never: 'Every call runs immediately.',
  destructive: 'Calls that may delete or overwrite need your approval.',
  always: 'Every call needs your approval.',
}

/** Returns how tools are named, with one of the app's tools as the example. */
export function namingHint(
  naming: AgentProfile['naming'],
  example: Pick<ToolView, 'name' | 'exposedName'> | undefined,
): string {
  const { name = '', exposedName } = example ?? {}
  const shown = naming === 'prefixed' ? (exposedName ?? '') : name
  const such = exposedName === undefined ? '' : `, such as ${visibleText(shown)}`
  return naming === 'prefixed'
    ? `Names start with the server name${such}.`
    : `Original names${such}. Only duplicates start with the server name.`
}
