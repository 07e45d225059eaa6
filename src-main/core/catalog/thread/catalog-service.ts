import { setImmediate } from 'node:timers/promises'

import pLimit, { type LimitFunction } from 'p-limit'

import type {
  CatalogPage,
  CatalogQuery,
  ListedServer,
  SourceStatus,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type {
  RegistrySource,
  SourceState,
  SyncProgress,
  SyncReport,
} from '../../../../src-shared/domain/catalog/catalog-sync'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import { damageOf } from '../../sqlite/file-damage'
import { faultOf } from '../registry/registry-fault'
import {
  cachedVersions,
  type KnownVersions,
  readVersions,
  RegistryReader,
  type RetryPlan,
} from '../registry/registry-reader'
import type { Transfer } from '../registry/registry-transfer'
import { syncSource } from '../registry/sync-source'
import { toListedServer } from '../search/catalog-search'
import {
  closeCatalogFile,
  type DiscardReason,
  moveAside,
  openCatalogFile,
} from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'

type ListedDocument = {
  readonly listed: ListedServer
  /** The registry's entry as JSON text. */
  readonly raw: string
}

/** The catalog's environment and event callbacks. */
export type CatalogPorts = {
  readonly folder: string
  readonly transfer: Transfer
  /** Retry plan for registries, if not the default. */
  readonly retry?: RetryPlan | undefined
  readonly onProgress: (progress: SyncProgress) => void
  /** An unusable catalog file was replaced. */
  readonly onDiscard: (reason: DiscardReason) => void
}

/** The source to sync. The token is used once and not stored. */
export type SyncRequest = {
  readonly sourceId: string
  /** `auto` requests no more than needed. */
  readonly mode: 'auto' | 'full'
  readonly token?: string | undefined
  /** Pages after which the registry counts as endless. */
  readonly pageLimit?: number | undefined
}

/** The catalog on one thread: sources, syncs, searches and documents. */
export class CatalogService implements Disposable {
  readonly #closing = new AbortController()
  readonly #writing: LimitFunction = pLimit(1)
  #sources: readonly RegistrySource[] = []
  #store: CatalogStore

  constructor(private readonly ports: CatalogPorts) {
    this.#store = this.#open()
  }

  /** Waits for a running sync; abort that first. */
  setSources(sources: readonly RegistrySource[]): Promise<SourceState[]> {
    return this.#writing(() => {
      this.#sources = sources
      return this.#withRecovery(() => this.#store.setSources(sources))
    })
  }

  /** Lists documents as a source without a registry, except names that another source lists or took down. Waits for a running sync. */
  seed(sourceId: string, documents: readonly unknown[]): Promise<void> {
    return this.#writing(() => this.#withRecovery(() => this.#store.seed(sourceId, documents)))
  }

  sources(): SourceState[] {
    return this.#withRecovery(() => this.#store.sources.list())
  }

  prepareSearch(): void {
    this.#withRecovery(() => this.#store.prepareSearch())
  }

  /** Undefined if aborted before its turn. */
  async search(query: CatalogQuery, signal: AbortSignal): Promise<CatalogPage | undefined> {
    // The next letter may have been typed already and aborts this search.
    await setImmediate()
    return signal.aborted ? undefined : this.#withRecovery(() => this.#store.search(query))
  }

  statuses(names: readonly string[]): SourceStatus[] {
    return this.#withRecovery(() => this.#store.statuses(names))
  }

  read({ sourceId, name }: ListedRef): ListedDocument | undefined {
    const found = this.#withRecovery(() => this.#store.read(sourceId, name))
    return found && { listed: toListedServer(found.row), raw: found.raw }
  }

  /** Runs one sync at a time. Undefined for an unknown or disabled source. */
  sync(order: SyncRequest, calling?: AbortSignal): Promise<SyncReport | undefined> {
    const signal = AbortSignal.any([this.#closing.signal, ...(calling ? [calling] : [])])
    return this.#writing(async () => {
      const source = this.#sources.find(({ sourceId }) => sourceId === order.sourceId)
      if (!source?.enabled) return undefined
      const run = () =>
        syncSource({
          ...{ sourceId: source.sourceId, baseUrl: source.baseUrl, mode: order.mode, signal },
          store: this.#store,
          reader: this.#reader(source, order.token),
          onProgress: this.ports.onProgress,
          pageLimit: order.pageLimit,
        })
      const store = this.#store
      try {
        return await run()
      } catch (error) {
        // A search may have found and repaired the damage first.
        if (this.#store === store) this.#recover(error)
        return await run()
      }
    })
  }

  /** Undefined for an unknown source; a disabled one isn't asked. */
  async versions({
    sourceId,
    name,
    token,
  }: ListedRef & { readonly token?: string | undefined }): Promise<KnownVersions | undefined> {
    const source = this.#sources.find((one) => one.sourceId === sourceId)
    if (!source) return undefined
    if (!source.enabled) {
      const fault = faultOf(
        source.baseUrl,
        'switched-off',
        'The registry at {address} is turned off.',
      )
      return cachedVersions(this.#store, { sourceId, name }, fault)
    }
    const reader = this.#reader(source, token)
    const key = { sourceId, name }
    return await readVersions({ store: this.#store, reader }, key, this.#closing.signal)
  }

  /** Ends running work and closes the file. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#writing(() => undefined)
    this[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]()
  }

  #reader({ baseUrl }: RegistrySource, token: string | undefined): RegistryReader {
    const { transfer, retry } = this.ports
    return new RegistryReader({ baseUrl, token, transfer, retry })
  }

  #open(): CatalogStore {
    const file = openCatalogFile(this.ports.folder)
    if (file.reason !== undefined) this.ports.onDiscard(file.reason)
    try {
      return new CatalogStore(file)
    } catch (error) {
      closeCatalogFile(file)
      if (damageOf(error) !== 'corrupt') throw error
      moveAside(file.path)
      this.ports.onDiscard('corrupt')
      return new CatalogStore(openCatalogFile(this.ports.folder))
    }
  }

  /** Runs `work`; if the file is damaged, replaces it and runs `work` again. */
  #withRecovery<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#recover(error)
      return work()
    }
  }

  #recover(error: unknown): void {
    if (damageOf(error) !== 'corrupt') throw error
    const { path } = this.#store
    this.#store[Symbol.dispose]()
    moveAside(path)
    this.ports.onDiscard('corrupt')
    this.#store = this.#open()
    this.#store.setSources(this.#sources)
  }
}
