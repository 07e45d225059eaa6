import type { AgentListing } from '../../listing/agent-listing'
import { RequestError } from './request-error'

/** Entries of one page: fewer no client should have to ask twice for. */
export const PAGE = 1_000

/** What a list is called in its answer, and what it has. */
const LISTS = {
  'tools/list': { key: 'tools', of: ({ definitions }: AgentListing) => definitions },
  'prompts/list': {
    key: 'prompts',
    of: ({ prompts }: AgentListing) => prompts.map(({ definition }) => definition),
  },
  'resources/list': {
    key: 'resources',
    of: ({ resources }: AgentListing) => resources.map(({ resource }) => resource),
  },
  'resources/templates/list': {
    key: 'resourceTemplates',
    of: ({ templates }: AgentListing) => templates.map(({ template }) => template),
  },
} as const

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
): Record<string, unknown> {
  const { key, of } = LISTS[method]
  const all = of(listing)
  const from = cursor === undefined ? 0 : placeOf(cursor, method, listing.generation)
  const next = from + PAGE
  const rest = next < all.length ? { nextCursor: cursorOf(method, listing.generation, next) } : {}
  return { [key]: from === 0 && next >= all.length ? all : all.slice(from, next), ...rest }
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
    -32_602,
    'This cursor is of a list that changed meanwhile, or of another. List from the start again.',
  )
}
