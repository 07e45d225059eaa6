import { METHOD_NOT_FOUND } from '@modelcontextprotocol/client'
import type * as z from 'zod'

import {
  type Capabilities,
  type LongNumber,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { longNumbersIn } from '../json/exact-json'
import { isTooDeep, jsonBytes, MAX_DEPTH } from '../json/json-rpc'
import { exactResult, type ResultText, writtenResult } from '../json/result-text'
import type { Peer } from '../peer/peer'
import { RejectedRequestError } from '../peer/request-failure'

const MAX_PAGES = 100
/** Maximum number of elements per list: no user reads and no agent uses more. */
const MAX_ELEMENTS = 10_000
const MAX_LIST_BYTES = 10 * 1024 * 1024
/** Maximum length of a cursor, in characters: positions in a list take a few dozen. */
const MAX_CURSOR = 64 * 1024
const MAX_NAMED = 3

export type ListedCapability = 'tools' | 'resources' | 'prompts'

export type ListKind = {
  readonly key: Exclude<keyof Capabilities, 'notices' | 'longNumbers'>
  readonly method: string
  readonly capability: ListedCapability
  readonly element: z.ZodType
  /** The member that identifies its elements. */
  readonly id: 'name' | 'uri' | 'uriTemplate'
  readonly title: string
}

export type ReadList = {
  readonly elements: readonly unknown[]
  readonly notices: readonly string[]
  /** False if the server hasn't returned the list. */
  readonly isRead: boolean
  /** The shortest TTL of its pages; undefined if none has one. */
  readonly ttlMs?: number | undefined
  /** Long numbers of the elements; absent if there are none. */
  readonly longNumbers?: readonly LongNumber[]
}

export const LISTS: readonly ListKind[] = [
  {
    ...{ key: 'tools', capability: 'tools', method: 'tools/list' },
    ...{ element: Tool, id: 'name', title: 'Tools' },
  },
  {
    ...{ key: 'resources', capability: 'resources', method: 'resources/list' },
    ...{ element: Resource, id: 'uri', title: 'Resources' },
  },
  {
    ...{ key: 'resourceTemplates', capability: 'resources', method: 'resources/templates/list' },
    ...{ element: ResourceTemplate, id: 'uriTemplate', title: 'Resource templates' },
  },
  {
    ...{ key: 'prompts', capability: 'prompts', method: 'prompts/list' },
    ...{ element: Prompt, id: 'name', title: 'Prompts' },
  },
]

/** Requests the pages of a list; all have to arrive by the same deadline. */
export type Pages = {
  readonly peer: Pick<Peer, 'request' | 'isStateless'>
  readonly deadline: number
  /** The server didn't declare the list, so it may not know the method. */
  readonly isUndeclared?: boolean | undefined
  /** Wraps every request; a rejection that means an empty list doesn't count as a failure. */
  readonly counted: <T>(method: string, send: () => Promise<T>) => Promise<T>
}

/** Reads a list to its end or its limits; rejects as `Peer.request` does if a page fails or the deadline passes. */
export async function readList(pages: Pages, list: ListKind): Promise<ReadList> {
  const reading = new ListReading(list)
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await requestPage(pages, list, cursor === undefined ? {} : { cursor })
    const { [list.key]: elements, nextCursor, ttlMs } = answer.result
    const from = reading.count
    const exact = exactResult(answer)
    if (exact !== answer.result) reading.addLongNumbers(exact[list.key])
    if (!reading.addPage(Array.isArray(elements) ? elements : [], ttlMs)) return reading.end()
    const next = nextCursor ?? undefined
    // Since 2026-07-28 an empty text is a valid cursor (MCP, pagination); older servers end their lists with it.
    if (next === undefined || (next === '' && !pages.peer.isStateless)) return reading.end()
    if (typeof next !== 'string')
      return reading.end('the next cursor is not a string, so the list stops there')
    if (next.length > MAX_CURSOR) {
      const limit = `${MAX_CURSOR / 1024} KB`
      return reading.end(`the next cursor is larger than ${limit}, so the list stops there`)
    }
    if (seen.has(next)) {
      reading.dropRepeats(from)
      return reading.end('the server repeated a cursor, so the list stops there')
    }
    cursor = next
    seen.add(cursor)
  }
  return reading.end(`the list has more than ${MAX_PAGES} pages, and the rest is ignored`)
}

