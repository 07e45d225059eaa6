import type { ServerCapabilities } from '@modelcontextprotocol/client'

import {
  type Capabilities,
  NO_CAPABILITIES,
  type Tool,
} from '../../../../src-shared/domain/agents/capability'
import { messageOf } from '../../failure/describe-failure'
import { Emitter } from '../../lifecycle/emitter'
import { RefusedRequestError } from '../peer/request-failure'
import { coalesced } from './coalesced'
import { ListExpiry } from './list-expiry'
import {
  type Asker,
  type ListedCapability,
  type ListKind,
  LISTS,
  type ReadList,
  readList,
} from './lists'

const RELIST_MS = 200
/** For each ms that lists kept the app busy when they were read and told, so many pass before they are read again. */
const REST_FACTOR = 20
const LONGEST_REST_MS = 60_000
/** A change that is announced so soon after a reading most likely only follows it, in ms. */
const FOLLOWS_MS = 1_000
/** Changes that only follow our own readings, after which that counts as a departure from the protocol. */
const MAX_FOLLOWING = 10
/** Of the time that a first reading has, what the reading of silent lists leaves, in ms. */
const MARGIN_MS = 500
/** How long a server that declares no list may take to answer for one, in ms. */
const UNDECLARED_MS = 5_000
/** The wait before the first retry of a list that failed, in ms; the tenth comes after some 17 minutes. */
const RETRY_MS = 2_000
const MOST_RETRIES = 10

export type ServerListingOptions = {
  readonly peer: Asker['peer']
  /** What the server declared in the handshake. */
  readonly declared: () => ServerCapabilities | undefined
  readonly counted: Asker['counted']
  /** The connection is gone. */
  readonly isOver: () => boolean
  /** Counts and names something that was usable in spite of the protocol, as words without full stop. */
  readonly onRepair?: ((repair: string) => void) | undefined
  /** Why a tool cannot be called over this connection, as words without full stop. */
  readonly problemOf?: ((tool: Tool) => string | undefined) | undefined
  /** The least time between two readings of a list that holds for some time only, in ms; a minute where it is missing. */
  readonly shortestHoldMs?: number
}

/** What one connected server lists: read whole at first, then each list again when the server says that it changed or that it holds no longer. */
export class ServerListing implements Disposable {
  readonly #options: ServerListingOptions
  readonly #lists = new Map<ListKind['key'], ReadList>()
  readonly #changed = new Set<ListedCapability>()
  readonly #relisted = new Emitter<undefined>()
  /** One at a time, so that an older answer never replaces a newer one. */
  readonly #relist: () => void
  readonly #expiry: ListExpiry
  #capabilities = NO_CAPABILITIES
  #readAt: number | undefined
  /** How long a reading may take, in ms: as long as the first one. */
  #budgetMs = 0
  #restMs = RELIST_MS
  /** Changes in a row that only followed our own readings. */
  #following = 0
  #lastReadAt = Number.NEGATIVE_INFINITY
  /** What the server lists although it declares nothing. */
  readonly #undeclared = new Set<ListedCapability>()
  /** Retries of the lists that failed since they last came. */
  readonly #retries = new Map<
    ListKind['key'],
    { readonly count: number; readonly timer: NodeJS.Timeout | undefined }
  >()

  /** Fires when lists were read again, or could not be. */
  readonly onDidChange = this.#relisted.event

