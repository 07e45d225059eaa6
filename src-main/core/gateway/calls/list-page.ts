import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { AgentListing } from '../listing/agent-listing'
import { sessionOutputSchema } from '../listing/schema-references'
import { CODES, RequestError } from './request-error'

/** Entries of one page: fewer no client should have to ask twice for. */
const PAGE = 1_000

/** The first protocol version without sessions (MCP 2026-07-28). */
const STATELESS = '2026-07-28'

/** What each list is called in its answer, and what it has. */
const LISTS = {
  'tools/list': { key: 'tools', of: ({ definitions }: AgentListing) => definitions },
  'prompts/list': {
    key: 'prompts',
    of: ({ prompts }: AgentListing) => listOnce(prompts, (all) => all.map((one) => one.definition)),
  },
  'resources/list': {
    key: 'resources',
    of: ({ resources }: AgentListing) =>
      listOnce(resources, (all) => all.map(({ resource }) => resource)),
  },
  'resources/templates/list': {
    key: 'resourceTemplates',
    of: ({ templates }: AgentListing) =>
      listOnce(templates, (all) => {
        const listed = all.map(({ template }) => template)
        const same = Map.groupBy(listed, ({ uriTemplate }) => uriTemplate)
        return [...same.values()].flatMap((each) => each.slice(0, 1))
      }),
  },
} as const

const LISTED = new WeakMap<readonly object[], readonly object[]>()

/** What an agent lists of a part of its listing; the same list as long as that part is. */
function listOnce<T extends object>(
  part: readonly T[],
  of: (all: readonly T[]) => readonly object[],
): readonly object[] {
  const known = LISTED.get(part)
  if (known) return known
  const list = of(part)
  LISTED.set(part, list)
  return list
}

/** The methods that are answered by a list. */
export type ListMethod = keyof typeof LISTS

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
  const { key, of } = LISTS[method]
  const own: readonly object[] = of(listing)
  const all = method === 'tools/list' ? toolsFor(version, own as readonly Tool[]) : own
  const from = cursor === undefined ? 0 : placeOf(cursor, method, listing.generation)
  const next = from + PAGE
  if (from === 0 && next >= all.length) return wholeList(key, all)
  const rest = next < all.length ? { nextCursor: cursorOf(method, listing.generation, next) } : {}
  return writtenResult({ [key]: all.slice(from, next), ...rest })
}

/** Written once for each list. */
const WHOLE = new WeakMap<readonly object[], ResultText>()

function wholeList(key: string, all: readonly object[]): ResultText {
  const known = WHOLE.get(all)
  if (known) return known
  const whole = writtenResult({ [key]: all })
  WHOLE.set(all, whole)
  return whole
}

type Versions = { sessions?: readonly Tool[]; stateless?: readonly Tool[] }
const VERSIONS = new WeakMap<readonly Tool[], Versions>()

/** The tools in the form of a protocol version: up to 2025-11-25 output schemas are of objects, since then there are no tasks. */
function toolsFor(version: string, tools: readonly Tool[]): readonly Tool[] {
  const known: Versions = VERSIONS.get(tools) ?? {}
  VERSIONS.set(tools, known)
  if (version >= STATELESS) return (known.stateless ??= mapped(tools, withoutExecution))
  return (known.sessions ??= mapped(tools, withSessionOutput))
}

function withoutExecution(tool: Tool): Tool {
  if (!('execution' in tool)) return tool
  const { execution: _, ...others } = tool
  return others
}

function withSessionOutput(tool: Tool): Tool {
  const { outputSchema } = tool
  if (!isJsonObject(outputSchema)) return tool
  const ofObject = sessionOutputSchema(outputSchema)
  return ofObject === outputSchema ? tool : { ...tool, outputSchema: ofObject }
}

/** The same list where nothing is another. */
function mapped(tools: readonly Tool[], map: (tool: Tool) => Tool): readonly Tool[] {
  const all = tools.map(map)
  return all.every((tool, index) => tool === tools[index]) ? tools : all
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
