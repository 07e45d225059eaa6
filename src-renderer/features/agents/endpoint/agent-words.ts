import type { AgentProfile, AgentView } from '../../../../src-shared/domain/agents/agent'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { namesOf } from '../../../tool-parts/tool-choices'
import { toolsWords } from '../../../tool-parts/tool-words'
import { counted, formatCount, formatMoment } from '../../../ui/text/elapsed'
import { visibleText } from '../../../ui/text/visible-text'

/** Whether an agent is there: "Connected", "Last seen 2 min ago". */
export function presenceWords(
  { connections, lastSeenAt }: Pick<AgentView, 'connections' | 'lastSeenAt'>,
  now: number,
): string {
  if (connections > 0) return 'Connected'
  if (lastSeenAt === undefined) return 'Not seen since Patchbay started'
  return `Last seen ${formatMoment(lastSeenAt, now)}`
}

/** What an agent's app called itself; a text of its own. */
export function appWords({ app }: Pick<AgentView, 'app'>): string | undefined {
  if (app === undefined) return undefined
  return visibleText([app.name, app.version].filter(Boolean).join(' '))
}

/** That an app takes fewer tools than it is shown: "Cursor takes 80 tools; 92 are shown."; undefined where it does not. */
export function limitWords(
  name: string,
  limit: number | undefined,
  shown: number,
): string | undefined {
  if (limit === undefined || shown <= limit) return undefined
  return `${name} takes ${toolsWords(limit)}; ${formatCount(shown)} are shown.`
}

/** That a cap has no room for all tools; undefined where it has. */
export function overCapWords(overCap: number, cap: number): string | undefined {
  if (overCap === 0) return undefined
  return `${toolsWords(overCap)} more ${overCap === 1 ? 'is' : 'are'} over the cap of ${formatCount(cap)}.`
}

/** The answer of the preview: "52 tools are shown". */
export function shownWords(count: number, isSearch: boolean): string {
  if (isSearch)
    return count === 0
      ? 'Two tools are shown, and find nothing'
      : `Two tools are shown, and find ${formatCount(count)} more`
  if (count === 0) return 'No tool is shown'
  return counted(count, 'tool is shown', 'tools are shown')
}

/** How much of a server an agent is shown: "All 14 tools", "3 of 14 tools", and what of the choice is not listed. */
export function takenWords(choice: ToolChoice, listed: readonly string[]): string {
  if (listed.length === 0 && choice.kind !== 'list') return 'No tools listed yet'
  if (choice.kind === 'all') return `All ${toolsWords(listed.length)}`
  const known = new Set(listed)
  const names = namesOf(choice, listed)
  const missing = names.filter((name) => !known.has(name)).length
  const taken = `${formatCount(names.length - missing)} of ${toolsWords(listed.length)}`
  if (missing === 0) return taken
  return `${taken}; ${formatCount(missing)} chosen ${missing === 1 ? 'is' : 'are'} not listed`
}

/** What a call waits for. */
export const CONFIRM_SENTENCE: Readonly<Record<AgentProfile['confirm'], string>> = {
  never: 'No call waits for you.',
  destructive: 'A call waits for your yes where its tool may delete or overwrite.',
  always: 'Every call waits for your yes.',
}

/** What tools are called, with one of its own as an example. */
export function namingSentence(
  naming: AgentProfile['naming'],
  example: { readonly prefixed: string; readonly own: string } | undefined,
): string {
  const name = naming === 'prefixed' ? example?.prefixed : example?.own
  const such = name === undefined ? '' : `, such as ${visibleText(name)}`
  return naming === 'prefixed'
    ? `The short name of its server stands before each${such}.`
    : `As their servers call them${such}. Tools of two servers with one name keep their server’s before it.`
}
