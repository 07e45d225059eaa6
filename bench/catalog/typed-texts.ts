/** What people type into the search of a catalog, whole. */
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

/** The same with slips of the keys, as people type them. */
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

/** All that stands in the field while these texts are typed, letter by letter. */
export function keystrokes(texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1)),
  )
}