function requestPage(
  { peer, deadline, counted, isUndeclared = false }: Pages,
  list: ListKind,
  params: JsonObject,
): Promise<ResultText> {
  return counted(list.method, async () => {
    try {
      const timeoutMs = Math.max(Math.round(deadline - performance.now()), 1)
      return await peer.request(list.method, params, { timeoutMs })
    } catch (error) {
      const isUnknown =
        error instanceof RejectedRequestError && error.refusal.code === METHOD_NOT_FOUND
      // Templates are an optional part of resources: many servers answer "method not found".
      if (isUnknown && (isUndeclared || list.key === 'resourceTemplates')) return writtenResult({})
      throw error
    }
  })
}

class ListReading {
  readonly #elements: unknown[] = []
  readonly #notices: string[] = []
  readonly #longNumbers: LongNumber[] = []
  #count = 0
  #bytes = 0
  #ignored = 0
  #ttlMs: number | undefined

  constructor(private readonly list: ListKind) {}

  get count(): number {
    return this.#elements.length
  }

  /** Removes elements from an index on that equal an earlier one: a server that ignores cursors repeats its page. */
  dropRepeats(from: number): void {
    const before = new Set(this.#elements.slice(0, from).map((one) => JSON.stringify(one)))
    const added = this.#elements.splice(from)
    this.#elements.push(...added.filter((one) => !before.has(JSON.stringify(one))))
  }

  /** Collects a page's numbers that JavaScript can't represent; `elements` come from `exactJson`. */
  addLongNumbers(elements: unknown): void {
    if (!Array.isArray(elements)) return
    for (const element of elements as readonly unknown[]) {
      const key = isJsonObject(element) ? element[this.list.id] : undefined
      if (typeof key !== 'string' || isTooDeep(element)) continue
      for (const { path, digits } of longNumbersIn(element)) {
        if (this.#longNumbers.length === MAX_ELEMENTS) return
        this.#longNumbers.push({ element: key, path: [...path], digits })
      }
    }
  }

  /** Adds a page with its TTL; returns false once the list exceeds its limits. */
  addPage(page: readonly unknown[], ttlMs: unknown): boolean {
    if (typeof ttlMs === 'number' && ttlMs >= 0)
      this.#ttlMs = Math.min(ttlMs, this.#ttlMs ?? Infinity)
    for (const raw of page) {
      if (this.#count === MAX_ELEMENTS) {
        this.#addNotice(`the list has more than ${MAX_ELEMENTS} elements, and the rest is ignored`)
        return false
      }
      this.#count += 1
      const parsed = isTooDeep(raw) ? undefined : this.list.element.safeParse(raw)
      if (!parsed?.success) {
        this.#ignore(parsed?.error)
        continue
      }
      this.#bytes += jsonBytes(raw)
      if (this.#bytes > MAX_LIST_BYTES) {
        const limit = `${MAX_LIST_BYTES / 1024 / 1024} MB`
        const rest = `elements from number ${this.#count} on are ignored`
        this.#addNotice(`the list is larger than ${limit}, and ${rest}`)
        return false
      }
      this.#elements.push(parsed.data)
    }
    return true
  }

  /** Returns the list; `problem` is why it ends early, without title and full stop. */
  end(problem?: string): ReadList {
    if (problem !== undefined) this.#addNotice(problem)
    const more = this.#ignored - MAX_NAMED
    if (more > 0) this.#addNotice(`${more} more elements were ignored for the same reason`)
    const [elements, notices, ttlMs] = [this.#elements, this.#notices, this.#ttlMs]
    const longNumbers = this.#longNumbers
    const numbers = longNumbers.length > 0 && { longNumbers }
    return { elements, notices, isRead: true, ttlMs, ...numbers }
  }

  #ignore(error: z.ZodError | undefined): void {
    this.#ignored += 1
    if (this.#ignored > MAX_NAMED) return
    const [issue] = error?.issues ?? []
    const path = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
    const expected = issue?.message.replace(/^Invalid input: /u, '') ?? 'unreadable'
    const why = error ? path + expected : `nested more than ${MAX_DEPTH} levels deep`
    this.#addNotice(`number ${this.#count} was ignored: ${why}`)
  }

  #addNotice(problem: string): void {
    this.#notices.push(`${this.list.title}: ${problem}.`)
  }
}
