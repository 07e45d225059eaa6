import { join } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'
import { type ListedRef, PASTED_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import { errorMessage } from '../../../src-shared/domain/error-message'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Catalog, starterCatalog, starterDocuments } from '../../core/catalog/catalog'
import { CatalogSources } from '../../core/catalog/catalog-sources'
import { Favorites } from '../../core/catalog/favorites'
import { IconCache } from '../../core/catalog/icons/icon-cache'
import { pastedDetail, searchWithPasted } from '../../core/catalog/pasted-listing'
import { RegistryCatalog } from '../../core/catalog/registry-catalog'
import type { DiscardReason } from '../../core/catalog/store/catalog-file'
import { SyncScheduler } from '../../core/catalog/sync-scheduler'
import { CatalogWorker } from '../../core/catalog/thread/catalog-worker'
import type { InstallationService } from '../../core/installation/installation-service'
import { Throttle } from '../../core/lifecycle/throttle'
import type { SystemNetwork } from '../../core/network/system-network'
import { knownUpdate } from '../../core/updates/newer-version'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext, Threads } from './context'

/** Enabled servers start first. */
const BEGIN_MS = 5_000
/** Interval in which screens get sync progress, in ms. */
const NOTIFY_EVERY_MS = 250

/** Why the catalog's file was replaced; installations are stored elsewhere. */
const SET_ASIDE: Readonly<Record<DiscardReason, string>> = {
  corrupt: 'The file was damaged and was moved. Your servers are unchanged.',
  locked: 'Another program uses the file, so it was moved. Your servers are unchanged.',
  newer: 'The file is from a later version of Patchbay and was moved. Your servers are unchanged.',
  unusable:
    'The folder can’t be written, so the catalog is kept for this run only. Check the disk space and that you can write to the profile folder.',
}

/** The catalog's interface for other modules. */
export type CatalogModule = {
  readonly catalog: Catalog
  readonly registry: RegistryCatalog
  readonly updateOf: (installation: Installation) => ServerView['update']
  readonly registryStatusOf: (installation: Installation) => ServerView['registryStatus']
  readonly snapshot: () => CatalogState
  readonly handlers: HandlersOf<'catalog'>
  close(): Promise<void>
}

export type CatalogDeps = {
  readonly network: SystemNetwork
  readonly installations: Pick<InstallationService, 'read'>
  readonly createWorker: Threads['createCatalogWorker']
  /** Whether the catalog opens and syncs automatically; true by default. */
  readonly syncs?: boolean | undefined
}

/** Opens a profile's catalog; its thread starts on demand, or a while after the servers. */
export function openCatalog(
  ctx: AppContext,
  { network, installations, createWorker, syncs = true }: CatalogDeps,
): CatalogModule {
  const { profileDir, store, vault, changes, notices, time } = ctx
  const sources = new CatalogSources(store, vault)
  const marks = new Favorites(profileDir)
  const onProblem = (error: unknown): void =>
    notices.warn('catalog', 'The catalog had a problem', errorMessage(error))
  const folder = join(profileDir, 'catalog')
  const syncScheduler = new SyncScheduler({
    openWorker: () => new CatalogWorker({ folder, createWorker, fetch: network.fetch }),
    sources,
    starters: starterDocuments,
    ...{ folder, store, time },
  })
  syncScheduler.onDidFail(onProblem)
  syncScheduler.onDidDiscard((reason) =>
    notices.warn('catalog-set-aside', 'The catalog is being downloaded again', SET_ASIDE[reason]),
  )
  const throttle = new Throttle(NOTIFY_EVERY_MS, () => changes.topic('catalog'))
  syncScheduler.onDidChange(() => throttle.call())
  const namedChanged = (names: ReadonlySet<string>): void => {
    for (const { installationId, server } of store.installations)
      if (names.has(server.name)) changes.server(installationId)
  }
  syncScheduler.onDidChangeStatuses(namedChanged)
  store.onDidChange(() => syncScheduler.settled())
  if (syncs) syncScheduler.begin(BEGIN_MS)
  const registry = new RegistryCatalog(() => syncScheduler.worker(), sources)
  const icons = new IconCache({ folder: join(profileDir, 'icons'), fetch: network.publicFetch })
  const catalog = new Catalog(starterCatalog(), registry)
  catalog.onDidPaste(() => syncScheduler.listChanged())
  catalog.onDidRemember(namedChanged)
  const { statuses } = syncScheduler
  return {
    ...{ catalog, registry },
    updateOf: (installation) => {
      const known = knownUpdate(catalog, installation)
      return known
        ? { entryId: known.entryId, version: known.server.version }
        : statuses.updateOf(installation)
    },
    registryStatusOf: (installation) => statuses.warningOf(installation),
    snapshot: () => ({
      ...syncScheduler.state,
      favorites: [...marks.favorites],
      viewed: [...marks.viewed],
    }),
    handlers: {
      ...handlersOf(ctx, { catalog, registry, icons, marks, sources, syncScheduler }, onProblem),
      'catalog.read': ({ entryId }) => catalog.find(entryId),
      'catalog.readInstalled': ({ installationId }) =>
        catalog.rememberInstalled(installations.read(installationId)),
    },
    close: async () => {
      throttle[Symbol.dispose]()
      icons[Symbol.dispose]()
      await syncScheduler[Symbol.asyncDispose]()
    },
  }
}

type Opened = {
  readonly catalog: Catalog
  readonly registry: RegistryCatalog
  readonly icons: IconCache
  readonly marks: Favorites
  readonly sources: CatalogSources
  readonly syncScheduler: SyncScheduler
}

function handlersOf(
  { store, changes }: AppContext,
  { catalog, registry, icons, marks, sources, syncScheduler }: Opened,
  onProblem: (error: unknown) => void,
): Omit<HandlersOf<'catalog'>, 'catalog.read' | 'catalog.readInstalled'> {
  return {
    'catalog.prepareSearch': () => registry.prepareSearch(),
    'catalog.query': async ({ searchBox, ...query }) => {
      const page = await searchWithPasted(query, catalog.pasted, (one) =>
        registry.query(one, searchBox),
      )
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
    'catalog.mark': ({ isFavorite, isViewed, ...ref }) => {
      if (isFavorite !== undefined) marks.setFavorite(ref, isFavorite)
      if (isViewed) marks.recordViewed(ref)
      changes.topic('catalog')
    },
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
    'catalog.sync': ({ sourceId }) => {
      syncScheduler.sync(sourceId).catch(onProblem)
    },
    'catalog.cancelSync': () => syncScheduler.cancelSync(),
    'catalog.addSource': async ({ baseUrl, token }) => {
      const sourceId = await sources.add(baseUrl, token)
      return { sourceId }
    },
    'catalog.changeSource': async ({ sourceId, ...change }) => {
      await sources.change(sourceId, change)
      if (change.token !== undefined) syncScheduler.resync([sourceId]).catch(onProblem)
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
