import { homedir } from 'node:os'

import type { AppInfo, AppNotice } from '../src-shared/domain/app-state'
import type { Settings } from '../src-shared/domain/settings'
import { Catalog } from './core/catalog/catalog'
import { starterCatalog } from './core/catalog/starter-catalog'
import { InstallationService } from './core/installation/installation-service'
import { InstallationStore } from './core/installation/installation-store'
import { childEnvironment } from './core/launch/child-environment'
import { LoginPath } from './core/launch/login-path'
import { RunnerDoctor } from './core/launch/runner-doctor'
import type { DocumentStore, SecretBackend } from './core/ports'
import { LedgerFile } from './core/process/ledger-file'
import { noticeOf, OWN_CHECKS } from './core/process/ledger-notices'
import { OrphanLedger } from './core/process/orphan-ledger'
import { openSecretVault } from './core/secrets/secret-vault'
import { prepareLaunch } from './core/session/prepare-launch'
import { ServerDirectory } from './core/session/server-directory'
import { type StateEvent, StateFeed } from './core/state-feed'
import type { Handlers } from './ipc/answer'
import { appHandlers } from './ipc/handlers/app-handlers'
import { catalogHandlers } from './ipc/handlers/catalog-handlers'
import { installationHandlers } from './ipc/handlers/installation-handlers'
import { runnerHandlers } from './ipc/handlers/runner-handlers'
import { serverHandlers } from './ipc/handlers/server-handlers'
import { openLogs } from './open-logs'

export type PatchbayOptions = {
  readonly profileDir: string
  readonly document: DocumentStore
  readonly loadSecrets: () => Promise<SecretBackend>
  readonly info: Omit<AppInfo, 'profileDir'>
  readonly pickPath?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
  /** Where servers run; the home folder where none is named. Runners read configuration there. */
  readonly workingFolder?: string
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
  const place = { platform: process.platform, home: homedir(), environment: process.env }
  const feed = new StateFeed({
    info: { ...options.info, profileDir: options.profileDir },
    store,
    vault,
    supervisorOf: (installationId) => servers.find(installationId),
    notices: [...(options.startupNotices ?? []), ...store.notices],
  })
  const ledger = openLedger(options.profileDir, store, feed)
  const setupKeeper = ledger.sparingKeeperOf(OWN_CHECKS)
  const loginPath = new LoginPath({ ...place, keeper: setupKeeper })
  // A terminal has the shell's PATH; a dock and a menu have not.
  const isFromShell = options.info.wayIn === 'browser'
  if (!isFromShell) void loginPath.read()
  const doctor = new RunnerDoctor({
    ...place,
    loginPath,
    isFromShell,
    isRoot: process.getuid?.() === 0,
    settings,
    keeper: ledger.keeperOf(OWN_CHECKS),
    setupKeeper,
  })
  const logs = openLogs({ profileDir: options.profileDir, settings, feed, servers: () => servers })
  const servers = new ServerDirectory({
    prepare: (installationId, log) =>
      prepareLaunch(installationId, { installations, settings, log, doctor, ledger }),
    slots: store.settings,
    clientVersion: options.info.version,
    onDidChange: (installationId) => feed.serverChanged(installationId),
    onDidAppend: logs.append,
  })
  const { archive } = logs
  for (const { installationId } of store.installations) servers.add(installationId)
  for (const { installationId, enabled } of store.installations) {
    if (enabled) servers.read(installationId).supervisor.start()
  }
  return {
    handlers: {
      ...appHandlers({ store, servers, archive, feed, pickPath: options.pickPath }),
      ...catalogHandlers(catalog, store),
      ...installationHandlers({ catalog, installations, servers, archive, feed }),
      ...serverHandlers(servers, archive),
      ...runnerHandlers({ doctor, servers, settings }),
    },
    onEvent: feed.onEvent,
    servers,
    close: async () => {
      loginPath[Symbol.dispose]()
      await servers.close()
      ledger.close()
      await logs.close()
    },
  }
}

function openLedger(profileDir: string, store: InstallationStore, feed: StateFeed): OrphanLedger {
  return new OrphanLedger({
    file: new LedgerFile(profileDir),
    env: childEnvironment({ own: process.env, platform: process.platform }, {}),
    onNews: (news) => feed.addNotice(noticeOf(news, (owner) => store.find(owner)?.name)),
  })
}
