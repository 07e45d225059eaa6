import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { contextField } from '../../tools/context/context-field'
import type { ShownServer } from './agent-listing'

/** Finds tools by what they do. */
export const FIND_TOOLS = 'find_tools'
/** Calls one that was found. */
export const CALL_TOOL = 'call_tool'
/** The names of both; in search mode no tool has one of them as its plain name, and no prefixed name can be one. */
export const SEARCH_NAMES: readonly string[] = [FIND_TOOLS, CALL_TOOL]

/** How many tools are found where nothing is said, and at most. */
export const FOUND = { usual: 8, most: 20 } as const

const NAMED_SERVERS = 30

/** What `find_tools` takes. */
export const FIND_SCHEMA = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What the tool should do, in a few words.' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: FOUND.most,
      description: `Maximum number of tools to return. Default: ${FOUND.usual}.`,
    },
  },
  required: ['query'],
} as const

/** What `call_tool` takes. */
export const CALL_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', description: `Tool name, as returned by ${FIND_TOOLS}.` },
    arguments: {
      type: 'object',
      description: "Arguments that match the tool's input schema.",
    },
  },
  required: ['name'],
} as const

/** The two tools that an agent in search mode is told of; they name its servers. */
export function searchTools(servers: readonly ShownServer[]): Tool[] {
  const names = servers.slice(0, NAMED_SERVERS).map(({ name }) => contextField(name))
  const more = servers.length > NAMED_SERVERS ? ' and others' : ''
  const of = names.length === 0 ? '' : ` Servers with tools: ${names.join(', ')}${more}.`
  return [
    {
      name: FIND_TOOLS,
      title: 'Find tools',
      description: `Finds tools by what they do, and returns their names, descriptions, and input schemas. Call the matching tool with ${CALL_TOOL}.${of}`,
      inputSchema: FIND_SCHEMA,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    {
      name: CALL_TOOL,
      title: 'Call a tool',
      description: `Calls a tool found with ${FIND_TOOLS}. The arguments must match its input schema.`,
      inputSchema: CALL_SCHEMA,
    },
  ]
}
