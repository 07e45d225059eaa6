import type { ListedTool } from '../../src-main/core/tools/directory/tool-directory'

/** A tool as its server lists it; `version` changes its definition. */
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
    pinState: 'approved',
    hash: `${name}-${String(version)}`,
    meaning: `${name}-${String(version)}`,
    securityWarnings: [],
  }
}
