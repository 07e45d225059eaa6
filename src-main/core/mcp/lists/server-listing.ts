import type { ServerCapabilities } from '@modelcontextprotocol/client'

import {
  type Capabilities,
  NO_CAPABILITIES,
  type Tool,
} from '../../../../src-shared/domain/agents/capability'
import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf, reasonOf, timeoutError } from '../../failure/describe-failure'
import { HttpStatusError, isBusyRefusal } from '../../failure/remote-failure'
import { isTransient } from '../../failure/transient-failure'
import { Emitter } from '../../lifecycle/emitter'
import { causesOf } from '../../network/fetch-failure'
import { hashInTurns } from '../json/definition-identity'
import { RejectedRequestError } from '../peer/request-failure'
import {
  type ListedCapability,
  type ListKind,
  LISTS,
  type Pages,
  type ReadList,
  readList,
} from './lists'

const FIRST_RETRY_MS = 500
/** Bounds of the delay before changed lists are read again, in ms. */
const RELIST_MS = 200
const MAX_RELIST_MS = 60_000
/** A change announced this soon after a reading is most likely caused by it, in ms. */
const FOLLOWS_MS = 1_000
/** Changes caused by our own readings after which that counts as a protocol violation. */
const MAX_FOLLOWING = 3
/** Lists from this size on are processed in several turns, so that they don't block the app. */
const LARGE_LIST = 500
/** Time reserved for the other lists in the first reading if one is silent, in ms. */
const MARGIN_MS = 500
/** Time limit for a server's answer about an undeclared list, in ms. */
const UNDECLARED_MS = 5_000
/** Delay before the first retry of a failed list, or of a busy server, in ms; the tenth retry comes after some 17 minutes. */
const RETRY_MS = 2_000
const MAX_RETRIES = 10
/** Bounds of a list's TTL (MCP 2026-07-28, `ttlMs`), in ms. */
const MIN_CACHE_MS = 60_000
const MAX_CACHE_MS = 86_400_000

type ServerListingOptions = {
  readonly peer: Pages['peer']
  readonly declared: () => ServerCapabilities | undefined
  readonly counted: Pages['counted']
  readonly hasEnded: () => boolean
  readonly onRepair?: ((repair: string) => void) | undefined
  /** Returns why a tool can't be called over this connection, without full stop. */
  readonly problemOf?: ((tool: Tool) => string | undefined) | undefined
}

/** One list, its consecutive failures, and the timer of its next reading without an announced change. */
type State = { readonly read: ReadList; readonly failures: number; readonly timer?: NodeJS.Timeout }

/** The lists of one connected server: read completely at first, and each again when it changed, expired or failed. */
export class ServerListing implements Disposable {
  readonly #states = new Map<ListKind, State>()
  readonly #changed = new Set<ListedCapability>()
  readonly #didChange = new Emitter<undefined>()
  /** Lists that the server returns although it declares none. */
  readonly #undeclared = new Set<ListedCapability>()
  #capabilities = NO_CAPABILITIES
  #readAt: number | undefined
  /** Time limit of a reading, in ms; the same as for the first one. */
  #budgetMs = 0
  #following = 0
  #lastReadAt = Number.NEGATIVE_INFINITY
  #isReading = false

  readonly onDidChange = this.#didChange.event

  constructor(private readonly options: ServerListingOptions) {}

  get capabilities(): Capabilities {
    return this.#capabilities
  }

