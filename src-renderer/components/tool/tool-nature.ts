import type { ToolAnnotations } from '../../../src-shared/domain/agents/capability'

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
