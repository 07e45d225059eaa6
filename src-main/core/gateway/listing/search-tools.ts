import type MiniSearch from 'minisearch'

import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { madeOnce } from '../../lifecycle/same-object'
import { TurnShare } from '../../lifecycle/turn-share'
import { spacedSyllables } from '../../text/words'
import { contextField } from '../../tools/context/context-field'
import type { AgentListedTool, AgentListing, ShownServer } from './agent-listing'
import { isForPageOnly } from './tool-definition'

export const FIND_TOOLS = 'find_tools'
export const CALL_TOOL = 'call_tool'
/** The names of both tools. In search mode no tool has one of them as its plain name, and no prefixed name can equal one. */
export const SEARCH_NAMES: readonly string[] = [FIND_TOOLS, CALL_TOOL]

/** Default and maximum number of results. */
const FOUND = { usual: 8, most: 20 } as const

const NAMED_SERVERS = 30
/** Searched characters of a description, and searched parameters. */
const READ = 2_000
const MAX_PARAMETERS = 100
/** Searched characters of a query. */
const MAX_QUERY_LENGTH = 500

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

/** Returns the two tools of search mode; their descriptions name the servers. */
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

type Indexed = {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: string
}

/** Returns the result of `find_tools`: the best matches, or the first tools for an empty query. */
export async function findTools(
  listing: AgentListing,
  query: string,
  limit: number = FOUND.usual,
): Promise<object> {
  const { servers } = listing
  const callable = forModels(listing)
  const found = (await indexOf(listing)).search(query.slice(0, MAX_QUERY_LENGTH))
  const fitting = found.flatMap(({ id }) => callable[id as number] ?? [])
  const tools = (query.trim() === '' ? callable : fitting).slice(0, limit)
  const names = servers.slice(0, NAMED_SERVERS).map(({ name }) => name)
  const hint = `No match among ${listing.callable.length} tools of these servers: ${names.join(', ')}. Use other words.`
  const answer = {
    tools: tools.map(({ exposedName, listed: { description, inputSchema } }) => {
      return { name: exposedName, description, inputSchema }
    }),
    ...(tools.length === 0 && { hint }),
  }
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
}

function forModels({ callable }: AgentListing): AgentListedTool[] {
  return callable.filter(({ definition }) => !isForPageOnly(definition))
}

const indexOf = madeOnce(async (listing: AgentListing): Promise<MiniSearch<Indexed>> => {
  // Most users never search, so the index is built at the first search.
  const { default: Search } = await import('minisearch')
  const index = new Search<Indexed>({
    fields: ['name', 'title', 'description', 'parameters'],
    tokenize: wordsOf,
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 3, title: 2 } },
  })
  const turn = new TurnShare()
  for (const [id, tool] of forModels(listing).entries()) {
    index.add(indexed(tool, id))
    if (turn.isUsedUp) await turn.next()
  }
  return index
})

function indexed({ exposedName, definition }: AgentListedTool, id: number): Indexed {
  const { title = '', description = '', inputSchema } = definition
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined
  const names = isJsonObject(properties) ? Object.keys(properties).slice(0, MAX_PARAMETERS) : []
  const parameters = names.join(' ').slice(0, READ)
  return { id, name: exposedName, title, description: description.slice(0, READ), parameters }
}

/** Returns the words of a text, also those of compounds: `listOpenIssues`, `list_open_issues`. */
function wordsOf(text: string): string[] {
  return spacedSyllables(text)
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}
