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
import type { VersionList } from '../registry/read-versions'
import type { TransferAnswer, TransferRequest } from '../registry/registry-transfer'
import type { SetAsideReason } from '../store/catalog-file'
import type { CatalogBounds, ListedDocument, ListedKey } from './catalog-service'

/** Which source to sync. The token is used for this sync and kept nowhere. */
export type SyncRequest = {
  readonly sourceId: string
  /** `auto` asks for no more than it needs. */
  readonly mode: 'auto' | 'full'
  readonly token?: string | undefined
  /** Pages after which the registry counts as endless. */
  readonly pageLimit?: number | undefined
}

/** Which server's versions to ask for. */
export type VersionsRequest = ListedKey & { readonly token?: string | undefined }

/** What the main thread asks of the catalog's; calls with an id can be called off. */
export type CatalogCalls = {
  setSources(sources: readonly RegistrySource[]): Promise<SourceState[]>
  seed(sourceId: string, documents: readonly unknown[]): Promise<void>
  sources(): SourceState[]
  prepareSearch(): void
  search(query: CatalogQuery): CatalogPage
  statuses(names: readonly string[]): SourceStatus[]
  read(key: ListedKey): ListedDocument | undefined
  sync(id: number, order: SyncRequest): Promise<SyncReport | undefined>
  versions(id: number, request: VersionsRequest): Promise<VersionList | undefined>
  cancel(id: number): void
  /** Ends what is under way and closes the file. */
  close(): Promise<void>
}

/** What the catalog's thread asks of the main thread, which alone knows the system's proxy and certificates. */
export type HostCalls = {
  transfer(id: number, request: TransferRequest): Promise<TransferAnswer>
  cancelTransfer(id: number): void
  progress(progress: SyncProgress): void
  setAside(reason: SetAsideReason): void
}

/** What the catalog's thread starts with. */
export type CatalogThreadOptions = {
  readonly folder: string
  readonly bounds: CatalogBounds
  /** Of the main thread's last `setSources`, when the thread takes the place of one that crashed or rests. */
  readonly sources: readonly RegistrySource[] | undefined
}
