import type MiniSearch from 'minisearch'

import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { spacedPairs } from '../../text/words'
import type { AgentListedTool, AgentListing } from '../listing/agent-listing'
import { FOUND } from '../listing/search-tools'
import { isForPageOnly } from '../listing/tool-definition'

/** What the tools of a listing are found by. */
type Indexed = {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: string
}

/** Characters of a description that are looked through. */
const READ = 2_000
const MOST_PARAMETERS = 100
/** Words of a query that are looked for, whatever its length. */
const LONGEST_QUERY = 500

/** Finds the tools of an agent by what they do, for its search mode. */
export class ToolFinder {
  /** Gone with the listing. */
  readonly #indexes = new WeakMap<AgentListing, Promise<MiniSearch<Indexed>>>()

  /** The result of `find_tools`: the tools that fit best, or the first ones where nothing is asked for. */
  async find(
    listing: AgentListing,
    query: string,
    limit: number = FOUND.usual,
  ): Promise<Record<string, unknown>> {
    const callable = listing.callable.filter(({ definition }) => !isForPageOnly(definition))
    const found = query.trim() === '' ? callable : await this.#search(listing, callable, query)
    const tools = found.slice(0, limit).map(({ exposedName, listed }) => {
      const { description, inputSchema } = listed
      return { name: exposedName, description, inputSchema }
    })
    const answer = { tools, ...(tools.length === 0 && { hint: hintOf(listing) }) }
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] }
  }

  async #search(
    listing: AgentListing,
    callable: readonly AgentListedTool[],
    query: string,
  ): Promise<AgentListedTool[]> {
    const indexing = this.#indexes.get(listing) ?? indexOf(callable)
    this.#indexes.set(listing, indexing)
    const found = (await indexing).search(query.slice(0, LONGEST_QUERY))
    return found.flatMap(({ id }) => callable[id as number] ?? [])
  }
}

async function indexOf(callable: readonly AgentListedTool[]): Promise<MiniSearch<Indexed>> {
  // Most users never search: until then the index takes no memory.
  const { default: Search } = await import('minisearch')
  const index = new Search<Indexed>({
    fields: ['name', 'title', 'description', 'parameters'],
    tokenize: wordsOf,
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 3, title: 2 } },
  })
  index.addAll(callable.map(indexed))
  return index
}

function indexed({ exposedName, definition }: AgentListedTool, id: number): Indexed {
  const { title = '', description = '', inputSchema } = definition
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined
  const names = isJsonObject(properties) ? Object.keys(properties).slice(0, MOST_PARAMETERS) : []
  const parameters = names.join(' ').slice(0, READ)
  return { id, name: exposedName, title, description: description.slice(0, READ), parameters }
}

/** The words of a text, also those that were written together: `listOpenIssues`, `list_open_issues`. */
function wordsOf(text: string): string[] {
  return spacedPairs(text)
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}

function hintOf({ callable, servers }: AgentListing): string {
  const names = servers.slice(0, 30).map(({ name }) => name)
  return `No match among ${callable.length} tools of these servers: ${names.join(', ')}. Use other words.`
}
