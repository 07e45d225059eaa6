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
import { CatalogKnowledge, type RegistryStatus } from './catalog-knowledge'
import type { CatalogSources } from './catalog-sources'
import { tokenFault } from './registry/registry-fault'
import type { SetAsideReason } from './store/catalog-file'
import type { CatalogWorker } from './thread/catalog-worker'

/** No registry: its address is never asked. */
const STARTER: RegistrySource = {
  sourceId: STARTER_SOURCE,
  baseUrl: 'https://starter.invalid',
  enabled: true,
}
const HOUR_MS = 3_600_000
/** How often it is looked whether an hour has passed: a computer that slept must not wait for another. */
const LOOK_MS = 60_000
/** How often a list that grows is reported as changed, in ms. */
const GROWS_MS = 2_000

/** What the sync works with. */
export type SyncSchedulerOptions = {
  readonly openWorker: () => CatalogWorker
  /** The folder of the catalog. */
  readonly folder: string
  readonly sources: CatalogSources
  /** The documents that come with Patchbay. */
  readonly starters: readonly unknown[]
  /** Says what is installed, whether to sync automatically, and after how many pages a registry counts as endless. */
  readonly store: {
    readonly settings: Pick<Settings, 'catalogUpkeep' | 'registryPages'>
    readonly installations: readonly { readonly server: Pick<ServerJson, 'name'> }[]
  }
  readonly time: Timekeeper
}

/**
 * Keeps the catalog up to its sources and tells how it is. Its thread starts when it is first needed; nothing is
 * asked of a registry before `begin`, `sync` or another list of sources.
 */
export class SyncScheduler implements AsyncDisposable {
  readonly #changed = new Emitter<undefined>()
  readonly #restood = new Emitter<ReadonlySet<string>>()
  readonly #setAside = new Emitter<SetAsideReason>()
  readonly #failed = new Emitter<unknown>()
  readonly #queue = pLimit(1)
  readonly #known: CatalogKnowledge
  #opened: CatalogWorker | undefined
  #worker: Promise<CatalogWorker> | undefined
  #followed: string
  /** Of sources that could not be asked, by their id. */
  readonly #faults = new Map<string, RegistryFault>()
  #progress: SyncProgress | undefined
  #edition = 0
  #grewAt = 0
  #triedAt = 0
  readonly #runs = new SyncRuns((ids, signal) => this.#synced(ids, signal))
  #timer: Disposable | undefined
  #isDisposed = false

  readonly onDidChange = this.#changed.event
  /** What the registries say of these installed servers is another. */
  readonly onDidChangeStatuses = this.#restood.event
  /** The catalog begins again, since its file could not be used. */
  readonly onDidSetAside = this.#setAside.event
  /** Fires for work that nobody waits for, such as a thread that crashed. */
  readonly onDidFail = this.#failed.event

