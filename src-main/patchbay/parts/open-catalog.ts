import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'
import type { AppInfo } from '../../../src-shared/domain/state/app-state'
import { Catalog } from '../../core/catalog/catalog'
import { CatalogMarks } from '../../core/catalog/catalog-marks'
import { CatalogMemory } from '../../core/catalog/catalog-memory'
import { CatalogSources } from '../../core/catalog/catalog-sources'
import { FirstPageCache } from '../../core/catalog/first-page-cache'
import { IconCache } from '../../core/catalog/icons/icon-cache'
import { OpeningMemory } from '../../core/catalog/opening-memory'
import { RegistryCatalog } from '../../core/catalog/registry-catalog'
import { starterCatalog, starterDocuments } from '../../core/catalog/starter-catalog'
import type { SetAsideReason } from '../../core/catalog/store/catalog-file'
import { SyncScheduler } from '../../core/catalog/sync-scheduler'
import { CatalogWorker } from '../../core/catalog/thread/catalog-worker'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import { Throttle } from '../../core/lifecycle/throttle'
import { type ResolveProxy, SystemNetwork } from '../../core/network/system-network'
import { NetworkChoice } from '../../core/network-choice/network-choice'
import type { SecretBackend } from '../../core/ports'
import type { StateFeed } from '../../core/state/state-feed'

/** The servers that were enabled are started first. */
const BEGIN_MS = 5_000
/** How often screens are told of a sync at most, in ms. */
const TELL_MS = 250

/** Why the catalog's own file was not used; installations are kept elsewhere. */
const SET_ASIDE: Readonly<Record<SetAsideReason, string>> = {
  corrupt: 'The file was damaged and was moved. Your servers are unchanged.',
  locked: 'Another program uses the file, so it was moved. Your servers are unchanged.',
  newer: 'The file is from a later version of Patchbay and was moved. Your servers are unchanged.',
  unusable:
    'The folder can’t be written, so the catalog is kept for this run only. Check the disk space and that you can write to the profile folder.',
}

/** The catalog of a running desk; to be closed by its owner. */
export type OpenedCatalog = {
  readonly catalog: Catalog
  readonly registry: RegistryCatalog
  readonly syncScheduler: SyncScheduler
  readonly sources: CatalogSources
  readonly marks: CatalogMarks
  readonly icons: IconCache
  /** How the person wants addresses to be reached; it ends with the catalog. */
  readonly choice: NetworkChoice
  /** How addresses are fetched; it ends with the catalog. */
  readonly network: SystemNetwork
  /** How the catalog is, for the screens. */
  readonly state: () => CatalogState
  readonly onCatalogTrouble: (error: unknown) => void
  close(): Promise<void>
}

/** Opens the catalog of a profile; its thread starts when it is needed, or a while after the servers were started. */
export function openCatalog(parts: {
  readonly profileDir: string
  readonly info: Pick<AppInfo, 'version'>
  readonly store: ProfileDocument
  readonly secrets: SecretBackend
  readonly createCatalogWorker: (options: WorkerOptions) => Worker
  /** Tells the proxies of the desktop, where there is one. */
  readonly resolveProxy?: ResolveProxy | undefined
  /** Whether it is opened and kept up to date without being asked; it is where this is missing. */
  readonly tendsCatalog?: boolean
  readonly feed: () => StateFeed
}): OpenedCatalog {
  const { profileDir, store, secrets, createCatalogWorker: createWorker, feed } = parts
  const { choice, network } = openNetwork(parts)
  const sources = new CatalogSources(store, secrets)
  const marks = new CatalogMarks(profileDir)
  const onCatalogTrouble = (error: unknown): void => feed().addNotice(noticeOf(error))
  const folder = join(profileDir, 'catalog')
  const syncScheduler = new SyncScheduler({
    openWorker: () => new CatalogWorker({ folder, createWorker, fetch: network.fetch }),
    memory: new CatalogMemory(folder),
    sources,
    version: parts.info.version,
    starters: starterDocuments,
    installedNames: () => store.installations.map(({ server }) => server.name),
    isAutomatic: () => store.settings.catalogUpkeep,
    pageLimit: () => store.settings.registryPages,
    onTrouble: onCatalogTrouble,
    onSetAside: (reason) => feed().addNotice(setAsideNotice(reason)),
    time: systemTime,
  })
  const telling = new Throttle(TELL_MS, () => feed().catalogChanged())
  syncScheduler.onDidChange(() => telling.call())
  const tellServers = (names: ReadonlySet<string>): void => tellNamed(names, store, feed())
  syncScheduler.onDidChangeStatuses(tellServers)
  store.onDidChange(() => syncScheduler.settled())
  if (parts.tendsCatalog ?? true) syncScheduler.begin(BEGIN_MS)
  const memory = new OpeningMemory(folder)
  const onTrouble = onCatalogTrouble
  const opening = new FirstPageCache({ memory, syncScheduler, onTrouble, time: systemTime })
  const registry = new RegistryCatalog(() => syncScheduler.worker(), sources, opening)
  const icons = new IconCache({ folder: join(profileDir, 'icons'), fetch: network.publicFetch })
  const catalog = new Catalog(starterCatalog(), registry)
  catalog.onDidPaste(() => syncScheduler.listChanged())
  catalog.onDidRemember(tellServers)
  return {
    ...{
      catalog,
      registry,
      syncScheduler,
      sources,
      marks,
      icons,
      choice,
      network,
      onCatalogTrouble,
    },
    state: () => ({
      ...syncScheduler.state,
      favourites: [...marks.favourites],
      viewed: [...marks.viewed],
    }),
    close: async () => {
      telling[Symbol.dispose]()
      icons[Symbol.dispose]()
      opening[Symbol.dispose]()
      await syncScheduler[Symbol.asyncDispose]()
      choice[Symbol.dispose]()
      await network[Symbol.asyncDispose]()
    },
  }
}

function openNetwork(parts: {
  readonly profileDir: string
  readonly store: ProfileDocument
  readonly secrets: SecretBackend
  readonly resolveProxy?: ResolveProxy | undefined
}): Pick<OpenedCatalog, 'choice' | 'network'> {
  const { profileDir, store, secrets, resolveProxy } = parts
  const { platform, env: environment } = process
  const folder = join(profileDir, 'certificates')
  const place = { folder, platform, environment, resolveProxy }
  const choice = new NetworkChoice({ store, secrets, ...place })
  return { choice, network: new SystemNetwork({ resolveProxy, rule: choice.rule }) }
}

/** What the catalog knows of servers of these names is another than before. */
function tellNamed(names: ReadonlySet<string>, store: ProfileDocument, feed: StateFeed): void {
  for (const { installationId, server } of store.installations)
    if (names.has(server.name)) feed.serverChanged(installationId)
}

type Notice = Parameters<StateFeed['addNotice']>[0]

function setAsideNotice(reason: SetAsideReason): Notice {
  return {
    ...{ noticeId: 'catalog-set-aside', severity: 'warn' },
    title: 'The catalog is being downloaded again',
    message: SET_ASIDE[reason],
  }
}

function noticeOf(error: unknown): Notice {
  const message = error instanceof Error ? error.message : String(error)
  return { noticeId: 'catalog', severity: 'warn', title: 'The catalog had a problem', message }
}