  get readableMethod(): string | undefined {
    return LISTS.find((list) => this.#states.get(list)?.read.isRead)?.method
  }

  get readAt(): number | undefined {
    return this.#readAt
  }

  /**
   * Reads the first listing (B5): retries until one list came or `budgetMs` has passed. A JSON-RPC error is an answer, so each one doubles
   * the delay.
   */
  async readFirst(
    budgetMs: number,
    explain: (error: unknown) => AppError | undefined,
    onRetry: (retry: FirstRetry) => void,
  ): Promise<void> {
    const deadline = performance.now() + budgetMs
    for (let waitMs = FIRST_RETRY_MS; ;) {
      try {
        await this.readAll(Math.max(deadline - performance.now(), 0))
        return
      } catch (error) {
        if (error instanceof AppError && error.code === 'REQUEST_TIMEOUT')
          throw timeoutError('discover', budgetMs)
        const isRejection = error instanceof RejectedRequestError
        const appError = error instanceof AppError && !isRejection ? error : undefined
        const reason = explain(error) ?? appError
        const busyMs = busyDelayMs(error, waitMs)
        const isBusy = busyMs !== undefined
        waitMs = busyMs ?? waitMs
        const isLast = this.options.hasEnded() || deadline - performance.now() < waitMs
        // A retry can't change what only the user can fix.
        if (isLast || (reason && !isTransient(reason.code))) throw error
        onRetry(firstRetry(error, waitMs, isBusy))
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        if (isRejection || isBusy) waitMs *= 2
      }
    }
  }

  /**
   * Reads all declared lists within `budgetMs`; a server that declares none is asked for each once. A list that fails while others succeed
   * is named in a notice and retried later (B5). Rejects with the first failure if none succeeded.
   */
  async readAll(budgetMs: number): Promise<void> {
    this.#budgetMs ||= budgetMs
    // Leaves time for the other lists if one is silent.
    const deadline = performance.now() + budgetMs - Math.min(budgetMs / 10, MARGIN_MS)
    this.#changed.clear()
    const declared = LISTS.filter((list) => this.#isDeclared(list.capability))
    if (declared.length === 0) await this.#readUndeclared(deadline)
    else {
      const reads = await Promise.allSettled(declared.map((list) => this.#read(list, deadline)))
      const failures = reads.filter((read) => read.status === 'rejected')
      const [failure] = failures
      if (failure && (failures.length === reads.length || this.options.hasEnded()))
        throw failure.reason
      for (const [index, read] of reads.entries()) this.#store(declared[index], read)
    }
    this.#updateCapabilities()
    this.#readAt = Date.now()
    this.#lastReadAt = performance.now()
    if (this.#changed.size > 0) this.#scheduleReading()
  }

  handle(method: string): boolean {
    const [, one] = /^notifications\/(tools|resources|prompts)\/list_changed$/u.exec(method) ?? []
    if (one === undefined) return false
    this.#countFollowing(one)
    this.#markChanged(one as ListedCapability)
    return true
  }

  /** Reads every list again soon, because changes may have been missed. */
  refresh(): void {
    for (const { capability } of LISTS) this.#markChanged(capability)
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#states.values()) clearTimeout(timer)
  }

  /** Some servers declare nothing but have lists; unknown methods mean an empty list. */
  async #readUndeclared(deadline: number): Promise<void> {
    const soon = Math.min(deadline, performance.now() + UNDECLARED_MS)
    const reads = await Promise.allSettled(LISTS.map((list) => this.#read(list, soon, true)))
    for (const [index, read] of reads.entries()) {
      const list = LISTS[index]
      if (!list || read.status !== 'fulfilled' || read.value.elements.length === 0) continue
      this.#undeclared.add(list.capability)
      this.#store(list, read)
      const { method, capability } = list
      this.options.onRepair?.(`${method} works although capabilities.${capability} is missing`)
    }
  }

  #countFollowing(capability: string): void {
    if (performance.now() - this.#lastReadAt > FOLLOWS_MS) this.#following = 0
    else if (this.#changed.size === 0) this.#following += 1
    if (this.#following >= MAX_FOLLOWING)
      this.options.onRepair?.(
        `each list request triggers notifications/${capability}/list_changed, so Patchbay refreshes the list less often`,
      )
  }

  #markChanged(capability: ListedCapability): void {
    if (!this.#isDeclared(capability)) return
    this.#changed.add(capability)
    if (this.#readAt !== undefined) this.#scheduleReading()
  }

  /** Reads changed lists after a delay. Readings don't overlap, so that an earlier answer never replaces a later one. */
  #scheduleReading(): void {
    if (this.#isReading) return
    this.#isReading = true
    // Doubles while each change follows our own reading, and resets after a quiet time (F9).
    const waitMs = Math.min(RELIST_MS * 2 ** this.#following, MAX_RELIST_MS)
    setTimeout(() => void this.#readChanged(), waitMs).unref()
  }

  async #readChanged(): Promise<void> {
    if (this.options.hasEnded()) return
    const changed = LISTS.filter(({ capability }) => this.#changed.has(capability))
    this.#changed.clear()
    this.#lastReadAt = Number.POSITIVE_INFINITY
    const deadline = performance.now() + this.#budgetMs
    const reads = await Promise.allSettled(changed.map((list) => this.#read(list, deadline)))
    for (const [index, read] of reads.entries()) this.#store(changed[index], read)
    if (reads.some(({ status }) => status === 'fulfilled')) this.#readAt = Date.now()
    this.#lastReadAt = performance.now()
    this.#updateCapabilities()
    if (this.options.hasEnded()) return
    this.#didChange.emit(undefined)
    this.#isReading = false
    if (this.#changed.size > 0) this.#scheduleReading()
  }

  /** Stores a list. A failed one keeps its elements, gets a notice, and is retried with doubling delays. */
  #store(list: ListKind | undefined, outcome: PromiseSettledResult<ReadList>): void {
    if (!list) return
    const before = this.#states.get(list)
    clearTimeout(before?.timer)
    const isRead = outcome.status === 'fulfilled'
    const read = isRead ? outcome.value : failedList(list, before?.read, outcome.reason)
    const failures = isRead ? 0 : (before?.failures ?? 0) + 1
    const waitMs = isRead ? this.#cacheMs(list, outcome.value) : RETRY_MS * 2 ** (failures - 1)
    const isLast = waitMs === undefined || failures > MAX_RETRIES || this.options.hasEnded()
    const reread = (): void => this.#markChanged(list.capability)
    const timer = isLast ? undefined : setTimeout(reread, waitMs).unref()
    this.#states.set(list, { read, failures, ...(timer && { timer }) })
  }

  /** Returns the TTL of a list, in ms; undefined without a TTL, or if the server announces changes. */
  #cacheMs({ capability }: ListKind, { ttlMs = 0 }: ReadList): number | undefined {
    if (ttlMs === 0 || this.options.declared()?.[capability]?.listChanged === true) return undefined
    return Math.min(Math.max(ttlMs, MIN_CACHE_MS), MAX_CACHE_MS)
  }

  async #read(list: ListKind, deadline: number, isUndeclared = false): Promise<ReadList> {
    const { peer, counted, problemOf } = this.options
    const read = await readList({ peer, counted, deadline, isUndeclared }, list)
    if (list.key === 'tools' && read.elements.length > LARGE_LIST)
      await hashInTurns(read.elements as readonly Tool[])
    return list.key === 'tools' && problemOf ? withoutProblems(read, problemOf) : read
  }

  #updateCapabilities(): void {
    const capabilities: Capabilities = { ...NO_CAPABILITIES, notices: [] }
    for (const [{ key }, { read }] of this.#states) {
      Object.assign(capabilities, { [key]: read.elements })
      capabilities.notices.push(...read.notices)
      if (read.longNumbers)
        capabilities.longNumbers = [...(capabilities.longNumbers ?? []), ...read.longNumbers]
    }
    this.#capabilities = capabilities
  }

  #isDeclared(capability: ListedCapability): boolean {
    if (this.#undeclared.has(capability)) return true
    return this.options.declared()?.[capability] !== undefined
  }
}

/** A retry of the first listing: in a few words for its phase, and as a sentence for the log. */
type FirstRetry = { readonly brief: string; readonly warning: string }

function firstRetry(error: unknown, waitMs: number, isBusy: boolean): FirstRetry {
  const next = `try in ${Math.round(waitMs / 100) / 10} s`
  const [brief, what] = isBusy
    ? ['rate limited', 'Rate limited']
    : ['the first listing failed', 'The first listing failed']
  return { brief: `${brief}, next ${next}`, warning: `${what}. Next ${next}: ${messageOf(error)}` }
}

/** Returns the delay before a busy server is retried, in ms: at least what it requests; undefined for any other failure. */
function busyDelayMs(error: unknown, waitMs: number): number | undefined {
  const refusal = causesOf(error).find((one) => one instanceof HttpStatusError)
  if (!refusal || !isBusyRefusal(refusal)) return undefined
  const grown = Math.max(waitMs, RETRY_MS) * (1 + Math.random() / 10)
  return Math.max(grown, refusal.headers.waitMs ?? 0)
}

function failedList({ title }: ListKind, before: ReadList | undefined, error: unknown): ReadList {
  const cause = error instanceof RejectedRequestError ? error.refusal.message : error
  const notice = before?.elements.length
    ? `${title}: the list couldn’t be refreshed (${reasonOf(cause)}). The previous list is shown.`
    : `${title}: the list couldn’t be read (${reasonOf(cause)}).`
  return { elements: [], isRead: false, ...before, notices: [notice] }
}

function withoutProblems(read: ReadList, problemOf: (tool: Tool) => string | undefined): ReadList {
  const problems: string[] = []
  const elements = (read.elements as readonly Tool[]).filter((tool) => {
    const problem = problemOf(tool)
    if (problem !== undefined) problems.push(`${messageOf(tool.name)}: ${problem}`)
    return problem === undefined
  })
  const [first, ...others] = problems
  if (first === undefined) return read
  const notice = `Tools: one tool can’t be called and was ignored (${first}).${moreTools(others.length)}`
  return { ...read, elements, notices: [...read.notices, notice] }
}

function moreTools(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? ' Another tool was ignored for a similar reason.'
    : ` ${count} more tools were ignored for similar reasons.`
}
