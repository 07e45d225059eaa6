import pLimit from 'p-limit'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'
import type {
  RegistryFault,
  RegistrySource,
  SyncProgress,
} from '../../../src-shared/domain/catalog/catalog-sync'
import { STARTER_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { ServerJson } from '../../../src-shared/domain/server-json/server-json'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { Emitter } from '../lifecycle/emitter'
import type { Timekeeper } from '../ports'
import type { CatalogSources } from './catalog-sources'
import { CatalogSummary, type RegistryStatus } from './catalog-summary'
import { tokenFault } from './registry/registry-fault'
import type { DiscardReason } from './store/catalog-file'
import type { CatalogWorker } from './thread/catalog-worker'

/** A source without an address to request. */
const STARTER: RegistrySource = {
  sourceId: STARTER_SOURCE,
  baseUrl: 'https://starter.invalid',
  enabled: true,
}
const HOUR_MS = 3_600_000
/** Poll interval for the hourly sync: a computer that slept must not wait another hour. */
const CHECK_MS = 60_000
/** Interval in which a growing list is reported, in ms. */
const GROWS_MS = 2_000

/** What the sync works with. */
export type SyncSchedulerOptions = {
  readonly openWorker: () => CatalogWorker
  /** The catalog's folder. */
  readonly folder: string
  readonly sources: CatalogSources
  /** The documents bundled with Patchbay. */
  readonly starters: readonly unknown[]
  /** Installed servers, the automatic sync setting, and the page limit. */
  readonly store: {
    readonly settings: Pick<Settings, 'catalogUpkeep' | 'registryPages'>
    readonly installations: readonly { readonly server: Pick<ServerJson, 'name'> }[]
  }
  readonly time: Timekeeper
}

/**
 * Keeps the catalog in sync with its sources and reports its state. Its thread starts on demand; no registry is asked before `begin`,
 * `sync` or a changed list of sources.
 */
export class SyncScheduler implements AsyncDisposable {
  readonly #changed = new Emitter<undefined>()
  readonly #restood = new Emitter<ReadonlySet<string>>()
  readonly #discarded = new Emitter<DiscardReason>()
  readonly #failed = new Emitter<unknown>()
  readonly #queue = pLimit(1)
  readonly #known: CatalogSummary
  #opened: CatalogWorker | undefined
  #worker: Promise<CatalogWorker> | undefined
  #followed: string
  /** Faults by source id. */
  readonly #faults = new Map<string, RegistryFault>()
  #progress: SyncProgress | undefined
  #edition = 0
  #grewAt = 0
  #triedAt = 0
  readonly #runs = new SyncRuns((ids, signal) => this.#synced(ids, signal))
  #timer: Disposable | undefined
  #isDisposed = false

  readonly onDidChange = this.#changed.event
  /** Fires when the registries' statuses of installed servers have changed. */
  readonly onDidChangeStatuses = this.#restood.event
  /** Fires when an unusable catalog was replaced. */
  readonly onDidDiscard = this.#discarded.event
  /** Fires for failures of background work, such as a crashed thread. */
  readonly onDidFail = this.#failed.event

  constructor(private readonly options: SyncSchedulerOptions) {
    this.#followed = options.sources.text
    this.#known = new CatalogSummary({
      ...options,
      installedNames: () => options.store.installations.map(({ server }) => server.name),
      sourceText: () => this.#followed,
      onProblem: (error) => this.#failed.emit(error),
    })
  }

  /** The registries' statuses of installed servers. */
  get statuses(): RegistryStatus {
    return this.#known.statuses
  }

  /** Checks after `delayMs` for anything to do, then syncs hourly if enabled. */
  begin(delayMs: number): void {
    this.#timer = this.options.time.after(delayMs, () => {
      this.begin(CHECK_MS)
      this.#tended(this.#check())
    })
  }

  /** The thread with its sources. Rejects if it can't start (the next call tries again) and after dispose. */
  worker(): Promise<CatalogWorker> {
    if (this.#isDisposed) return Promise.reject(new AppError('INTERNAL', 'Patchbay is closing.'))
    this.#worker ??= this.#open().catch((error: unknown) => {
      this.#worker = undefined
      throw error
    })
    return this.#worker
  }

  /**
   * Syncs every source in turn, or only the one with this id; joins a running sync of the same, and follows any other. A registry's fault
   * is state, not a rejection.
   */
  sync(id?: string): Promise<void> {
    return this.#runs.begin(id === undefined ? this.options.sources.ids : [id])
  }

  /** Syncs these sources, or all, with their current settings; follows a running sync. */
  resync(ids: readonly string[] = this.options.sources.ids): Promise<void> {
    return this.#runs.restart(ids)
  }

  /** Call if searches may return other results for a reason other than a sync. */
  listChanged(): void {
    this.#edition += 1
    this.#changed.emit(undefined)
  }

  /** Cancels the running sync; its results stay, and the next one resumes. */
  cancelSync(): void {
    this.#runs.cancel()
  }

  /**
   * Call when settings or installations may have changed. If sources changed, syncs all of them, or only new, moved and enabled ones if
   * automatic sync is off.
   */
  settled(): void {
    if (this.#isDisposed) return
    if (this.#followed !== this.options.sources.text) {
      const others = this.options.sources.otherThan(this.#followed)
      this.#tended(this.#follow(others))
    } else if (this.#opened && this.#known.isStale) this.#tended(this.#compare(this.#opened))
  }

  /** Without favorites and recently viewed, which are stored elsewhere. */
  get state(): Omit<CatalogState, 'favorites' | 'viewed'> {
    const { sources } = this.options
    const { states, isThere } = this.#known
    const known = new Map(states.map((one) => [one.sourceId, one]))
    const servers = states.filter(({ enabled }) => enabled).map((one) => one.servers)
    return {
      sources: sources.list.map((source) => ({
        ...{ servers: 0, waitingPages: 0, leftOut: 0, ...known.get(source.sourceId), ...source },
        fault: this.#faults.get(source.sourceId) ?? known.get(source.sourceId)?.fault,
        hasToken: sources.hasToken(source.sourceId),
      })),
      progress: this.#progress,
      servers: isThere ? servers.reduce((sum, count) => sum + count, 0) : undefined,
      starters: known.get(STARTER_SOURCE)?.servers ?? 0,
      edition: this.#edition,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    this.#timer?.[Symbol.dispose]()
    this.#runs.cancel()
    this.#changed[Symbol.dispose]()
    this.#restood[Symbol.dispose]()
    await this.#opened?.[Symbol.asyncDispose]()
  }

  async #open(): Promise<CatalogWorker> {
    this.#followed = this.options.sources.text
    const worker = this.options.openWorker()
    this.#opened = worker
    try {
      await this.#furnish(worker)
      return worker
    } catch (error) {
      await worker[Symbol.asyncDispose]()
      this.#opened = undefined
      throw error
    }
  }

  async #furnish(worker: CatalogWorker): Promise<void> {
    worker.onDidDiscard((reason) => this.#discarded.emit(reason))
    await worker.setSources([...this.options.sources.list, STARTER])
    // The caller hasn't searched yet, so no shown list changes.
    if (await this.#restand(worker)) this.#changed.emit(undefined)
    worker.onDidProgress((progress) => this.#progressed(progress))
    worker.onDidDiscard(() => this.#tended(this.#relist(worker)))
    worker.onDidRestart((error) => {
      this.#failed.emit(error)
      this.#tended(this.#relist(worker))
    })
  }

  async #follow(others: readonly string[]): Promise<void> {
    await this.#queue(async () => {
      this.#followed = this.options.sources.text
      this.#runs.interrupt()
      const worker = await this.worker()
      await worker.setSources([...this.options.sources.list, STARTER])
      await this.#relist(worker)
    })
    // The next change doesn't wait for it, and interrupted sources are synced again.
    await this.resync(this.options.store.settings.catalogUpkeep ? undefined : others)
  }

  async #synced(ids: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    try {
      await this.#syncAll(ids, signal)
    } finally {
      this.#progress = undefined
      this.#changed.emit(undefined)
    }
  }

  async #syncAll(ids: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { sources, time } = this.options
    if (sources.ids.every((id) => ids.has(id))) this.#triedAt = time.now()
    const worker = await this.worker()
    for (const source of sources.list) {
      if (!source.enabled || signal.aborted || !ids.has(source.sourceId)) continue
      this.#progressed({ ...NOTHING_YET, sourceId: source.sourceId })
      await this.#syncOne(worker, source, signal).catch((error: unknown) => this.#latch(error))
    }
  }

  async #syncOne(
    worker: CatalogWorker,
    { sourceId, baseUrl }: RegistrySource,
    signal: AbortSignal,
  ): Promise<void> {
    this.#faults.delete(sourceId)
    let token: string | undefined
    try {
      token = await this.options.sources.tokenOf(sourceId)
    } catch {
      // Without its token, the registry would report an invalid one.
      this.#faults.set(sourceId, tokenFault(baseUrl))
      return
    }
    const pageLimit = this.options.store.settings.registryPages
    await worker.calls.sync({ sourceId, mode: 'auto', token, pageLimit }, signal)
    await this.#relist(worker)
  }

  #progressed(progress: SyncProgress): void {
    this.#progress = progress
    this.#changed.emit(undefined)
    const now = this.options.time.monotonic()
    if (now - this.#grewAt < GROWS_MS || progress.entries === 0 || !this.#opened) return
    this.#grewAt = now
    this.#tended(this.#known.count(this.#opened).then(() => this.listChanged()))
  }

  async #relist(worker: CatalogWorker): Promise<void> {
    await this.#restand(worker)
    this.listChanged()
  }

  /** Reads the state of sources and installed servers; returns whether the sources changed. */
  async #restand(worker: CatalogWorker): Promise<boolean> {
    await worker.calls.seed(STARTER_SOURCE, this.options.starters)
    await this.#compare(worker)
    return this.#known.count(worker)
  }

  async #compare(worker: CatalogWorker): Promise<void> {
    const changed = await this.#known.compare(worker)
    if (changed.size > 0) this.#restood.emit(changed)
  }

  /** Opens the catalog only if there is something to find out. */
  async #check(): Promise<void> {
    if (!this.#known.isThere || this.#known.isStale) await this.worker()
    if (!this.options.store.settings.catalogUpkeep || this.#runs.isRunning) return
    const { sources } = this.state
    const oldest = Math.min(
      ...sources.filter((one) => one.enabled).map(({ completedAt = 0 }) => completedAt),
    )
    const isDue = (at: number): boolean => Math.abs(this.options.time.now() - at) >= HOUR_MS
    if (Number.isFinite(oldest) && isDue(oldest) && isDue(this.#triedAt)) await this.sync()
  }

  /** Runs background work. */
  #tended(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#latch(error))
  }

  /** Ignores failures after dispose. */
  #latch(error: unknown): void {
    if (!this.#isDisposed) this.#failed.emit(error)
  }
}

/** Progress before the first page. */
const NOTHING_YET = { kind: 'increment', pages: 0, entries: 0, leftOut: 0, elapsedMs: 0 } as const

/** Syncs the sources of these ids until aborted. */
type SyncWork = (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<void>

type SyncRun = {
  readonly ids: ReadonlySet<string>
  readonly calling: AbortController
  readonly ended: Promise<void>
}

/** Runs syncs one at a time, and knows which sources are due next. */
export class SyncRuns {
  readonly #owed = new Set<string>()
  #run: SyncRun | undefined

  constructor(private readonly work: SyncWork) {}

  get isRunning(): boolean {
    return this.#run !== undefined
  }

  /** Syncs these sources and due ones; joins a running sync of the same, and follows any other. Rejects as the work does. */
  begin(ids: readonly string[]): Promise<void> {
    const run = this.#run ?? this.#begin(new Set([...this.#owed, ...ids]))
    return ids.every((id) => run.ids.has(id)) ? run.ended : this.restart(ids)
  }

  /** Syncs these sources with their current settings, after a running sync. Rejects as the work does. */
  async restart(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#owed.add(id)
    // Its outcome goes to its own callers.
    await Promise.allSettled([this.#run?.ended])
    // Another caller may have begun the due sync.
    await (this.#owed.size > 0 ? this.begin([]) : this.#run?.ended)
  }

  cancel(): void {
    this.#run?.calling.abort()
  }

  /** Interrupts the running sync, unless it was canceled; its sources are due next. */
  interrupt(): void {
    if (!this.#run || this.#run.calling.signal.aborted) return
    for (const id of this.#run.ids) this.#owed.add(id)
    this.cancel()
  }

  #begin(ids: ReadonlySet<string>): SyncRun {
    this.#owed.clear()
    const calling = new AbortController()
    const ended = this.work(ids, calling.signal).finally(() => (this.#run = undefined))
    this.#run = { ids, calling, ended }
    return this.#run
  }
}
