import * as z from 'zod'

import {
  type Capabilities,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import { MAX_DEPTH, measureJson } from '../json/measure-json'
import type { Peer } from '../peer/peer'
import { RefusedRequestError } from '../peer/request-failure'

/** Pages of one list that are requested (C1). */
const MAX_PAGES = 100
/** Elements that are kept of one list: beyond them no user reads and no agent chooses. */
const MAX_ELEMENTS = 10_000
/** Of one list, in bytes of its JSON. */
const MAX_LIST_BYTES = 10 * 1024 * 1024
/** Of a cursor that is sent back, in characters: a place in a list takes a few dozen. */
const MAX_CURSOR = 64 * 1024
/** Ignored elements that are named one by one; of more only their number. */
const MAX_NAMED = 3

const Page = z.looseObject({
  /** A text where another page follows; some servers write null where none does. */
  nextCursor: z.unknown().optional(),
  /** How long it holds (MCP 2026-07-28, caching). */
  ttlMs: z.number().nonnegative().optional().catch(undefined),
})

/** A capability of a server that has lists, and whose changes it may announce. */
export type ListedCapability = 'tools' | 'resources' | 'prompts'

/** One list of a server. */
export type ListKind = {
  readonly key: Exclude<keyof Capabilities, 'notices'>
  readonly method: string
  readonly capability: ListedCapability
  readonly element: z.ZodType
  readonly title: string
}

/** The elements of one list, and a sentence for each problem. */
export type ReadList = {
  readonly elements: readonly unknown[]
  readonly notices: string[]
  /** False where the server has not answered for it. */
  readonly isRead: boolean
  /** The shortest time that one of its pages holds; undefined and 0 where none gives one. */
  readonly ttlMs?: number | undefined
  /** How long reading it kept the app busy, in ms. */
  readonly busyMs: number
}

/** Every list that a server may have. */
export const LISTS: readonly ListKind[] = [
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
    element: Prompt,
    title: 'Prompts',
  },
]

/** How the pages of a list are requested; all of them end by the same time. */
export type Pages = {
  readonly peer: Pick<Peer, 'request' | 'isStateless'>
  /** Of `performance.now()`. */
  readonly deadline: number
  /** The server did not declare the list, so that it need not know the method. */
  readonly isUndeclared?: boolean | undefined
  /** Every request goes through it; a refusal that is taken for an empty list has not failed. */
  readonly counted: <T>(method: string, send: () => Promise<T>) => Promise<T>
}

/** Reads one list to its end, or to its limits; rejects as `Peer.request` does when a page fails or the deadline passes. */
export async function readList(pages: Pages, list: ListKind): Promise<ReadList> {
  const reading = new ListReading(list)
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await requestPage(pages, list, params)
    reading.holds(answer.ttlMs)
    const from = reading.count
    if (!reading.take(asList(answer[list.key]))) return reading.end()
    const next = answer.nextCursor ?? undefined
    // Since 2026-07-28 an empty text is a cursor (MCP, pagination); servers before end their lists with it.
    const isEnd = next === '' && !pages.peer.isStateless
    if (next === undefined || isEnd) return reading.end()
    if (typeof next !== 'string')
      return reading.end('the next cursor is not a string, so the list stops there')
    cursor = next
    if (cursor.length > MAX_CURSOR)
      return reading.end(
        `the next cursor is larger than ${MAX_CURSOR / 1024} KB, so the list stops there`,
      )
    if (seen.has(cursor)) {
      reading.dropRepeats(from)
      return reading.end('the server repeated a cursor, so the list stops there')
    }
    seen.add(cursor)
  }
  return reading.end(`the list has more than ${MAX_PAGES} pages, and the rest is ignored`)
}

