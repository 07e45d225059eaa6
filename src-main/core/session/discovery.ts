import type { Client, RequestOptions } from '@modelcontextprotocol/client'
import * as z from 'zod'

import {
  type Capabilities,
  NO_CAPABILITIES,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../src-shared/domain/capability'

/** Most pages asked of one list (C1). */
export const MAX_PAGES = 100
/** Most elements kept of one list: beyond it no person reads and no agent chooses. */
export const MAX_ELEMENTS = 10_000
/** Elements set aside that are told one by one; of more only their number. */
const MAX_TOLD = 3

const Page = z.looseObject({ nextCursor: z.string().optional() })

type ListKind = {
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts'
  readonly method: string
  readonly capability: 'tools' | 'resources' | 'prompts'
  readonly element: z.ZodType
  readonly title: string
}

/** Many servers declare no arguments by leaving the list out. */
const ListedPrompt = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { arguments: [], ...value } : value),
  Prompt,
)

const LISTS: readonly ListKind[] = [
  { key: 'tools', method: 'tools/list', capability: 'tools', element: Tool, title: 'Tools' },
  {
    key: 'resources',
    method: 'resources/list',
    capability: 'resources',
    element: Resource,
    title: 'Resources',
  },
  {
    key: 'resourceTemplates',
    method: 'resources/templates/list',
    capability: 'resources',
    element: ResourceTemplate,
    title: 'Resource templates',
  },
  {
    key: 'prompts',
    method: 'prompts/list',
    capability: 'prompts',
    element: ListedPrompt,
    title: 'Prompts',
  },
]

/** Lists all that a connected server declares; rejects with the SDK's error when a list of a declared kind fails. */
export async function discover(client: Client, options: RequestOptions): Promise<Capabilities> {
  const declared = client.getServerCapabilities() ?? {}
  const found: Capabilities = { ...NO_CAPABILITIES, notices: [] }
  const lists = LISTS.filter((list) => declared[list.capability] !== undefined)
  await Promise.all(
    lists.map(async (list) => {
      // Templates are an optional part of resources: many servers answer "method not found".
      const elements = await listAll(client, list, options, found.notices)
      Object.assign(found, { [list.key]: elements })
    }),
  )
  return found
}

async function listAll(
  client: Client,
  list: ListKind,
  options: RequestOptions,
  notices: string[],
): Promise<unknown[]> {
  const elements: unknown[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await requestPage(client, list, params, options)
    // Not spread: a list of hundreds of thousands does not fit the stack.
    for (const element of asList(answer[list.key])) elements.push(element)
    if (elements.length > MAX_ELEMENTS) {
      notices.push(
        `${list.title}: the list is longer than ${String(MAX_ELEMENTS)}; the rest is left out.`,
      )
      return readElements(list, elements.slice(0, MAX_ELEMENTS), notices)
    }
    cursor = answer.nextCursor
    if (cursor === undefined || cursor === '') return readElements(list, elements, notices)
    if (seen.has(cursor)) {
      notices.push(`${list.title}: the server repeated a page, so the list stops there.`)
      return readElements(list, elements, notices)
    }
    seen.add(cursor)
  }
  notices.push(
    `${list.title}: the list is longer than ${String(MAX_PAGES)} pages; the rest is left out.`,
  )
  return readElements(list, elements, notices)
}

async function requestPage(
  client: Client,
  list: ListKind,
  params: Record<string, unknown>,
  options: RequestOptions,
): Promise<z.infer<typeof Page>> {
  try {
    return await client.request({ method: list.method, params }, Page, options)
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (list.key === 'resourceTemplates' && code === -32601) return {}
    throw error
  }
}

function asList(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : []
}

function readElements(list: ListKind, raw: readonly unknown[], notices: string[]): unknown[] {
  const elements: unknown[] = []
  let setAside = 0
  for (const [index, element] of raw.entries()) {
    const parsed = list.element.safeParse(element)
    if (parsed.success) {
      elements.push(parsed.data)
      continue
    }
    setAside += 1
    if (setAside > MAX_TOLD) continue
    const problem = parsed.error.issues[0]
    notices.push(
      `${list.title}: number ${String(index + 1)} does not follow the protocol and was set aside` +
        ` (${problem?.path.join('.') ?? ''}: ${problem?.message ?? 'unreadable'}).`,
    )
  }
  if (setAside > MAX_TOLD)
    notices.push(`${list.title}: ${String(setAside - MAX_TOLD)} more were set aside the same way.`)
  return elements
}
