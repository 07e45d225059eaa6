import type { ToolAnnotations } from '../../../src-shared/domain/agents/capability'
import type {
  SecurityWarning,
  ServerTools,
  ToolExposure,
  ToolView,
} from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { counted, formatCount } from '../../ui/text/format'

/** What a standing is called. */
export const EXPOSURE_LABEL: Readonly<Record<ToolExposure, string>> = {
  exposed: 'Available to agents',
  off: 'Turned off',
  held: 'Needs review',
  refused: 'Rejected',
  quarantined: 'Quarantined',
}

const WARNING_LABEL: Readonly<Record<SecurityWarning['kind'], string>> = {
  invisible: 'Hidden characters',
  instruction: 'Possible injection',
  lookAlike: 'Looks like another tool',
}

/** The warnings of a tool in few words, each kind once: "Hidden characters, looks like another tool". */
export function warningsBrief(securityWarnings: readonly SecurityWarning[]): string {
  const words = [...new Set(securityWarnings.map(({ kind }) => WARNING_LABEL[kind]))]
  return words.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(', ')
}

/** An estimate with its mark: "≈ 1,240 tokens"; without a number, that it is counted. */
export function tokensWords(tokens: number | undefined): string {
  if (tokens === undefined) return 'Counting tokens'
  return `≈ ${counted(tokens, 'token')}`
}

/** How often a tool was called in 30 days: "12 calls". */
export function usesWords(uses: number): string {
  if (uses === 0) return 'No calls'
  return counted(uses, 'call')
}

/** A choice in a word or two, as a button shows it: "All", "None", "12 chosen". */
export function choiceWords(choice: ToolChoice): string {
  if (choice.kind === 'list') return `${formatCount(choice.names.length)} selected`
  return choice.kind === 'all' ? 'All' : 'None'
}

const WHY: Readonly<Record<Exclude<ToolExposure, 'exposed'>, string>> = {
  off: 'Not available to agents.',
  held: 'Not available to agents until you approve it.',
  refused: 'You rejected this tool. Not available to agents until a new version is approved.',
  quarantined: 'Agents can’t use this tool.',
}

/** How a tool stands and why, as a sentence for its detail; main's own reason comes first. */
export function exposureMessage(props: Pick<ToolView, 'exposure' | 'change' | 'reason'>): string {
  const { exposure, change, reason } = props
  if (exposure === 'exposed') return 'Connected apps can call it.'
  if (exposure !== 'held') return reason ?? WHY[exposure]
  const what =
    change === 'changed' ? 'Changed since you approved it.' : 'New since your last approval.'
  return `${what} ${WHY.held}`
}

/** What waits for a user's decision: "2 new or changed tools wait for your approval."; empty where nothing does. */
export function heldWords({ held }: Pick<ServerTools, 'held'>): string {
  if (held === 0) return ''
  return `${counted(held, 'new or changed tool needs', 'new or changed tools need')} review.`
}

/** How many tools no agent can take; empty where there are none. */
export function leftOutWords({ quarantined }: Pick<ServerTools, 'quarantined'>): string {
  if (quarantined === 0) return ''
  return `${counted(quarantined, 'tool')} quarantined and unavailable to agents.`
}

/** What a server says of a tool's nature; it may say several. */
export const NATURES = ['readOnly', 'destructive', 'openWorld', 'other'] as const
export type Nature = (typeof NATURES)[number]

/** The natures in a word or two. */
export const NATURE_WORD: Readonly<Record<Nature, string>> = {
  readOnly: 'Read-only',
  destructive: 'Destructive',
  openWorld: 'Open world',
  other: 'Other',
}

/** The natures as sentences; they are the server's word and no promise. */
export const NATURE_SENTENCE: Readonly<Record<Nature, string>> = {
  readOnly: 'Marked read-only by the server.',
  destructive: 'Marked destructive by the server: may delete or overwrite data.',
  openWorld: 'Marked open-world by the server: may reach external systems, such as the web.',
  other: 'The server gives no behavior hints.',
}

/** What is said of a tool; a read-only one destroys nothing, whatever else is said (MCP, ToolAnnotations). */
export function naturesOf(annotations: ToolAnnotations | undefined): readonly Nature[] {
  const said: Nature[] = []
  if (annotations?.readOnlyHint) said.push('readOnly')
  else if (annotations?.destructiveHint) said.push('destructive')
  if (annotations?.openWorldHint) said.push('openWorld')
  return said.length === 0 ? ['other'] : said
}
