import type { ToolAnnotations } from '../../../src-shared/domain/agents/capability'
import type {
  SecurityWarning,
  ServerTools,
  ToolExposure,
  ToolView,
} from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { counted, formatCount } from '../../ui/text/format'

/** Labels of the exposures. */
export const EXPOSURE_LABEL: Readonly<Record<ToolExposure, string>> = {
  exposed: 'Available to agents',
  off: 'Turned off',
  needsReview: 'Needs review',
  rejected: 'Rejected',
  quarantined: 'Quarantined',
}

const WARNING_LABEL: Readonly<Record<SecurityWarning['kind'], string>> = {
  invisible: 'Hidden characters',
  instruction: 'Possible injection',
  lookAlike: 'Looks like another tool',
}

/** Returns the kinds of a tool's warnings, each once: "Hidden characters, looks like another tool". */
export function warningsBrief(securityWarnings: readonly SecurityWarning[]): string {
  const labels = [...new Set(securityWarnings.map(({ kind }) => WARNING_LABEL[kind]))]
  return labels.map((word, index) => (index === 0 ? word : word.toLowerCase())).join(', ')
}

/** Returns a marked estimate: "≈ 1,240 tokens"; without a number, that counting is in progress. */
export function tokensText(tokens: number | undefined): string {
  if (tokens === undefined) return 'Counting tokens'
  return `≈ ${counted(tokens, 'token')}`
}

/** Returns the number of calls in 30 days: "12 calls". */
export function usesText(uses: number): string {
  if (uses === 0) return 'No calls'
  return counted(uses, 'call')
}

/** Returns a choice for a button: "All", "None", "12 chosen". */
export function choiceLabel(choice: ToolChoice): string {
  if (choice.kind === 'list') return `${formatCount(choice.names.length)} selected`
  return choice.kind === 'all' ? 'All' : 'None'
}

const WHY: Readonly<Record<Exclude<ToolExposure, 'exposed'>, string>> = {
  off: 'Not available to agents.',
  needsReview: 'Not available to agents until you approve it.',
  rejected: 'You rejected this tool. Not available to agents until a new version is approved.',
  quarantined: 'Agents can’t use this tool.',
}

/** Returns a tool's exposure with its reason as a sentence; main's own reason takes precedence. */
export function exposureMessage(props: Pick<ToolView, 'exposure' | 'change' | 'reason'>): string {
  const { exposure, change, reason } = props
  if (exposure === 'exposed') return 'Connected apps can call it.'
  if (exposure !== 'needsReview') return reason ?? WHY[exposure]
  const what =
    change === 'changed' ? 'Changed since you approved it.' : 'New since your last approval.'
  return `${what} ${WHY.needsReview}`
}

/** Returns how many tools wait for approval: "2 new or changed tools wait for your approval."; empty if none. */
export function reviewText({ needsReview }: Pick<ServerTools, 'needsReview'>): string {
  if (needsReview === 0) return ''
  return `${counted(needsReview, 'new or changed tool needs', 'new or changed tools need')} review.`
}

/** Returns how many tools no agent can use; empty if none. */
export function quarantinedText({ quarantined }: Pick<ServerTools, 'quarantined'>): string {
  if (quarantined === 0) return ''
  return `${counted(quarantined, 'tool')} quarantined and unavailable to agents.`
}

/** Behaviors that a server declares for a tool; there can be several. */
export const NATURES = ['readOnly', 'destructive', 'openWorld', 'other'] as const
export type Nature = (typeof NATURES)[number]

/** Short labels of the behaviors. */
export const NATURE_LABEL: Readonly<Record<Nature, string>> = {
  readOnly: 'Read-only',
  destructive: 'Destructive',
  openWorld: 'Open world',
  other: 'Other',
}

/** The behaviors as sentences; they are the server's claims, not guarantees. */
export const NATURE_MESSAGE: Readonly<Record<Nature, string>> = {
  readOnly: 'Marked read-only by the server.',
  destructive: 'Marked destructive by the server: may delete or overwrite data.',
  openWorld: 'Marked open-world by the server: may reach external systems, such as the web.',
  other: 'The server gives no behavior hints.',
}

/** Returns the declared behaviors of a tool. A read-only one is not destructive, whatever else is declared (MCP, ToolAnnotations). */
export function naturesOf(annotations: ToolAnnotations | undefined): readonly Nature[] {
  const natures: Nature[] = []
  if (annotations?.readOnlyHint) natures.push('readOnly')
  else if (annotations?.destructiveHint) natures.push('destructive')
  if (annotations?.openWorldHint) natures.push('openWorld')
  return natures.length === 0 ? ['other'] : natures
}
