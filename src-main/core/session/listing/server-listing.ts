import type { Client } from '@modelcontextprotocol/client'

import {
  type Capabilities,
  NO_CAPABILITIES,
  type Tool,
} from '../../../../src-shared/domain/agents/capability'
import { messageOf } from '../../failure/describe-failure'
import { Emitter } from '../../lifecycle/emitter'
import { coalesced } from './coalesced'
import {
  type Asker,
  type ListedCapability,
  type ListKind,
  LISTS,
  type ReadList,
  readList,
} from './discovery'
import { ListExpiry } from './list-expiry'

const RELIST_MS = 200
/** For each ms that lists kept the app busy when they were read and told, so many pass before they are read again. */
const REST_FACTOR = 20
const LONGEST_REST_MS = 60_000

export type ServerListingOptions = {
  readonly client: Client
  readonly counted: Asker['counted']
  /** The connection is gone. */
  readonly isOver: () => boolean
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

  /** Fires when lists were read again, or could not be. */
  readonly onDidChange = this.#relisted.event

  constructor(options: ServerListingOptions) {
    this.#options = options
    this.#relist = coalesced(() => this.#readChanged(), {
      afterMs: () => this.#restMs,
      isOver: options.isOver,
    })
    this.#expiry = new ListExpiry(({ capability }) => {
      this.#noteChange(capability)
    }, options.shortestHoldMs)
    for (const one of ['tools', 'resources', 'prompts'] as const)
      options.client.setNotificationHandler(`notifications/${one}/list_changed`, () =>
        this.#noteChange(one),
      )
  }

  get capabilities(): Capabilities {
    return this.#capabilities
  }

  /** When a list was last read, epoch ms; undefined before the first. */
  get readAt(): number | undefined {
    return this.#readAt
  }

  /** Reads all that the server declares within `budgetMs`; rejects with the SDK's error when a list fails. A later reading has as long as the first. */
  async readAll(budgetMs: number): Promise<void> {
    this.#budgetMs ||= budgetMs
    const deadline = performance.now() + budgetMs
    // What it says of changes meanwhile is read after this.
    this.#changed.clear()
    const declared = LISTS.filter((list) => this.#isDeclared(list.capability))
    const read = await Promise.all(declared.map((list) => this.#read(list, deadline)))
    declared.forEach((list, index) => this.#keep(list, read[index] ?? EMPTY))
    this.#show()
    this.#readAt = Date.now()
    if (this.#changed.size > 0) this.#relist()
  }

  /** Reads every list again, soon: changes may have gone by unheard. */
  readAgain(): void {
    for (const { capability } of LISTS) this.#noteChange(capability)
  }

  [Symbol.dispose](): void {
    this.#expiry[Symbol.dispose]()
  }

  #noteChange(capability: ListedCapability): void {
    if (!this.#isDeclared(capability)) return
    this.#changed.add(capability)
    if (this.#readAt !== undefined) this.#relist()
  }

  async #readChanged(): Promise<void> {
    const changed = LISTS.filter(({ capability }) => this.#changed.has(capability))
    this.#changed.clear()
    const deadline = performance.now() + this.#budgetMs
    await Promise.all(changed.map((list) => this.#readAgain(list, deadline)))
    this.#show()
    if (this.#options.isOver()) return
    const from = performance.now()
    this.#relisted.emit(undefined)
    let busyMs = performance.now() - from
    for (const { key } of changed) busyMs += this.#lists.get(key)?.busyMs ?? 0
    const restMs = REST_FACTOR * busyMs
    this.#restMs = Math.min(Math.max(restMs, RELIST_MS), LONGEST_REST_MS)
  }

  /** One that fails stays as it was, and says so until it can be read. */
  async #readAgain(list: ListKind, deadline: number): Promise<void> {
    try {
      this.#keep(list, await this.#read(list, deadline))
      this.#readAt = Date.now()
    } catch (error) {
      const before = this.#lists.get(list.key) ?? EMPTY
      const said = messageOf(error).replace(/\.+$/u, '')
      const notice = `${list.title}: the list could not be read again (${said}), so the one from before is shown.`
      this.#keep(list, { ...before, notices: [notice] })
    }
  }

  #keep(list: ListKind, read: ReadList): void {
    this.#lists.set(list.key, read)
    const declared = this.#options.client.getServerCapabilities()?.[list.capability]
    // One whose server tells of changes is read again when it does.
    if (declared?.listChanged !== true) this.#expiry.begin(list, read.ttlMs)
  }

  async #read(list: ListKind, deadline: number): Promise<ReadList> {
    const { client, counted, problemOf } = this.#options
    const read = await readList({ client, counted, deadline }, list)
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
    return this.#options.client.getServerCapabilities()?.[capability] !== undefined
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
    notices: [...read.notices, `Tools: one cannot be called and was set aside (${first}).${more}`],
  }
}

const EMPTY: ReadList = { elements: [], notices: [], busyMs: 0 }
