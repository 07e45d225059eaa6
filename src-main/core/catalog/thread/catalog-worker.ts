import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { BirpcReturn } from 'birpc'

import type {
  CatalogPage,
  CatalogQuery,
  SourceStatus,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type {
  RegistrySource,
  SourceState,
  SyncProgress,
  SyncReport,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import { Emitter } from '../../lifecycle/emitter'
import { keepNewest } from '../../lifecycle/keep-newest'
import { ThreadKeeper } from '../../lifecycle/thread-keeper'
import type { VersionList } from '../registry/read-versions'
import { createTransfer } from '../registry/registry-transfer'
import type { SetAsideReason } from '../store/catalog-file'
import { CallsUnderWay } from './calls-under-way'
import type {
  CatalogCalls,
  CatalogThreadOptions,
  HostCalls,
  SyncRequest,
  VersionsRequest,
} from './catalog-calls'
import type { CatalogBounds, ListedDocument, ListedKey } from './catalog-service'

/** What the catalog needs of its owner. */
export type CatalogWorkerOptions = {
  /** Absolute path of the folder of `catalog.db`; made where it is missing. */
  readonly folder: string
  /** Starts the thread whose entry is `catalog-thread.ts`; how it is built is known where the app is. */
  readonly createWorker: (options: WorkerOptions) => Worker
  /** How addresses are fetched, by the system's proxy and certificates where the owner knows them. */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly bounds?: CatalogBounds | undefined
  /** How long nobody asks anything before the thread ends and gives its memory back, in ms. */
  readonly restMs?: number | undefined
}

const REST_MS = 30_000
/** Windows whose searches are told apart; of one beyond, an earlier answer may come after a later one. */
const MAX_LANES = 64
/** So that what a registry sends can take the thread down, but not the app. */
const LIMITS = { maxOldGenerationSizeMb: 1_024 }

/**
 * The catalog of all registries, on a thread of its own, which runs only while it is asked something. One that
 * crashes fails the calls that wait for it with an AppError, and is started again. To be disposed by its owner.
 */
export class CatalogWorker implements AsyncDisposable {
  readonly #options: CatalogWorkerOptions
  readonly #transfer: ReturnType<typeof createTransfer>
  readonly #transfers = new CallsUnderWay()
  readonly #lanes = new Map<string, LatestCall<CatalogQuery, CatalogPage>>()
  readonly #progressed = new Emitter<SyncProgress>()
  readonly #setAside = new Emitter<SetAsideReason>()
  readonly #restarted = new Emitter<Error>()
  readonly #thread: ThreadKeeper<CatalogCalls, HostCalls>
  #sources: readonly RegistrySource[] | undefined
  #lastId = 0

  constructor(options: CatalogWorkerOptions) {
    this.#options = options
    this.#transfer = createTransfer(options.fetch)
    this.#thread = new ThreadKeeper({
      what: 'The catalog',
      start: () => this.#start(),
      hostCalls: this.#hostCalls(),
      restMs: options.restMs ?? REST_MS,
      onEnded: () => this.#transfers.cancelAll(),
      onRestart: (error) => this.#restarted.emit(error),
    })
  }

  /** After each page of a sync. */
  readonly onDidProgress = this.#progressed.event
  /** The catalog began again, because its file could not be used. */
  readonly onDidSetAside = this.#setAside.event
  /** The thread crashed for this reason, and runs again. */
  readonly onDidRestart = this.#restarted.event

  /** Whether the thread runs. */
  get isAwake(): boolean {
    return this.#thread.isAwake
  }

  /** Makes the list of sources the one given; what only the others listed goes. Waits for a sync under way. */
  async setSources(sources: readonly RegistrySource[]): Promise<SourceState[]> {
    this.#sources = sources
    return await this.#thread.call((remote) => remote.setSources(sources))
  }

  /**
   * Lists documents as those of a source that no registry serves, except those whose name another source lists or
   * took down. Waits for a sync under way.
   */
  async seed(sourceId: string, documents: readonly unknown[]): Promise<void> {
    await this.#thread.call((remote) => remote.seed(sourceId, documents))
  }

  async sources(): Promise<SourceState[]> {
    return await this.#thread.call((remote) => remote.sources())
  }

  /** Wakes the thread and has it read what a search compares. */
  async prepareSearch(): Promise<void> {
    await this.#thread.call((remote) => remote.prepareSearch())
  }

  /**
   * Undefined when a newer search of the same `lane` (a window, say) came before the answer did: then that one
   * is what is waited for.
   */
  async search(query: CatalogQuery, lane = ''): Promise<CatalogPage | undefined> {
    const known = this.#lanes.get(lane)
    const calls =
      known ??
      new LatestCall<CatalogQuery, CatalogPage>((one) =>
        this.#thread.call((remote) => remote.search(one)),
      )
    keepNewest(this.#lanes, lane, calls, MAX_LANES)
    return await calls.run(query)
  }

  /** What the sources that are switched on say of these servers: whether they are deprecated, deleted or gone. */
  async statuses(names: readonly string[]): Promise<SourceStatus[]> {
    return await this.#thread.call((remote) => remote.statuses(names))
  }

  /** Undefined for a server that the source does not list. */
  async read(key: ListedKey): Promise<ListedDocument | undefined> {
    return await this.#thread.call((remote) => remote.read(key))
  }

  /** One sync runs at a time, others wait. Undefined for a source that is not there or switched off. */
  async sync(request: SyncRequest, signal?: AbortSignal): Promise<SyncReport | undefined> {
    return await this.#cancellable(signal, (remote, id) => remote.sync(id, request))
  }

  /** Asks the source, and gives what it said last where it cannot be asked. Undefined for an unknown source. */
  async versions(request: VersionsRequest, signal?: AbortSignal): Promise<VersionList | undefined> {
    return await this.#cancellable(signal, (remote, id) => remote.versions(id, request))
  }

  /** Ends syncs (what came is kept), closes the file and ends the thread. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const emitter of [this.#progressed, this.#setAside, this.#restarted]) {
      emitter[Symbol.dispose]()
    }
    await this.#thread[Symbol.asyncDispose]()
  }

  async #cancellable<T>(
    signal: AbortSignal | undefined,
    call: (remote: BirpcReturn<CatalogCalls, HostCalls>, id: number) => Promise<T>,
  ): Promise<T> {
    this.#lastId += 1
    const id = this.#lastId
    return await this.#thread.call(async (remote) => {
      const cancel = () => void remote.cancel.asEvent(id)
      const answer = call(remote, id)
      if (signal?.aborted) cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return await answer
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    })
  }

  #start(): Worker {
    const { folder, createWorker, bounds = {} } = this.#options
    const workerData: CatalogThreadOptions = { folder, bounds, sources: this.#sources }
    return createWorker({ name: 'catalog', workerData, resourceLimits: LIMITS })
  }

  #hostCalls(): HostCalls {
    return {
      transfer: (id, request) =>
        this.#transfers.run(id, (signal) => this.#transfer(request, signal)),
      cancelTransfer: (id) => this.#transfers.cancel(id),
      progress: (progress) => this.#progressed.emit(progress),
      setAside: (reason) => this.#setAside.emit(reason),
    }
  }
}

type Waiting<In, Out> = {
  readonly input: In
  readonly resolve: (value: Out | undefined | Promise<Out | undefined>) => void
}

/**
 * Lets one call run at a time and keeps only the newest of those that wait: whoever types does not want the
 * answers to what stood there before.
 */
export class LatestCall<In, Out> {
  readonly #call: (input: In) => Promise<Out>
  #isBusy = false
  #waiting: Waiting<In, Out> | undefined

  constructor(call: (input: In) => Promise<Out>) {
    this.#call = call
  }

  /** Undefined when a newer one came before the answer did. Rejects as the call does. */
  async run(input: In): Promise<Out | undefined> {
    if (this.#isBusy) return await this.#wait(input)
    this.#isBusy = true
    try {
      const answer = await this.#call(input)
      return this.#waiting === undefined ? answer : undefined
    } finally {
      this.#isBusy = false
      this.#next()
    }
  }

  #wait(input: In): Promise<Out | undefined> {
    this.#waiting?.resolve(undefined)
    return new Promise((resolve) => {
      this.#waiting = { input, resolve }
    })
  }

  #next(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting.resolve(this.run(waiting.input))
  }
}