  constructor(options: ServerListingOptions) {
    this.#options = options
    this.#relist = coalesced(() => this.#readChanged(), {
      afterMs: () => Math.max(this.#restMs, this.#followingRestMs),
      isOver: options.isOver,
    })
    this.#expiry = new ListExpiry(({ capability }) => {
      this.#noteChange(capability)
    }, options.shortestHoldMs)
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
    if (this.#changed.size > 0) this.#relist()
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
        `${list.method} answers although capabilities.${list.capability} is missing`,
      )
    }
  }

  /** Takes a notification of the server; false where it is about no list. */
  take(method: string): boolean {
    const [, one] = /^notifications\/(tools|resources|prompts)\/list_changed$/u.exec(method) ?? []
    if (one === undefined) return false
    this.#countFollowing(one)
    this.#noteChange(one as ListedCapability)
    return true
  }

  /** Reads every list again, soon: changes may have gone by unheard. */
  readAgain(): void {
    for (const { capability } of LISTS) this.#noteChange(capability)
  }

  [Symbol.dispose](): void {
    this.#expiry[Symbol.dispose]()
    for (const { timer } of this.#retries.values()) clearTimeout(timer)
  }

  /** The wait doubles while each change follows our own reading, and falls back after a quiet time. */
  get #followingRestMs(): number {
    return Math.min(RELIST_MS * 2 ** this.#following, LONGEST_REST_MS)
  }

  #countFollowing(capability: string): void {
    if (performance.now() - this.#lastReadAt > FOLLOWS_MS) this.#following = 0
    // Those that come during the wait for the next reading are one.
    else if (this.#changed.size === 0) this.#following += 1
    if (this.#following >= MAX_FOLLOWING)
      this.#options.onRepair?.(
        `notifications/${capability}/list_changed follows each reading of the list, so it is read more rarely`,
      )
  }

  #noteChange(capability: ListedCapability): void {
    if (!this.#isDeclared(capability)) return
    this.#changed.add(capability)
    if (this.#readAt !== undefined) this.#relist()
  }

  async #readChanged(): Promise<void> {
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
    this.#relisted.emit(undefined)
    let busyMs = performance.now() - from
    for (const { key } of changed) busyMs += this.#lists.get(key)?.busyMs ?? 0
    const restMs = REST_FACTOR * busyMs
    this.#restMs = Math.min(Math.max(restMs, RELIST_MS), LONGEST_REST_MS)
  }

  /** A list that fails stays as it was, with a notice until it can be read. */
  async #readAgain(list: ListKind, deadline: number): Promise<void> {
    try {
      this.#keep(list, await this.#read(list, deadline))
      this.#readAt = Date.now()
      this.#retries.delete(list.key)
    } catch (error) {
      this.#fail(list, error)
    }
  }

  #fail(list: ListKind, error: unknown): void {
    const before = this.#lists.get(list.key)
    const words = error instanceof RefusedRequestError ? error.refusal.message : error
    const reason = messageOf(words).replace(/\.+$/u, '')
    const notice = before?.elements.length
      ? `${list.title}: the list could not be refreshed (${reason}), so the previous one is shown.`
      : `${list.title}: the list could not be read (${reason}).`
    this.#keep(list, { ...(before ?? EMPTY), notices: [notice] })
    this.#retryLater(list)
  }

  /** Reads a list again after waits that double, a few times; a change that the server announces reads it sooner. */
  #retryLater({ key, capability }: ListKind): void {
    const retry = this.#retries.get(key) ?? { count: 0, timer: undefined }
    clearTimeout(retry.timer)
    if (retry.count === MOST_RETRIES) return
    const timer = setTimeout(() => this.#noteChange(capability), RETRY_MS * 2 ** retry.count)
    timer.unref()
    this.#retries.set(key, { count: retry.count + 1, timer })
  }

  #keep(list: ListKind, read: ReadList): void {
    this.#lists.set(list.key, read)
    const declared = this.#options.declared()?.[list.capability]
    // One whose server tells of changes is read again when it does.
    if (declared?.listChanged !== true) this.#expiry.begin(list, read.ttlMs)
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
  const more = problems.length > 1 ? ` So were ${problems.length - 1} more for the like.` : ''
  return {
    ...read,
    elements,
    notices: [...read.notices, `Tools: one can’t be called and was ignored (${first}).${more}`],
  }
}

const EMPTY: ReadList = { elements: [], notices: [], isRead: false, busyMs: 0 }
