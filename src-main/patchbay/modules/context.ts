import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import { AppError } from '../../../src-shared/domain/app-error'
import type { AppInfo, AppNotice } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import type { UpdateSource } from '../../core/app-updates/app-updates'
import type { PathContext } from '../../core/apps/apps/host-app'
import { UNDELETED, undeletedNotice } from '../../core/installation/secrets/change-secrets'
import { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import type { ResolveProxy } from '../../core/network/system-network'
import type { DocumentStore, Keychain, Timekeeper } from '../../core/ports'
import { SecretVault } from '../../core/secrets/secret-vault'
import { SECRETS_FILE } from '../../core/secrets/secrets-file'
import { Changes, Notices } from '../../core/state/changes'
import { UserRequests } from '../../core/user-requests/user-requests'

/** Options of a way in for opening the core. */
export type PatchbayOptions = {
  readonly profile: ProfilePorts
  readonly info: Omit<AppInfo, 'profileDir'>
  readonly threads: Threads
  readonly shell?: Shell
  readonly computer?: Computer
  /** Source of Patchbay's updates; without it there are none. */
  readonly updateSource?: UpdateSource | undefined
}

export type ProfilePorts = {
  readonly profileDir: string
  readonly document: DocumentStore
  readonly loadSecrets: () => Promise<Keychain>
  /** Passphrase of the encrypted secrets file, if the environment has one. */
  readonly passphrase?: string | undefined
  /** Notices from before the core opened, such as an ignored settings file. */
  readonly notices?: readonly AppNotice[]
}

/** Create worker threads, whose built files the way in knows. */
export type Threads = {
  readonly createCatalogWorker: (options: WorkerOptions) => Worker
  /** Counts tokens; without it none are counted. */
  readonly createTokenWorker?: (options: WorkerOptions) => Worker
  /** Searches logs; without it a search fails. */
  readonly createSearchWorker?: (options: WorkerOptions) => Worker
  /** Records agents' calls; without it none are recorded. */
  readonly createAuditWorker?: (options: WorkerOptions) => Worker
}

/** Capabilities of the window or the page's server; each is absent if impossible. */
export type Shell = {
  /** Opens a page in the system's browser. */
  readonly openExternal?: ((address: string) => Promise<void>) | undefined
  /** Shows a file in the system's file manager. */
  readonly showFile?: ((path: string) => void) | undefined
  /** Shows the app's log in the system's file manager. */
  readonly showLog?: (() => void) | undefined
  readonly signOutTabs?: (() => void) | undefined
  /** Opens the system's file dialog. */
  readonly pickPath?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
  readonly end?: (() => void) | undefined
}

/** Facts about this computer that a way in or a test sets. */
export type Computer = {
  /** Working folder of servers; defaults to the home folder. Runners read configuration there. */
  readonly workingFolder?: string
  /** Addresses that bundles may come from; https only by default. */
  readonly mayFetchBundle?: ((address: URL) => boolean) | undefined
  /** The desktop's proxies in the form of a PAC script's answer; without it only the environment's are used. */
  readonly resolveProxy?: ResolveProxy | undefined
  /** Whether the catalog opens and syncs automatically; true by default. */
  readonly syncsCatalog?: boolean
  /** Where to look for agent apps; defaults to this computer and its user's home. */
  readonly appPlace?: PathContext
}

/** The context that every module gets. */
export type AppContext = {
  readonly profileDir: string
  readonly info: AppInfo
  readonly time: Timekeeper
  readonly store: ProfileDocument
  readonly settings: () => Settings
  readonly vault: SecretVault
  readonly changes: Changes
  readonly notices: Notices
  readonly userRequests: UserRequests
}

export function openContext({ profile, info }: PatchbayOptions): AppContext {
  const { profileDir, document, loadSecrets: load, passphrase, notices = [] } = profile
  const store = new ProfileDocument(document)
  const vault = new SecretVault({
    load,
    file: { path: join(profileDir, SECRETS_FILE), passphrase },
  })
  const changes = new Changes()
  vault.onDidChangeState(() => changes.topic('secretStore'))
  const context = {
    ...{ profileDir, store, vault, changes },
    info: { ...info, profileDir },
    time: systemTime,
    settings: () => store.settings,
    notices: new Notices(changes, [...notices, ...store.notices]),
    userRequests: new UserRequests(),
  }
  context.userRequests.onDidChange(() => changes.topic('userRequests'))
  followUndeleted(context)
  return context
}

/** Shows which secrets couldn't be deleted, as long as they exist. */
function followUndeleted({ store, notices }: AppContext): void {
  let listed: typeof store.unwantedSecrets = []
  const follow = (): void => {
    if (store.unwantedSecrets === listed) return
    listed = store.unwantedSecrets
    const notice = undeletedNotice(listed)
    if (notice) notices.add(notice)
    else notices.dismiss(UNDELETED)
  }
  follow()
  store.onDidChange(follow)
}

/** Opens a page in the system's browser. Rejects with NOT_AVAILABLE_HERE if impossible. */
export async function openPage({ openExternal }: Shell, address: string): Promise<void> {
  if (!openExternal) return noBrowser()
  await openExternal(address).catch(noBrowser)
}

function noBrowser(cause?: unknown): never {
  throw new AppError('NOT_AVAILABLE_HERE', 'Can’t open a browser from here.', {
    cause,
    hint: 'Set a default browser in the system, then try again.',
  })
}
