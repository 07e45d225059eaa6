import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { AgentListing } from '../listing/agent-listing'
import { sessionOutputSchema } from '../listing/tool-definition'
import { CODES, RequestError } from './request-error'

/** Entries of one page: fewer no client should have to ask twice for. */
const PAGE = 1_000
/** The first protocol version without sessions (MCP 2026-07-28). */
const STATELESS = '2026-07-28'

/** How each list is called in its answer, and the part of the listing that it is made of. */
const LISTS = {
  'tools/list': { key: 'tools', part: 'definitions' },
  'prompts/list': { key: 'prompts', part: 'prompts' },
  'resources/list': { key: 'resources', part: 'resources' },
  'resources/templates/list': { key: 'resourceTemplates', part: 'templates' },
} as const

/** The methods that are answered by a list. */
type ListMethod = keyof typeof LISTS

/** A list as an agent gets it, and its answer where one page holds it. */
type Written = { readonly all: readonly object[]; readonly whole: ResultText }

/** By the part of a listing: kept as long as that part, for each kind of protocol version. */
const WRITTEN = {
  sessions: new WeakMap<readonly object[], Written>(),
  stateless: new WeakMap<readonly object[], Written>(),
}

/** Whether a method is answered by a list. */
export function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method)
}

/**
 * A page of a list, from the last known good. A cursor holds for the list that it is of: once that changed it is refused
 * (-32602), as its pages could lack what moved.
 */
export function listPage(
  method: ListMethod,
  listing: AgentListing,
  cursor: unknown,
  version: string,
): ResultText {
  const { key, part } = LISTS[method]
  const known = version >= STATELESS ? WRITTEN.stateless : WRITTEN.sessions
  let written = known.get(listing[part])
  if (!written) {
    const all = listOf(method, listing, version >= STATELESS)
    written = { all, whole: writtenResult({ [key]: all }) }
    known.set(listing[part], written)
  }
  const { all, whole } = written
  const from = cursor === undefined ? 0 : placeOf(cursor, method, listing.generation)
  const next = from + PAGE
  if (from === 0 && next >= all.length) return whole
  const nextCursor = next < all.length ? cursorOf(method, listing.generation, next) : undefined
  return writtenResult({ [key]: all.slice(from, next), ...(nextCursor && { nextCursor }) })
}

function listOf(
  method: ListMethod,
  listing: AgentListing,
  isStateless: boolean,
): readonly object[] {
  switch (method) {
    case 'tools/list':
      return listing.definitions.map(isStateless ? withoutExecution : withSessionOutput)
    case 'prompts/list':
      return listing.prompts.map(({ definition }) => definition)
    case 'resources/list':
      return listing.resources.map(({ resource }) => resource)
    case 'resources/templates/list': {
      const templates = listing.templates.map(({ template }) => template)
      const known = new Set<string>()
      return templates.filter(
        ({ uriTemplate }) => !known.has(uriTemplate) && known.add(uriTemplate),
      )
    }
  }
}

/** Since 2026-07-28 there are no tasks. */
function withoutExecution(tool: Tool): Tool {
  const { execution: _, ...others } = tool
  return others
}

/** Up to 2025-11-25 output schemas are of objects. */
function withSessionOutput(tool: Tool): Tool {
  const { outputSchema } = tool
  if (!isJsonObject(outputSchema)) return tool
  return { ...tool, outputSchema: sessionOutputSchema(outputSchema) }
}

function cursorOf(method: ListMethod, generation: number, place: number): string {
  return Buffer.from(`${method} ${String(generation)} ${String(place)}`).toString('base64url')
}

function placeOf(cursor: unknown, method: ListMethod, generation: number): number {
  if (typeof cursor === 'string') {
    const [of, made, place] = Buffer.from(cursor, 'base64url').toString().split(' ')
    const isOfIt = of === method && made === String(generation)
    if (isOfIt && Number(place) > 0 && Number(place) % PAGE === 0) return Number(place)
  }
  throw new RequestError(
    CODES.invalidParams,
    'Invalid cursor: the list has changed, or the cursor belongs to another list. List again from the start.',
  )
}
