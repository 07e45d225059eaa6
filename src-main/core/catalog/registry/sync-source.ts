import { setImmediate as nextTurn } from 'node:timers/promises'

import type {
  RegistryFault,
  SyncProgress,
  SyncReport,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import { damageOf, isFileError } from '../../sqlite/file-damage'
import type { CatalogStore } from '../store/catalog-store'
import { readEntryHead, readEntryName } from '../store/listed-entry'
import type { SyncState } from '../store/source-table'
import { faultOf, RegistryError, storeFault } from './registry-fault'
import type { PageQuestion, RegistryPage, RegistryReader } from './registry-reader'

/** Entries that are written in one turn, so that searches are answered between them. */
const STRIDE = 25
const DAY_MS = 24 * 60 * 60 * 1000
/** How far an increment reaches back behind the last one, for clocks and answers that lag. */
const OVERLAP_MS = 5 * 60 * 1000

/** One sync of one source. */
export type SyncOrder = {
  readonly sourceId: string
  readonly baseUrl: string
  readonly store: CatalogStore
  readonly reader: Pick<RegistryReader, 'readPage'>
  /** `auto` goes on with an interrupted full sync, or asks for what changed, or for all once a week. */
  readonly mode: 'auto' | 'full'
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
  /** Pages after which a registry counts as endless. */
  readonly pageLimit?: number | undefined
  readonly fullEveryMs?: number | undefined
}

/**
 * Brings the catalog up to one source. Never rejects for what a registry does: what came is kept, and `fault`
 * says what went wrong. Rejects for a catalog file that is damaged. Syncs of one store must not overlap.
 */
export async function syncSource(order: SyncOrder): Promise<SyncReport> {
  const run = new SyncRun(order)
  return run.end(await run.run())
}

/** What a page leads to: another one, the end, or a fault that ends the run. */
type Next = { readonly cursor: string | undefined; readonly fault: RegistryFault | undefined }

class SyncRun {
  readonly #began = performance.now()
  readonly #cursors = new Set<string>()
  #state: SyncState
  #kind: 'full' | 'increment' = 'full'
  #pages = 0
  #entries = 0
  #leftOut = 0
  /** Entries that could be read. */
  #readable = 0
  #changed = 0
  #removed = 0

  constructor(private readonly order: SyncOrder) {
    this.#state = order.store.sources.readSync(order.sourceId)
  }

  /** Undefined when the catalog now holds all that the registry lists. */
  async run(): Promise<RegistryFault | undefined> {
    const { mode, fullEveryMs = 7 * DAY_MS } = this.order
    const { mark, fullAt = 0, cursor } = this.#state
    const isResumed = mode === 'auto' && cursor !== undefined
    const isStale = Date.now() - fullAt > fullEveryMs
    try {
      if (mode === 'full' || isResumed || mark === undefined || isStale) {
        return await this.#full(isResumed)
      }
      return await this.#increment(mark)
    } catch (error) {
      this.order.store.rollback()
      return faultOfError(error)
    }
  }

  /** Notes the end in the file. */
  end(fault: RegistryFault | undefined): SyncReport {
    const { store, sourceId } = this.order
    let shown = fault
    try {
      const end = fault === undefined ? { completedAt: Date.now() } : { fault }
      store.transaction(() => store.sources.writeEnd(sourceId, end))
    } catch (error) {
      shown = faultOfError(error)
    }
    const counts = { changed: this.#changed, removed: this.#removed }
    return { ...this.#progress(), ...counts, fault: shown }
  }

  async #full(isResumed: boolean): Promise<RegistryFault | undefined> {
    this.#kind = 'full'
    if (!isResumed) this.#restart(true)
    this.#pages = this.#state.pages
    let page = await this.#firstOfFull(isResumed)
    for (;;) {
      const next = this.#next(page)
      this.order.store.begin()
      this.#note(next.cursor, page, await this.#save(page))
      const fault = next.fault ?? (next.cursor === undefined ? this.#finish() : undefined)
      this.order.store.commit()
      this.order.onProgress?.(this.#progress())
      if (fault !== undefined || next.cursor === undefined) return fault
      page = await this.#read({ cursor: next.cursor, latestOnly: this.#state.latestOnly })
    }
  }

  /**
   * A registry may have forgotten where an old cursor pointed to, and may not know `version=latest`. One that fails at
   * that cursor twice in a row may do so for ever.
   */
  async #firstOfFull(isResumed: boolean): Promise<RegistryPage> {
    const { cursor, latestOnly } = this.#state
    try {
      return await this.#read({ cursor, latestOnly })
    } catch (error) {
      if (isResumed && (isRefusal(error) || (isBreakdown(error) && this.#isStalledAgain()))) {
        this.#restart(latestOnly)
        return this.#firstOfFull(false)
      }
      if (!isRefusal(error) || !latestOnly || error.status === 404) throw error
      this.#restart(false)
      return this.#firstOfFull(false)
    }
  }

  /** Whether the run before came no further either; notes it for the next one. */
  #isStalledAgain(): boolean {
    const { store, sourceId } = this.order
    if (this.#state.isStalled) return true
    store.transaction(() => store.sources.writeSync(sourceId, { ...this.#state, isStalled: true }))
    return false
  }

  /** All of it becomes visible together; when a fault ends it, what came stays, and is asked for again. */
  async #increment(mark: number): Promise<RegistryFault | undefined> {
    this.#kind = 'increment'
    const { store, sourceId } = this.order
    const question = { updatedSince: mark - OVERLAP_MS, latestOnly: this.#state.latestOnly }
    let cursor: string | undefined
    let runMark: number | undefined
    store.begin()
    try {
      do {
        const page = await this.#read({ ...question, cursor })
        const next = this.#next(page)
        await this.#save(page)
        this.order.onProgress?.(this.#progress())
        runMark ??= page.date ?? Date.now()
        cursor = next.cursor
        if (next.fault) {
          store.commit()
          return next.fault
        }
      } while (cursor !== undefined)
    } catch (error) {
      if (this.#pages === 0 && isRefusal(error)) {
        store.rollback()
        return await this.#full(false)
      }
      if (error instanceof RegistryError) store.commit()
      throw error
    }
    const leftOut = Math.max(this.#state.leftOut, this.#leftOut)
    store.sources.writeSync(sourceId, { ...this.#state, mark: runMark, leftOut })
    store.commit()
    return undefined
  }

  #restart(latestOnly: boolean): void {
    const { generation } = this.#state
    const fresh = { cursor: undefined, pages: 0, runMark: undefined, isStalled: false, leftOut: 0 }
    this.#state = { ...this.#state, ...fresh, generation: generation + 1, latestOnly }
    this.#pages = 0
    this.#cursors.clear()
  }

  #read(question: PageQuestion): Promise<RegistryPage> {
    if (question.cursor !== undefined) this.#cursors.add(question.cursor)
    return this.order.reader.readPage(question, this.order.signal)
  }

  #next({ nextCursor }: RegistryPage): Next {
    const { baseUrl, pageLimit = 2_000 } = this.order
    this.#pages += 1
    if (nextCursor === undefined) return { cursor: undefined, fault: undefined }
    if (this.#cursors.has(nextCursor)) {
      const sentence = 'The registry at {address} repeats a page.'
      return { cursor: undefined, fault: faultOf(baseUrl, 'repeated-cursor', sentence) }
    }
    if (this.#pages >= pageLimit) {
      const sentence = `The registry at {address} has more than ${pageLimit} pages.`
      return { cursor: undefined, fault: faultOf(baseUrl, 'page-limit', sentence) }
    }
    return { cursor: nextCursor, fault: undefined }
  }

  /** Gives how many entries could not be read. */
  async #save({ entries }: RegistryPage): Promise<number> {
    const { store, sourceId } = this.order
    const { generation } = this.#state
    const read = entries.map((entry) => ({ entry, head: readEntryHead(entry) }))
    const heads = read.flatMap(({ head }) => head ?? [])
    const names = read.flatMap(({ entry, head }) => (head ? [] : (readEntryName(entry) ?? [])))
    store.seeNames(sourceId, names, generation)
    this.#entries += entries.length
    this.#readable += heads.length
    const leftOut = entries.length - heads.length
    this.#leftOut += leftOut
    for (let from = 0; from < heads.length; from += STRIDE) {
      const part = heads.slice(from, from + STRIDE)
      const saved = store.saveEntries(sourceId, part, generation)
      this.#changed += saved.changed
      this.#removed += saved.removed
      await nextTurn()
    }
    return leftOut
  }

  /** Where a full sync goes on, should it be interrupted now. */
  #note(cursor: string | undefined, { date }: RegistryPage, more: number): void {
    const { store, sourceId } = this.order
    const runMark = this.#state.runMark ?? date ?? Date.now()
    const pages = cursor === undefined ? 0 : this.#pages
    const leftOut = this.#state.leftOut + more
    this.#state = { ...this.#state, cursor, runMark, pages, leftOut, isStalled: false }
    store.sources.writeSync(sourceId, this.#state)
  }

  /** What the registry no longer lists goes, unless that is hard to believe. */
  #finish(): RegistryFault | undefined {
    const { store, sourceId, baseUrl } = this.order
    const { generation, runMark } = this.#state
    const came = { readable: this.#readable, leftOut: this.#leftOut }
    const before = store.sources.find(sourceId)?.fault
    const problem = checkListPlausible(
      { ...store.countSeen(sourceId, generation), ...came },
      before,
      baseUrl,
    )
    if (problem !== undefined) return problem
    this.#removed += store.removeUnseen(sourceId, generation)
    this.#state = { ...this.#state, mark: runMark, fullAt: Date.now(), runMark: undefined }
    store.sources.writeSync(sourceId, this.#state)
    return undefined
  }

  #progress(): SyncProgress {
    return {
      sourceId: this.order.sourceId,
      kind: this.#kind,
      pages: this.#pages,
      entries: this.#entries,
      leftOut: this.#leftOut,
      elapsedMs: Math.round(performance.now() - this.#began),
    }
  }
}

/** Whether a registry understood, and does not do what it was asked for. */
function isRefusal(error: unknown): error is RegistryError {
  return error instanceof RegistryError && [400, 404, 422].includes(error.status ?? 0)
}

/** Whether a registry answered that it failed on its side. */
function isBreakdown(error: unknown): boolean {
  return error instanceof RegistryError && (error.status ?? 0) >= 500
}

/** The fault of a sync; rethrows what is no fault of a registry or of a disk: a damaged file is for its owner to fix. */
function faultOfError(error: unknown): RegistryFault {
  if (error instanceof RegistryError) return error.fault
  if (isFileError(error) && damageOf(error) !== 'corrupt') return storeFault(error)
  throw error
}

/** Lists up to this length may lose most of their servers at a time. */
const SHORT_LIST = 20

/** A list that came to its end: how many of the servers held it has and lacks, and what became of its entries. */
type WholeList = {
  readonly seen: number
  readonly unseen: number
  readonly readable: number
  readonly leftOut: number
}

/**
 * Why such a list is not believed; `before` is how the last sync ended. One that lost most of its servers is
 * believed when it says so twice in a row.
 */
function checkListPlausible(
  { seen, unseen, readable, leftOut }: WholeList,
  before: RegistryFault | undefined,
  baseUrl: string,
): RegistryFault | undefined {
  if (seen === 0 && unseen > 0 && readable === 0) {
    return leftOut === 0
      ? faultOf(baseUrl, 'empty-list', 'The registry at {address} returned an empty list.')
      : faultOf(
          baseUrl,
          'unreadable-list',
          'The registry at {address} returned no readable servers.',
        )
  }
  const held = seen + unseen
  const isWhole = held <= SHORT_LIST || unseen <= seen
  if (isWhole || before?.code === 'shrunken-list') return undefined
  return faultOf(
    baseUrl,
    'shrunken-list',
    `The registry at {address} returned only ${seen} of ${held} servers.`,
  )
}