async function requestPage(
  { peer, deadline, counted, isUndeclared = false }: Pages,
  list: ListKind,
  params: Record<string, unknown>,
): Promise<z.infer<typeof Page>> {
  return counted(list.method, async () => {
    try {
      const timeoutMs = Math.max(Math.round(deadline - performance.now()), 1)
      const { result } = await peer.request(list.method, params, { timeoutMs })
      return Page.parse(result)
    } catch (error) {
      const code = error instanceof RefusedRequestError ? error.refusal.code : undefined
      // Templates are an optional part of resources: many servers answer "method not found".
      if ((isUndeclared || list.key === 'resourceTemplates') && code === -32601) return {}
      throw error
    }
  })
}

function asList(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : []
}

/** Collects the elements of one list, as many as are kept of it. */
class ListReading {
  readonly #elements: unknown[] = []
  readonly #notices: string[] = []
  #seen = 0
  #bytes = 0
  #ignored = 0
  #ttlMs: number | undefined
  #busyMs = 0

  constructor(private readonly list: ListKind) {}

  /** How long a page holds, where it says so. */
  holds(ttlMs: number | undefined): void {
    if (ttlMs !== undefined) this.#ttlMs = Math.min(ttlMs, this.#ttlMs ?? Infinity)
  }

  /** How many elements were taken. */
  get count(): number {
    return this.#elements.length
  }

  /** Removes the elements from an index on that equal one before it: a server that ignores cursors repeats its page. */
  dropRepeats(from: number): void {
    const before = new Set(this.#elements.slice(0, from).map((one) => JSON.stringify(one)))
    const rest = this.#elements.splice(from)
    this.#elements.push(...rest.filter((one) => !before.has(JSON.stringify(one))))
  }

  /** False once the list is more than is kept. */
  take(page: readonly unknown[]): boolean {
    const from = performance.now()
    const isAll = this.#takePage(page)
    this.#busyMs += performance.now() - from
    return isAll
  }

  /** The list; `problem` is why it ends, without title and full stop. */
  end(problem?: string): ReadList {
    if (problem !== undefined) this.#note(problem)
    const more = this.#ignored - MAX_NAMED
    if (more > 0) this.#note(`${more} more elements were ignored for the same reason`)
    const [elements, notices] = [this.#elements, this.#notices]
    return { elements, notices, isRead: true, ttlMs: this.#ttlMs, busyMs: this.#busyMs }
  }

  #takePage(page: readonly unknown[]): boolean {
    for (const raw of page) {
      if (this.#seen === MAX_ELEMENTS) {
        this.#note(`the list has more than ${MAX_ELEMENTS} elements, and the rest is ignored`)
        return false
      }
      this.#seen += 1
      if (this.#takeOne(raw)) continue
      const megabytes = MAX_LIST_BYTES / 1024 / 1024
      this.#note(
        `the list is larger than ${megabytes} MB, and elements from number ${this.#seen} on are ignored`,
      )
      return false
    }
    return true
  }

  /** False where it has no room; an invalid element takes none. */
  #takeOne(raw: unknown): boolean {
    const left = MAX_LIST_BYTES - this.#bytes
    const { bytes, isTooDeep } = measureJson(raw, left)
    if (isTooDeep) {
      this.#ignore(`was ignored: nested more than ${MAX_DEPTH} levels deep`)
      return true
    }
    if (bytes > left) return false
    const parsed = this.list.element.safeParse(raw)
    if (parsed.success) {
      this.#elements.push(parsed.data)
      this.#bytes += bytes
      return true
    }
    const problem = parsed.error.issues[0]
    const path = problem?.path.join('.') ?? ''
    const expected = problem?.message.replace(/^Invalid input: /u, '') ?? 'unreadable'
    this.#ignore(`was ignored: ${path === '' ? expected : `${path}: ${expected}`}`)
    return true
  }

  #ignore(why: string): void {
    this.#ignored += 1
    if (this.#ignored <= MAX_NAMED) this.#note(`number ${this.#seen} ${why}`)
  }

  #note(problem: string): void {
    this.#notices.push(`${this.list.title}: ${problem}.`)
  }
}
