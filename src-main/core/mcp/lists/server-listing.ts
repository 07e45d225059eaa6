import type { ServerCapabilities } from '@modelcontextprotocol/client'

import {
  type Capabilities,
  NO_CAPABILITIES,
  type Tool,
} from '../../../../src-shared/domain/agents/capability'
import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf, timeoutError } from '../../failure/describe-failure'
import { mendsItself } from '../../failure/mends-itself'
import { Emitter } from '../../lifecycle/emitter'
import { RefusedRequestError } from '../peer/request-failure'
import {
  type ListedCapability,
  type ListKind,
  LISTS,
  type Pages,
  type ReadList,
  readList,
} from './lists'

/** The wait before a first listing that failed is retried, in ms. */
const FIRST_RETRY_MS = 500
/** The shortest wait before changed lists are read again, in ms. */
const RELIST_MS = 200
/** For each ms that reading and showing lists kept the app busy, so many pass before they are read again. */
const REST_FACTOR = 20
const MAX_REST_MS = 60_000
/** A change that is announced so soon after a reading most likely only follows it, in ms. */
const FOLLOWS_MS = 1_000
/** Changes that only follow our own readings, after which that counts as a departure from the protocol. */
const MAX_FOLLOWING = 10
/** Of the time that a first reading has, the share of the other lists where one is silent, in ms. */
const MARGIN_MS = 500
/** How long a server that declares no list may take to answer for one, in ms. */
const UNDECLARED_MS = 5_000
/** The wait before the first retry of a list that failed, in ms; the tenth comes after some 17 minutes. */
const RETRY_MS = 2_000
const MAX_RETRIES = 10
/** Bounds of the time that a list holds which gives one (MCP 2026-07-28, `ttlMs`), in ms. */
const MIN_HOLD_MS = 60_000
const MAX_HOLD_MS = 86_400_000

export type ServerListingOptions = {
  readonly peer: Pages['peer']
  /** The capabilities that the server declared in the handshake. */
  readonly declared: () => ServerCapabilities | undefined
  readonly counted: Pages['counted']
  /** The connection is gone. */
  readonly isOver: () => boolean
  /** Counts and names something that was usable in spite of the protocol, without full stop. */
  readonly onRepair?: ((repair: string) => void) | undefined
  /** Why a tool cannot be called over this connection, without full stop. */
  readonly problemOf?: ((tool: Tool) => string | undefined) | undefined
  /** The least time between two readings of a list that holds for some time only, in ms. */
  readonly minHoldMs?: number
}

/** What one connected server lists: read whole at first, then each list again when it changed, holds no longer, or failed. */
export class ServerListing implements Disposable {
  readonly #options: ServerListingOptions
  readonly #lists = new Map<ListKind['key'], ReadList>()
  readonly #changed = new Set<ListedCapability>()
  readonly #didChange = new Emitter<undefined>()
  /** Lists that the server answers for although it declares nothing. */
  readonly #undeclared = new Set<ListedCapability>()
  /** When lists hold no longer, or are retried. */
  readonly #timers = new Map<ListKind['key'], NodeJS.Timeout>()
  /** Failures in a row. */
  readonly #failures = new Map<ListKind['key'], number>()
  #capabilities = NO_CAPABILITIES
  #readAt: number | undefined
  /** How long a reading may take, in ms: as long as the first one. */
  #budgetMs = 0
  #restMs = RELIST_MS
  /** Changes in a row that only followed our own readings. */
  #following = 0
  #lastReadAt = Number.NEGATIVE_INFINITY
  #isReading = false

  /** Fires when lists were read again, or could not be. */
  readonly onDidChange = this.#didChange.event

  constructor(options: ServerListingOptions) {
    this.#options = options
  }

  get capabilities(): Capabilities {
    return this.#capabilities
  }

