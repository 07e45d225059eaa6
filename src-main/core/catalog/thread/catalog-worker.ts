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
import type { SetAsideReason } from '../store/catalog-file'
import type { CatalogPorts, CatalogService } from './catalog-service'

/** What the main thread asks of the catalog's. */
type CatalogCalls = Omit<CatalogService, typeof Symbol.dispose>

/** What the catalog's thread asks of the main thread, which alone knows the system's proxy and certificates. */
export type CatalogHostCalls = {
  readonly transfer: Transfer
  progress(progress: SyncProgress): void
  setAside(reason: SetAsideReason): void
}

/** What the catalog's thread starts with. */
export type CatalogThreadOptions = {
  readonly folder: string
  readonly retry: CatalogPorts['retry']
  /** Of the main thread's last `setSources`, when the thread takes the place of one that crashed or rests. */
  readonly sources: readonly RegistrySource[] | undefined
}

/** What the catalog needs of its owner. */
export type CatalogWorkerOptions = {
  /** Absolute path of the folder of `catalog.db`; made where it is missing. */
  readonly folder: string
  /** Starts the thread whose entry is `catalog-thread.ts`; how it is built is known where the app is. */
  readonly createWorker: (options: WorkerOptions) => Worker
  /** How addresses are fetched, by the system's proxy and certificates where the owner knows them. */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly retry?: CatalogPorts['retry']
  /** How long nobody asks anything before the thread ends and gives its memory back, in ms. */
  readonly restMs?: number | undefined
}

const REST_MS = 30_000
/** Windows whose searches are kept apart; of one beyond, an earlier answer may come after a later one. */
const MAX_SEARCH_BOXES = 64
/** So that what a registry sends can take the thread down, but not the app. */
const LIMITS = { maxOldGenerationSizeMb: 1_024 }

/**
 * The catalog of all registries, on a thread of its own, which runs only while it is asked something. One that
 * crashes fails the calls that wait for it with an AppError, and is started again. To be disposed by its owner.
 */
export class CatalogWorker implements AsyncDisposable {
  readonly #searches = new Map<string, AbortController>()
  readonly #progressed = new Emitter<SyncProgress>()
  readonly #setAside = new Emitter<SetAsideReason>()
  readonly #restarted = new Emitter<Error>()
  readonly #thread: ThreadKeeper<CatalogCalls>
  #sources: readonly RegistrySource[] | undefined

  /** After each page of a sync. */
  readonly onDidProgress = this.#progressed.event
  /** The catalog began again, because its file could not be used. */
  readonly onDidSetAside = this.#setAside.event
  /** The thread crashed for this reason, and runs again. */
  readonly onDidRestart = this.#restarted.event

  /** What it answers, as `CatalogService` does; each starts the thread where it does not run. */
  readonly calls: Remote<Omit<CatalogCalls, 'setSources' | 'search' | 'close'>>

  constructor(private readonly options: CatalogWorkerOptions) {
    this.#thread = new ThreadKeeper({
      what: 'The catalog',
      start: () => this.#start(),
      hostCalls: {
        transfer: createTransfer(options.fetch),
        progress: (progress) => this.#progressed.emit(progress),
        setAside: (reason) => this.#setAside.emit(reason),
      } satisfies CatalogHostCalls,
      restMs: options.restMs ?? REST_MS,
      onRestart: (error) => this.#restarted.emit(error),
    })
    this.calls = this.#thread.remote
  }

  /** Makes the list of sources the one given; what only the others listed goes. Waits for a sync under way. */
  async setSources(sources: readonly RegistrySource[]): Promise<SourceState[]> {
    this.#sources = sources
    return await this.#thread.remote.setSources(sources)
  }

  /**
   * Undefined when a newer search of the same `searchBox` (a window, say) came before the answer did: then that one
   * is what is waited for.
   */
  async search(query: CatalogQuery, searchBox = ''): Promise<CatalogPage | undefined> {
    const calling = new AbortController()
    this.#searches.get(searchBox)?.abort()
    keepNewest(this.#searches, searchBox, calling, MAX_SEARCH_BOXES)
    const page = await this.#thread.remote.search(query, calling.signal)
    return calling.signal.aborted ? undefined : page
  }

  /** Ends syncs (what came is kept), closes the file and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const emitter of [this.#progressed, this.#setAside, this.#restarted]) {
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
