import { homedir } from 'node:os'
import { join } from 'node:path'

import type { AppInfo, AppNotice } from '../src-shared/domain/app-state'
import type { Settings } from '../src-shared/domain/settings'
import { Catalog } from './core/catalog/catalog'
import { starterCatalog } from './core/catalog/starter-catalog'
import { InstallationService } from './core/installation/installation-service'
import { InstallationStore } from './core/installation/installation-store'
import { childEnvironment } from './core/launch/child-environment'
import type { DocumentStore, SecretBackend } from './core/ports'
import { LedgerFile } from './core/process/ledger-file'
import { noticeOf } from './core/process/ledger-notices'
import { OrphanLedger } from './core/process/orphan-ledger'
import { PrivateFolders } from './core/process/private-folders'
import { openSecretVault } from './core/secrets/secret-vault'
import { prepareLaunch } from './core/session/prepare-launch'
import { ServerDirectory } from './core/session/server-directory'
import { type StateEvent, StateFeed } from './core/state-feed'
import { knownUpdate } from './core/updates/newer-version'
import type { Handlers } from './ipc/answer'
import { allHandlers } from './ipc/handlers/all-handlers'
import { openBundles } from './open-bundles'
import { openLogs } from './open-logs'
import { openRunners } from './open-runners'

export type PatchbayOptions = {
  readonly profileDir: string
  readonly document: DocumentStore
  readonly loadSecrets: () => Promise<SecretBackend>
  readonly info: Omit<AppInfo, 'profileDir'>
  readonly pickPath?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
  /** Where servers run; the home folder where none is named. Runners read configuration there. */
  readonly workingFolder?: string
  /** Which addresses bundles may come from; https only where it is missing. */
  readonly mayFetchBundle?: (address: URL) => boolean
  /** What happened before the core opened, such as a settings file that was set aside. */
  readonly startupNotices?: readonly AppNotice[]
}

/** The running core, the same for both ways in. */
export type Patchbay = {
  readonly handlers: Handlers
  readonly onEvent: (listener: (event: StateEvent) => void) => Disposable
  /** The running servers, for who sends them requests. */
  readonly servers: ServerDirectory
  /** Stops all servers side by side; settles when none is left, within about 6 s. */
  close(): Promise<void>
}

/** Wires the core and starts every enabled server; returns without waiting for any of them. */
export function openPatchbay(options: PatchbayOptions): Patchbay {
  const store = new InstallationStore(options.document)
  const settings = (): Settings => store.settings
  const vault = openSecretVault({ load: options.loadSecrets })
  const installations = new InstallationService(store, vault, options.workingFolder ?? homedir())
  const catalog = new Catalog(starterCatalog())
  const feed = new StateFeed({
    info: { ...options.info, profileDir: options.profileDir },
    store,
    vault,
    supervisorOf: (installationId) => servers.find(installationId),
    unappliedOf: (installationId) => installations.changes.of(installationId),
    updateOf: (installation) => knownUpdate(catalog, installation),
    notices: [...(options.startupNotices ?? []), ...store.notices],
  })
  const ledger = openLedger(options.profileDir, store, feed)
  const folders = openFolders(options.profileDir, ledger)
  const { doctor, loginPath } = openRunners({
    isFromShell: options.info.wayIn === 'browser',
    ledger,
    folders,
    settings,
  })
  const { shelf, opener } = openBundles({ ...options, store, catalog, ledger })
  const launchParts = { installations, settings, doctor, ledger, folders, bundles: shelf }
  const logs = openLogs({ profileDir: options.profileDir, settings, feed, servers: () => servers })
  const servers = new ServerDirectory({
    prepare: (installationId, log) => prepareLaunch(installationId, { ...launchParts, log }),
    slots: store.settings,
    clientVersion: options.info.version,
    onDidChange: (installationId) => feed.serverChanged(installationId),
    onDidAppend: logs.append,
  })
  const { archive } = logs
  startEnabled(store, servers)
  return {
    handlers: allHandlers({
      catalog,
      bundles: opener,
      store,
      installations,
      servers,
      archive,
      feed,
      doctor,
      settings,
      pickPath: options.pickPath,
    }),
    onEvent: feed.onEvent,
    servers,
    close: async () => {
      loginPath[Symbol.dispose]()
      opener[Symbol.dispose]()
      await servers.close()
      ledger.close()
      await logs.close()
    },
  }
}

function startEnabled({ installations }: InstallationStore, servers: ServerDirectory): void {
  for (const { installationId } of installations) servers.add(installationId)
  for (const { installationId, enabled } of installations) {
    if (enabled) servers.read(installationId).supervisor.start()
  }
}

function openFolders(profileDir: string, ledger: OrphanLedger): PrivateFolders {
  const folders = new PrivateFolders(join(profileDir, 'scratch'), ledger.ready)
  void folders.sweep()
  return folders
}

function openLedger(profileDir: string, store: InstallationStore, feed: StateFeed): OrphanLedger {
  return new OrphanLedger({
    file: new LedgerFile(profileDir),
    env: childEnvironment({ own: process.env, platform: process.platform }, {}),
    onNews: (news) => feed.addNotice(noticeOf(news, (owner) => store.find(owner)?.name)),
  })
}