  /** The method of a list that the server has answered; undefined where there is none. */
  get answeredMethod(): string | undefined {
    return LISTS.find(({ key }) => this.#lists.get(key)?.isRead)?.method
  }

  /** When a list was last read, epoch ms; undefined before the first. */
  get readAt(): number | undefined {
    return this.#readAt
  }

  /**
   * The first listing (B5): reads until one list came or `budgetMs` has passed, and rejects with the last failure. A
   * JSON-RPC error is an answer, so each one doubles the wait for the next retry. `explain` gives the connection's own reason of a failure, where it has one.
   */
  async readFirst(
    budgetMs: number,
    explain: (error: unknown) => AppError | undefined,
    onWarning: (message: string) => void,
  ): Promise<void> {
    const deadline = performance.now() + budgetMs
    for (let waitMs = FIRST_RETRY_MS; ;) {
      try {
        await this.readAll(Math.max(deadline - performance.now(), 0))
        return
      } catch (error) {
        if (error instanceof AppError && error.code === 'REQUEST_TIMEOUT')
          throw timeoutError('discover', budgetMs)
        const isRejection = error instanceof RefusedRequestError
        const isAppError = error instanceof AppError && !isRejection
        const reason = explain(error) ?? (isAppError ? error : undefined)
        const isLast = this.#options.isOver() || deadline - performance.now() < waitMs
        // A retry can't change what only the user can fix.
        if (isLast || (reason && !mendsItself(reason.code))) throw error
        onWarning(`The first listing failed. Retrying in ${waitMs / 1_000} s: ${messageOf(error)}`)
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        if (isRejection) waitMs *= 2
      }
    }
  }

  /**
   * Reads all that the server declares within `budgetMs`; a server that declares no list is asked for each once. A list
   * that fails beside others is named in a notice and retried later (B5); rejects with the first failure where none
   * came. A later reading has as long as the first.
   */
  async readAll(budgetMs: number): Promise<void> {
    this.#budgetMs ||= budgetMs
    // Leaves time to go on with the other lists where one stays silent.
    const deadline = performance.now() + budgetMs - Math.min(budgetMs / 10, MARGIN_MS)
    // Changes that are announced meanwhile are read after this.
    this.#changed.clear()
    const declared = LISTS.filter((list) => this.#isDeclared(list.capability))
    if (declared.length === 0) await this.#readUndeclared(deadline)
    else await this.#readDeclared(declared, deadline)
    this.#show()
    this.#readAt = Date.now()
    this.#lastReadAt = performance.now()
    if (this.#changed.size > 0) this.#scheduleReading()
  }

  /** Takes a notification of the server; false where it is about no list. */
  take(method: string): boolean {
    const [, one] = /^notifications\/(tools|resources|prompts)\/list_changed$/u.exec(method) ?? []
    if (one === undefined) return false
    this.#countFollowing(one)
    this.#noteChange(one as ListedCapability)
    return true
  }

  /** Reads every list again, soon: changes may have been missed. */
  readAgain(): void {
    for (const { capability } of LISTS) this.#noteChange(capability)
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  async #readDeclared(declared: readonly ListKind[], deadline: number): Promise<void> {
    const reads = await Promise.allSettled(declared.map((list) => this.#read(list, deadline)))
    const failures = reads.filter((read) => read.status === 'rejected')
    const [failure] = failures
    if (failure && (failures.length === reads.length || this.#options.isOver()))
      throw failure.reason
    for (const [index, list] of declared.entries()) {
      const read = reads[index]
      if (read?.status === 'fulfilled') this.#keep(list, read.value)
      else this.#fail(list, read?.reason)
    }
  }

  /** Some servers declare nothing and list all the same; what a server does not know it does not have. */
  async #readUndeclared(deadline: number): Promise<void> {
    const soon = Math.min(deadline, performance.now() + UNDECLARED_MS)
    const reads = await Promise.allSettled(LISTS.map((list) => this.#read(list, soon, true)))
    for (const [index, list] of LISTS.entries()) {
      const read = reads[index]
      if (read?.status !== 'fulfilled' || read.value.elements.length === 0) continue
      this.#undeclared.add(list.capability)
      this.#keep(list, read.value)
      this.#options.onRepair?.(
        `${list.method} works although capabilities.${list.capability} is missing`,
      )
    }
  }

  #countFollowing(capability: string): void {
    if (performance.now() - this.#lastReadAt > FOLLOWS_MS) this.#following = 0
    // Those that come during the wait for the next reading are one.
    else if (this.#changed.size === 0) this.#following += 1
    if (this.#following >= MAX_FOLLOWING)
      this.#options.onRepair?.(
        `each list request triggers notifications/${capability}/list_changed, so Patchbay refreshes the list less often`,
      )
  }

  #noteChange(capability: ListedCapability): void {
    if (!this.#isDeclared(capability)) return
    this.#changed.add(capability)
    if (this.#readAt !== undefined) this.#scheduleReading()
  }

  /** Reads what changed after a wait. One reading at a time, so that an earlier answer never replaces a later one. */
  #scheduleReading(): void {
    if (this.#isReading) return
    this.#isReading = true
    // Doubles while each change follows our own reading, and falls back after a quiet time.
    const followingMs = Math.min(RELIST_MS * 2 ** this.#following, MAX_REST_MS)
    const waitMs = Math.max(this.#restMs, followingMs)
    setTimeout(() => void this.#readChanged(), waitMs).unref()
  }

  async #readChanged(): Promise<void> {
    if (this.#options.isOver()) return
    const changed = LISTS.filter(({ capability }) => this.#changed.has(capability))
    this.#changed.clear()
    // A change may be announced together with the answer.
    this.#lastReadAt = Number.POSITIVE_INFINITY
    const deadline = performance.now() + this.#budgetMs
    await Promise.all(changed.map((list) => this.#readAgain(list, deadline)))
    this.#lastReadAt = performance.now()
    this.#show()
    if (this.#options.isOver()) return
    const from = performance.now()
    this.#didChange.emit(undefined)
    let busyMs = performance.now() - from
    for (const { key } of changed) busyMs += this.#lists.get(key)?.busyMs ?? 0
    this.#restMs = Math.min(Math.max(REST_FACTOR * busyMs, RELIST_MS), MAX_REST_MS)
    this.#isReading = false
    if (this.#changed.size > 0) this.#scheduleReading()
  }

  async #readAgain(list: ListKind, deadline: number): Promise<void> {
    try {
      this.#keep(list, await this.#read(list, deadline))
      this.#readAt = Date.now()
    } catch (error) {
      this.#fail(list, error)
    }
  }

  #keep(list: ListKind, read: ReadList): void {
    this.#lists.set(list.key, read)
    this.#failures.delete(list.key)
    const { minHoldMs = MIN_HOLD_MS } = this.#options
    const { ttlMs = 0 } = read
    // A list whose server announces changes is read again when it does.
    const isAnnounced = this.#options.declared()?.[list.capability]?.listChanged === true
    const holds = ttlMs > 0 && !isAnnounced
    this.#readLater(list, holds ? Math.min(Math.max(ttlMs, minHoldMs), MAX_HOLD_MS) : undefined)
  }

  /** A list that fails stays as it was, with a notice until it can be read. Its retries wait twice as long each time. */
  #fail(list: ListKind, error: unknown): void {
    const before = this.#lists.get(list.key)
    const cause = error instanceof RefusedRequestError ? error.refusal.message : error
    const reason = messageOf(cause).replace(/\.+$/u, '')
    const notice = before?.elements.length
      ? `${list.title}: the list couldn’t be refreshed (${reason}). The previous list is shown.`
      : `${list.title}: the list couldn’t be read (${reason}).`
    this.#lists.set(list.key, { ...(before ?? EMPTY), notices: [notice] })
    const failures = this.#failures.get(list.key) ?? 0
    this.#failures.set(list.key, failures + 1)
    this.#readLater(list, failures < MAX_RETRIES ? RETRY_MS * 2 ** failures : undefined)
  }

  /** A change that the server announces reads it sooner. */
  #readLater({ key, capability }: ListKind, waitMs: number | undefined): void {
    clearTimeout(this.#timers.get(key))
    if (waitMs === undefined || this.#options.isOver()) return
    this.#timers.set(key, setTimeout(() => this.#noteChange(capability), waitMs).unref())
  }

  async #read(list: ListKind, deadline: number, isUndeclared = false): Promise<ReadList> {
    const { peer, counted, problemOf } = this.#options
    const read = await readList({ peer, counted, deadline, isUndeclared }, list)
    return list.key === 'tools' && problemOf ? withoutProblems(read, problemOf) : read
  }

  #show(): void {
    const capabilities: Capabilities = { ...NO_CAPABILITIES, notices: [] }
    for (const [key, { elements, notices }] of this.#lists) {
      Object.assign(capabilities, { [key]: elements })
      capabilities.notices.push(...notices)
    }
    this.#capabilities = capabilities
  }

  #isDeclared(capability: ListedCapability): boolean {
    if (this.#undeclared.has(capability)) return true
    return this.#options.declared()?.[capability] !== undefined
  }
}

/** The tools that can be called, with a notice of the others. */
function withoutProblems(read: ReadList, problemOf: (tool: Tool) => string | undefined): ReadList {
  const problems: string[] = []
  const elements = (read.elements as readonly Tool[]).filter((tool) => {
    const problem = problemOf(tool)
    if (problem !== undefined) problems.push(`${messageOf(tool.name)}: ${problem}`)
    return problem === undefined
  })
  const [first] = problems
  if (first === undefined) return read
  const more =
    problems.length > 1
      ? ` ${problems.length - 1} more tools were ignored for similar reasons.`
      : ''
  return {
    ...read,
    elements,
    notices: [
      ...read.notices,
      `Tools: one tool can’t be called and was ignored (${first}).${more}`,
    ],
  }
}

const EMPTY: ReadList = { elements: [], notices: [], isRead: false, busyMs: 0 }
