import type { ListedServer, ListedTool } from '../../src-main/core/tools/directory/resolved-server'

/** So many servers with so many tools each, all approved and chosen, with schemas as real ones have them. */
export function manyServers(servers: number, toolsEach: number): ListedServer[] {
  return Array.from({ length: servers }, (_, index) => {
    const alias = `server-${String(index)}`
    return {
      installationId: alias,
      alias,
      isEnabled: true,
      choice: { kind: 'all' },
      tools: Array.from({ length: toolsEach }, (_unused, at) => tool(`read_part_${String(at)}`)),
    }
  })
}

/** A tool as its server lists it; `version` makes its definition another. */
export function tool(name: string, version = 1): ListedTool {
  const text = (what: string) => ({ type: 'string', description: `The ${what} of ${name}.` })
  const limit = { type: 'integer', minimum: 1, maximum: 100, default: version }
  return {
    tool: {
      name,
      title: name.replaceAll('_', ' '),
      description: `Reads what ${name} names and gives it back as text, a page at a time.`,
      inputSchema: {
        type: 'object',
        properties: { path: text('path'), encoding: text('encoding'), limit },
        required: ['path'],
      },
      annotations: { readOnlyHint: true },
    },
    verdict: 'approved',
    hash: `${name}-${String(version)}`,
    meaning: `${name}-${String(version)}`,
    securityWarnings: [],
  }
}
