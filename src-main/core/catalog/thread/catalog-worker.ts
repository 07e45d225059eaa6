import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { CatalogPage, CatalogQuery } from '../../../../src-shared/domain/catalog/catalog-query'
import type {
  RegistrySource,
  SourceState,
  SyncProgress,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import { Emitter } from '../../lifecycle/emitter'
import { keepNewest } from '../../lifecycle/keep-newest'
import type { Remote } from '../../lifecycle/thread-ends'
import { ThreadKeeper } from '../../lifecycle/thread-keeper'
import { createTransfer, type Transfer } from '../registry/registry-transfer'
import type { DiscardReason } from '../store/catalog-file'
import type { CatalogPorts, CatalogService } from './catalog-service'

/** Functions of the catalog thread. */
type CatalogCalls = Omit<CatalogService, typeof Symbol.dispose>

/** Functions of the main thread, which alone knows the system's proxy and certificates. */
export type CatalogHostCalls = {
  readonly transfer: Transfer
  progress(progress: SyncProgress): void
  setAside(reason: DiscardReason): void
}

/** Start options of the catalog thread. */
export type CatalogThreadOptions = {
  readonly folder: string
  readonly retry: CatalogPorts['retry']
  /** The last `setSources`, if the thread replaces a crashed or idle one. */
  readonly sources: readonly RegistrySource[] | undefined
}

/** Options of the catalog. */
export type CatalogWorkerOptions = {
  /** Absolute path of the folder of `catalog.db`; created if needed. */
  readonly folder: string
  /** Creates the thread from `catalog-thread.ts`; the app knows how it is built. */
  readonly createWorker: (options: WorkerOptions) => Worker
  /** Fetches with the system's proxy and certificates, if known. */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly retry?: CatalogPorts['retry']
  /** Idle time before the thread ends and frees its memory, in ms. */
  readonly idleMs?: number | undefined
}

const IDLE_MS = 30_000
/** Search boxes whose queries are kept in order; beyond that, an older answer may come after a newer one. */
const MAX_SEARCH_BOXES = 64
/** Limits the heap, so that a registry's data can crash the thread but not the app. */
const LIMITS = { maxOldGenerationSizeMb: 1_024 }

/**
 * The catalog of all registries on its own thread, which runs on demand. A crash fails waiting calls with an AppError, and the thread
 * restarts. Dispose it at the end.
 */
export class CatalogWorker implements AsyncDisposable {
  readonly #searches = new Map<string, AbortController>()
  readonly #progressed = new Emitter<SyncProgress>()
  readonly #discarded = new Emitter<DiscardReason>()
  readonly #restarted = new Emitter<Error>()
  readonly #thread: ThreadKeeper<CatalogCalls>
  #sources: readonly RegistrySource[] | undefined

  /** Fires after each page of a sync. */
  readonly onDidProgress = this.#progressed.event
  /** Fires when an unusable catalog file was replaced. */
  readonly onDidDiscard = this.#discarded.event
  /** Fires with the reason when the thread crashed and restarts. */
  readonly onDidRestart = this.#restarted.event

  /** The functions of `CatalogService`; each starts the thread if needed. */
  readonly calls: Remote<Omit<CatalogCalls, 'setSources' | 'search' | 'close'>>

  constructor(private readonly options: CatalogWorkerOptions) {
    this.#thread = new ThreadKeeper({
      what: 'The catalog',
      start: () => this.#start(),
      hostCalls: {
        transfer: createTransfer(options.fetch),
        progress: (progress) => this.#progressed.emit(progress),
        setAside: (reason) => this.#discarded.emit(reason),
      } satisfies CatalogHostCalls,
      idleMs: options.idleMs ?? IDLE_MS,
      onRestart: (error) => this.#restarted.emit(error),
    })
    this.calls = this.#thread.remote
  }

  /** Replaces the list of sources; servers of removed sources go. Waits for a running sync. */
  async setSources(sources: readonly RegistrySource[]): Promise<SourceState[]> {
    this.#sources = sources
    return await this.#thread.remote.setSources(sources)
  }

  /** Undefined if the same `searchBox`, such as a window, sent a newer search before the answer. */
  async search(query: CatalogQuery, searchBox = ''): Promise<CatalogPage | undefined> {
    const calling = new AbortController()
    this.#searches.get(searchBox)?.abort()
    keepNewest(this.#searches, searchBox, calling, MAX_SEARCH_BOXES)
    const page = await this.#thread.remote.search(query, calling.signal)
    return calling.signal.aborted ? undefined : page
  }

  /** Ends syncs (keeping what arrived), closes the file and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const emitter of [this.#progressed, this.#discarded, this.#restarted]) {
      emitter[Symbol.dispose]()
    }
    await this.#thread[Symbol.asyncDispose]()
  }

  #start(): Worker {
    const { folder, createWorker, retry } = this.options
    const workerData: CatalogThreadOptions = { folder, retry, sources: this.#sources }
    return createWorker({ name: 'catalog', workerData, resourceLimits: LIMITS })
  }
}
