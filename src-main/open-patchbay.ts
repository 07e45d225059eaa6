import { homedir } from 'node:os'

import type { AppInfo, AppNotice } from '../src-shared/domain/app-state'
import { Catalog } from './core/catalog/catalog'
import { starterCatalog } from './core/catalog/starter-catalog'
import { InstallationService } from './core/installation/installation-service'
import { InstallationStore } from './core/installation/installation-store'
import { readLoginPath } from './core/launch/login-path'
import { LogBatcher } from './core/log/log-batcher'
import type { DocumentStore, SecretBackend } from './core/ports'
import { openSecretVault } from './core/secrets/secret-vault'
import { prepareLaunch } from './core/session/prepare-launch'
import { ServerDirectory } from './core/session/server-directory'
import { type StateEvent, StateFeed } from './core/state-feed'
import type { Handlers } from './ipc/answer'
import { appHandlers } from './ipc/handlers/app-handlers'
import { catalogHandlers } from './ipc/handlers/catalog-handlers'
import { installationHandlers } from './ipc/handlers/installation-handlers'
import { serverHandlers } from './ipc/handlers/server-handlers'

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
  const vault = openSecretVault({ load: options.loadSecrets })
  const installations = new InstallationService(store, vault, options.workingFolder ?? homedir())
  const catalog = new Catalog(starterCatalog())
  const loginPath =
    options.info.wayIn === 'desktop' ? readLoginPath(process.platform) : Promise.resolve(undefined)
  const batcher = new LogBatcher((installationId, entries) =>
    feed.logAppended({ installationId, entries }),
  )
  const servers = new ServerDirectory({
    prepare: (installationId, log) =>
      prepareLaunch(installationId, {
        installations,
        settings: () => store.settings,
        log,
        environment: process.env,
        loginPath,
      }),
    slots: store.settings.spawnSlots,
    clientVersion: options.info.version,
    onDidChange: (installationId) => feed.serverChanged(installationId),
    onDidAppend: (installationId, entry) => batcher.add(installationId, entry),
  })
  const feed = new StateFeed({
    info: { ...options.info, profileDir: options.profileDir },
    store,
    vault,
    supervisorOf: (installationId) => servers.find(installationId),
    notices: [...(options.startupNotices ?? []), ...store.notices],
  })
  for (const { installationId } of store.installations) servers.add(installationId)
  for (const { installationId, enabled } of store.installations) {
    if (enabled) servers.read(installationId).supervisor.start()
  }
  return {
    handlers: {
      ...appHandlers({ store, servers, feed, pickPath: options.pickPath }),
      ...catalogHandlers(catalog, store),
      ...installationHandlers({ catalog, installations, servers, feed }),
      ...serverHandlers(servers),
    },
    onEvent: feed.onEvent,
    servers,
    close: async () => {
      await servers.close()
      batcher[Symbol.dispose]()
    },
  }
}