  constructor(private readonly options: SyncSchedulerOptions) {
    this.#followed = options.sources.text
    this.#known = new CatalogKnowledge({
      ...options,
      installedNames: () => options.store.installations.map(({ server }) => server.name),
      sourceText: () => this.#followed,
      onProblem: (error) => this.#failed.emit(error),
    })
  }

  /** What the registries say of the servers that are installed. */
  get statuses(): RegistryStatus {
    return this.#known.statuses
  }

  /** Looks after `delayMs` whether there is anything to do, and from then on syncs it each hour where that is wanted. */
  begin(delayMs: number): void {
    this.#timer = this.options.time.after(delayMs, () => {
      this.begin(LOOK_MS)
      this.#tended(this.#look())
    })
  }

  /** The thread, with its sources. Rejects when it cannot be started (the next call tries again), and at the end of the app. */
  worker(): Promise<CatalogWorker> {
    if (this.#isDisposed) return Promise.reject(new AppError('INTERNAL', 'Patchbay is closing.'))
    this.#worker ??= this.#open().catch((error: unknown) => {
      this.#worker = undefined
      throw error
    })
    return this.#worker
  }

  /** Brings every source up to date, one after the other, or the one of this id alone; a call joins a sync under way that is for the same, and follows any other. What a registry does wrong is state, not a rejection. */
  sync(id?: string): Promise<void> {
    return this.#runs.begin(id === undefined ? this.options.sources.ids : [id])
  }

  /** Brings these sources up to date as they are now, every one without them: where a sync is under way, another follows. */
  resync(ids: readonly string[] = this.options.sources.ids): Promise<void> {
    return this.#runs.restart(ids)
  }

  /** To be called when a search may find something else for another reason than a sync. */
  listChanged(): void {
    this.#edition += 1
    this.#changed.emit(undefined)
  }

  /** Ends the sync under way; what came stays, and the next one goes on from there. */
  cancelSync(): void {
    this.#runs.cancel()
  }

  /**
   * To be called when settings or installations may have changed. Where the sources have, it syncs all of them, or
   * what is new, led elsewhere or switched on alone while none may be asked unless a user wants it.
   */
  settled(): void {
    if (this.#isDisposed) return
    if (this.#followed !== this.options.sources.text) {
      const others = this.options.sources.otherThan(this.#followed)
      this.#tended(this.#follow(others))
    } else if (this.#opened && this.#known.isBehind) this.#tended(this.#compare(this.#opened))
  }

  /** Without the marks, which are kept elsewhere. */
  get state(): Omit<CatalogState, 'favourites' | 'viewed'> {
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
    worker.onDidSetAside((reason) => this.#setAside.emit(reason))
    await worker.setSources([...this.options.sources.list, STARTER])
    // Who waits for this has not searched yet: no list of theirs is another.
    if (await this.#restand(worker)) this.#changed.emit(undefined)
    worker.onDidProgress((progress) => this.#progressed(progress))
    worker.onDidSetAside(() => this.#tended(this.#relist(worker)))
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
    // The next change does not wait for it, and what it interrupts is asked again.
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
      // Asked without it, the registry would say that the token is wrong.
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

  /** Finds out how the sources and the installed servers stand; gives whether the sources do otherwise than before. */
  async #restand(worker: CatalogWorker): Promise<boolean> {
    await worker.calls.seed(STARTER_SOURCE, this.options.starters)
    await this.#compare(worker)
    return this.#known.count(worker)
  }

  async #compare(worker: CatalogWorker): Promise<void> {
    const changed = await this.#known.compare(worker)
    if (changed.size > 0) this.#restood.emit(changed)
  }

  /** Opens the catalog only where there is something to find out. */
  async #look(): Promise<void> {
    if (!this.#known.isThere || this.#known.isBehind) await this.worker()
    if (!this.options.store.settings.catalogUpkeep || this.#runs.isRunning) return
    const { sources } = this.state
    const oldest = Math.min(
      ...sources.filter((one) => one.enabled).map(({ completedAt = 0 }) => completedAt),
    )
    const isDue = (at: number): boolean => Math.abs(this.options.time.now() - at) >= HOUR_MS
    if (Number.isFinite(oldest) && isDue(oldest) && isDue(this.#triedAt)) await this.sync()
  }

  /** Work that nobody waits for. */
  #tended(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#latch(error))
  }

  /** What fails once all has ended is nobody's any more. */
  #latch(error: unknown): void {
    if (!this.#isDisposed) this.#failed.emit(error)
  }
}

/** How a sync stands before its first page. */
const NOTHING_YET = { kind: 'increment', pages: 0, entries: 0, leftOut: 0, elapsedMs: 0 } as const

/** Syncs the sources of these ids; ends early when it is called off. */
type SyncWork = (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<void>

type SyncRun = {
  readonly ids: ReadonlySet<string>
  readonly calling: AbortController
  readonly ended: Promise<void>
}

/** Lets syncs run one at a time, and knows which sources the next one is owed to. */
export class SyncRuns {
  readonly #owed = new Set<string>()
  #run: SyncRun | undefined

  constructor(private readonly work: SyncWork) {}

  get isRunning(): boolean {
    return this.#run !== undefined
  }

  /** Syncs these sources, and what is owed; joins a run under way that is for them, and follows any other. Rejects as the work does. */
  begin(ids: readonly string[]): Promise<void> {
    const run = this.#run ?? this.#begin(new Set([...this.#owed, ...ids]))
    return ids.every((id) => run.ids.has(id)) ? run.ended : this.restart(ids)
  }

  /** Syncs these sources as they are now: where a run is under way, another follows. Rejects as that one's work does. */
  async restart(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#owed.add(id)
    // Its outcome goes to those who asked for it.
    await Promise.allSettled([this.#run?.ended])
    // Somebody else may have begun what is owed.
    await (this.#owed.size > 0 ? this.begin([]) : this.#run?.ended)
  }

  cancel(): void {
    this.#run?.calling.abort()
  }

  /** Ends the run under way, unless somebody cancelled it; what it was for is owed. */
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
