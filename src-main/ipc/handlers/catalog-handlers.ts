import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { type ListedRef, PASTED_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { Catalog } from '../../core/catalog/catalog'
import type { CatalogMarks } from '../../core/catalog/catalog-marks'
import type { CatalogSources } from '../../core/catalog/catalog-sources'
import type { IconCache } from '../../core/catalog/icons/icon-cache'
import { pastedDetail, searchWithPasted } from '../../core/catalog/pasted-listing'
import type { RegistryCatalog } from '../../core/catalog/registry-catalog'
import type { SyncScheduler } from '../../core/catalog/sync-scheduler'
import type { InstallationService } from '../../core/installation/installation-service'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { StateFeed } from '../../core/state/state-feed'
import type { Handlers } from '../answer'

export type CatalogParts = {
  readonly catalog: Catalog
  readonly registry: RegistryCatalog
  readonly syncScheduler: SyncScheduler
  readonly sources: CatalogSources
  readonly marks: CatalogMarks
  readonly icons: IconCache
  readonly onCatalogTrouble: (error: unknown) => void
  readonly store: ProfileDocument
  readonly installations: InstallationService
  readonly feed: StateFeed
}

type CatalogHandlers = Pick<Handlers, Extract<keyof Handlers, `catalog.${string}`>>

/** Answers what the catalog's screens ask. */
export function catalogHandlers(parts: CatalogParts): CatalogHandlers {
  const { catalog, installations } = parts
  return {
    ...listHandlers(parts),
    ...versionHandlers(parts),
    ...syncHandlers(parts),
    'catalog.read': ({ entryId }) => catalog.find(entryId),
    'catalog.readInstalled': ({ installationId }) =>
      catalog.keepInstalled(installations.read(installationId)),
  }
}

function listHandlers({
  catalog,
  registry,
  icons,
  marks,
  store,
  feed,
}: CatalogParts): Pick<
  CatalogHandlers,
  'catalog.prepareSearch' | 'catalog.query' | 'catalog.detail' | 'catalog.icon' | 'catalog.mark'
> {
  return {
    'catalog.prepareSearch': () => registry.prepareSearch(),
    'catalog.query': async ({ lane, ...query }) => {
      const page = await searchWithPasted(query, catalog.pasted, (one) => registry.query(one, lane))
      return page ?? null
    },
    'catalog.detail': async (ref) => {
      if (ref.sourceId === PASTED_SOURCE) return pastedDetail(findPasted(catalog, ref))
      const detail = await registry.detail(ref)
      if (detail.entry.source === 'registry') catalog.remember([detail.entry])
      return detail
    },
    'catalog.icon': async (ref) => {
      if (!store.settings.catalogIcons || ref.sourceId === PASTED_SOURCE) return null
      const { icon } = (await registry.detail(ref)).listed
      return icon === undefined ? null : icons.read(icon)
    },
    'catalog.mark': ({ isFavourite, isViewed, ...ref }) => {
      if (isFavourite !== undefined) marks.setFavourite(ref, isFavourite)
      if (isViewed) marks.noteViewed(ref)
      feed.catalogChanged()
    },
  }
}

function versionHandlers({
  catalog,
  registry,
}: CatalogParts): Pick<
  CatalogHandlers,
  'catalog.versions' | 'catalog.readVersion' | 'catalog.compareVersions'
> {
  return {
    'catalog.versions': async (ref) => {
      if (ref.sourceId !== PASTED_SOURCE) return registry.versions(ref)
      const { version } = findPasted(catalog, ref).server
      return { versions: [{ version, status: 'active', isLatest: true }] }
    },
    'catalog.readVersion': async (ref) => {
      if (ref.sourceId === PASTED_SOURCE) return findPasted(catalog, ref)
      const entry = await registry.readVersion(ref)
      if (entry.source === 'registry') catalog.remember([entry])
      return entry
    },
    'catalog.compareVersions': ({ from, to, ...ref }) => registry.compareVersions(ref, from, to),
  }
}

function syncHandlers({
  syncScheduler,
  sources,
  onCatalogTrouble,
}: CatalogParts): Pick<
  CatalogHandlers,
  | 'catalog.sync'
  | 'catalog.cancelSync'
  | 'catalog.addSource'
  | 'catalog.changeSource'
  | 'catalog.removeSource'
> {
  return {
    'catalog.sync': ({ sourceId }) => {
      syncScheduler.sync(sourceId).catch(onCatalogTrouble)
    },
    'catalog.cancelSync': () => syncScheduler.cancelSync(),
    'catalog.addSource': async ({ baseUrl, token }) => {
      const sourceId = await sources.add(baseUrl, token)
      return { sourceId }
    },
    'catalog.changeSource': async ({ sourceId, ...change }) => {
      await sources.change(sourceId, change)
      if (change.token !== undefined) syncScheduler.syncAnew([sourceId]).catch(onCatalogTrouble)
    },
    'catalog.removeSource': async ({ sourceId }) => {
      await sources.remove(sourceId)
    },
  }
}

function findPasted({ pasted }: Catalog, { name }: ListedRef): CatalogEntry {
  const found = pasted.find(({ server }) => server.name === name)
  if (found) return found
  throw new AppError('NOT_FOUND', 'The pasted text is no longer available.', {
    hint: 'Paste it again.',
  })
}
