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
import type { PageQuery, RegistryPage, RegistryReader } from './registry-reader'

/** Entries written per tick, so that searches run in between. */
const STRIDE = 25
const DAY_MS = 24 * 60 * 60 * 1000
/** Overlap of increments, for clocks and responses that lag. */
const OVERLAP_MS = 5 * 60 * 1000

/** A sync of one source. */
export type SyncOrder = {
  readonly sourceId: string
  readonly baseUrl: string
  readonly store: CatalogStore
  readonly reader: Pick<RegistryReader, 'readPage'>
  /** `auto` resumes an interrupted full sync, or requests changes, or the whole list once a week. */
  readonly mode: 'auto' | 'full'
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined
  /** Pages after which a registry counts as endless. */
  readonly pageLimit?: number | undefined
  readonly fullEveryMs?: number | undefined
}

/**
 * Syncs the catalog with one source. Never rejects for a registry's fault: what arrived is kept, and `fault` is set. Rejects if the
 * catalog's file is damaged. Syncs of one store must not overlap.
 */
export async function syncSource(order: SyncOrder): Promise<SyncReport> {
  const run = new SyncRun(order)
  return run.end(await run.run())
}

/** What follows a page: the next one, the end, or a fault. */
type Next = { readonly cursor: string | undefined; readonly fault: RegistryFault | undefined }

class SyncRun {
  readonly #began = performance.now()
  readonly #cursors = new Set<string>()
  #state: SyncState
  #kind: 'full' | 'increment' = 'full'
  #pages = 0
  #entries = 0
  #leftOut = 0
  /** Readable entries. */
  #readable = 0
  #changed = 0
  #removed = 0

  constructor(private readonly order: SyncOrder) {
    this.#state = order.store.sources.readSync(order.sourceId)
  }

  /** Undefined if the catalog now holds the registry's whole list. */
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

  /** Stores the outcome. */
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
      this.#record(next.cursor, page, await this.#save(page))
      const fault = next.fault ?? (next.cursor === undefined ? this.#finish() : undefined)
      this.order.store.commit()
      this.order.onProgress?.(this.#progress())
      if (fault !== undefined || next.cursor === undefined) return fault
      page = await this.#read({ cursor: next.cursor, latestOnly: this.#state.latestOnly })
    }
  }

  /**
   * Requests the first page of a full sync. A registry may have forgotten an old cursor, or not support `version=latest`. If that page
   * fails twice in a row, it may fail forever, so the sync starts from the beginning.
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

  /** Whether the previous run stopped at the same page; notes it for the next run. */
  #isStalledAgain(): boolean {
    const { store, sourceId } = this.order
    if (this.#state.isStalled) return true
    store.transaction(() => store.sources.writeSync(sourceId, { ...this.#state, isStalled: true }))
    return false
  }

  /** Applies all changes together; after a fault, the received ones stay and are requested again. */
  async #increment(mark: number): Promise<RegistryFault | undefined> {
    this.#kind = 'increment'
    const { store, sourceId } = this.order
    const query = { updatedSince: mark - OVERLAP_MS, latestOnly: this.#state.latestOnly }
    let cursor: string | undefined
    let runMark: number | undefined
    store.begin()
    try {
      do {
        const page = await this.#read({ ...query, cursor })
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

  #read(query: PageQuery): Promise<RegistryPage> {
    if (query.cursor !== undefined) this.#cursors.add(query.cursor)
    return this.order.reader.readPage(query, this.order.signal)
  }

  #next({ nextCursor }: RegistryPage): Next {
    const { baseUrl, pageLimit = 2_000 } = this.order
    this.#pages += 1
    if (nextCursor === undefined) return { cursor: undefined, fault: undefined }
    if (this.#cursors.has(nextCursor)) {
      const message = 'The registry at {address} repeats a page.'
      return { cursor: undefined, fault: faultOf(baseUrl, 'repeated-cursor', message) }
    }
    if (this.#pages >= pageLimit) {
      const message = `The registry at {address} has more than ${pageLimit} pages.`
      return { cursor: undefined, fault: faultOf(baseUrl, 'page-limit', message) }
    }
    return { cursor: nextCursor, fault: undefined }
  }

  /** Returns the number of unreadable entries. */
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

  /** Stores where a full sync resumes if it is interrupted now. */
  #record(cursor: string | undefined, { date }: RegistryPage, more: number): void {
    const { store, sourceId } = this.order
    const runMark = this.#state.runMark ?? date ?? Date.now()
    const pages = cursor === undefined ? 0 : this.#pages
    const leftOut = this.#state.leftOut + more
    this.#state = { ...this.#state, cursor, runMark, pages, leftOut, isStalled: false }
    store.sources.writeSync(sourceId, this.#state)
  }

  /** Removes servers that the registry no longer lists, if that is plausible. */
  #finish(): RegistryFault | undefined {
    const { store, sourceId, baseUrl } = this.order
    const { generation, runMark } = this.#state
    const received = { readable: this.#readable, leftOut: this.#leftOut }
    const before = store.sources.find(sourceId)?.fault
    const problem = checkListPlausible(
      { ...store.countSeen(sourceId, generation), ...received },
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

/** Whether a registry understood the request and rejected it. */
function isRefusal(error: unknown): error is RegistryError {
  return error instanceof RegistryError && [400, 404, 422].includes(error.status ?? 0)
}

/** Whether a registry failed with a server error. */
function isBreakdown(error: unknown): boolean {
  return error instanceof RegistryError && (error.status ?? 0) >= 500
}

/** The fault of a sync; rethrows errors of neither registry nor disk, such as a damaged file, for the owner to repair. */
function faultOfError(error: unknown): RegistryFault {
  if (error instanceof RegistryError) return error.fault
  if (isFileError(error) && damageOf(error) !== 'corrupt') return storeFault(error)
  throw error
}

/** Lists up to this length may lose most servers in one sync. */
const SHORT_LIST = 20

/** The counts of a complete list: known servers that it has and lacks, and its readable and ignored entries. */
type WholeList = {
  readonly seen: number
  readonly unseen: number
  readonly readable: number
  readonly leftOut: number
}

/**
 * Why a list isn't trusted; `before` is the last sync's fault. A list that lacks most servers is trusted if that happens twice in a row.
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
