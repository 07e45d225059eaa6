/** Complete texts that users type into the catalog's search. */
export const TEXTS = [
  'github',
  'postgres',
  'mcp',
  'server',
  'stripe',
  'file system',
  'browser automation',
  'web search',
  'notion',
  'slack messages',
  'google drive',
  'weather',
  'io.github.modelcontextprotocol',
  'image generation',
  'GITHUB_TOKEN',
  'api key',
  'mysql database',
  'kubernetes',
  'memory',
  'ai agent',
] as const

/** The same with typos. */
export const SLIPS = [
  'gihtub',
  'postgers',
  'strpie',
  'kuberntes',
  'wether',
  'databse',
  'notoin',
  'playwrigth',
] as const

/** All prefixes of these texts, as typed letter by letter. */
export function keystrokes(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1)),
  )
}
