import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { AgentListing } from '../listing/agent-listing'
import { sessionOutputSchema } from '../listing/tool-definition'
import { CODES, RequestError } from './request-error'

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

/** By the part of a listing: kept as long as that part, for each kind of protocol version. */
const WRITTEN = {
  sessions: new WeakMap<readonly object[], ResultText>(),
  stateless: new WeakMap<readonly object[], ResultText>(),
}

/** Whether a method is answered by a list. */
export function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method)
}

/** A list from the last known good, on one page: no cursor was ever given, so each is refused (-32602). */
export function listPage(
  method: ListMethod,
  listing: AgentListing,
  cursor: unknown,
  version: string,
): ResultText {
  if (cursor !== undefined)
    throw new RequestError(CODES.invalidParams, 'Invalid cursor. List again from the start.')
  const { key, part } = LISTS[method]
  const isStateless = version >= STATELESS
  const known = isStateless ? WRITTEN.stateless : WRITTEN.sessions
  const written =
    known.get(listing[part]) ?? writtenResult({ [key]: listOf(method, listing, isStateless) })
  known.set(listing[part], written)
  return written
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
