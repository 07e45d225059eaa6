import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import { AppError } from '../../../src-shared/domain/app-error'
import type { AppInfo, AppNotice } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import type { UpdateSource } from '../../core/app-updates/app-updates'
import type { HostPlace } from '../../core/apps/apps/host-app'
import { UNDELETED, undeletedNotice } from '../../core/installation/secrets/change-secrets'
import { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import type { ResolveProxy } from '../../core/network/system-network'
import type { DocumentStore, Keychain, Timekeeper } from '../../core/ports'
import { Questions } from '../../core/questions/questions'
import { SecretVault } from '../../core/secrets/secret-vault'
import { SECRETS_FILE } from '../../core/secrets/secrets-file'
import { Changes, Notices } from '../../core/state/changes'

/** What a way in opens the core with. */
export type PatchbayOptions = {
  readonly profile: ProfilePorts
  readonly info: Omit<AppInfo, 'profileDir'>
  readonly threads: Threads
  readonly shell?: Shell
  readonly computer?: Computer
  /** Where updates of Patchbay come from; without it there are none. */
  readonly updateSource?: UpdateSource | undefined
}

export type ProfilePorts = {
  readonly profileDir: string
  readonly document: DocumentStore
  readonly loadSecrets: () => Promise<Keychain>
  /** Opens the encrypted file of secrets, where the environment gives it. */
  readonly passphrase?: string | undefined
  /** What happened before the core opened, such as a settings file that was ignored. */
  readonly notices?: readonly AppNotice[]
}

/** Start worker threads, whose built files the way in knows. */
export type Threads = {
  readonly createCatalogWorker: (options: WorkerOptions) => Worker
  /** Counts tokens; where it is missing none are counted. */
  readonly createTokenWorker?: (options: WorkerOptions) => Worker
  /** Searches logs; where it is missing a search fails. */
  readonly createSearchWorker?: (options: WorkerOptions) => Worker
  /** Records the calls of agents; where it is missing none are recorded. */
  readonly createAuditWorker?: (options: WorkerOptions) => Worker
}

/** What the window can do, or the server of the page; each is missing where nothing can. */
export type Shell = {
  /** Opens a page in the browser of the system. */
  readonly openExternal?: ((address: string) => Promise<void>) | undefined
  /** Shows a file in the system's file manager. */
  readonly showFile?: ((path: string) => void) | undefined
  /** Shows the log of the app in the system's file manager. */
  readonly showLog?: (() => void) | undefined
  readonly signOutTabs?: (() => void) | undefined
  /** Opens the system's file dialog. */
  readonly pickPath?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
  readonly end?: (() => void) | undefined
}

/** What of this computer a way in or a test knows better. */
export type Computer = {
  /** Where servers run; the home folder where none is named. Runners read configuration there. */
  readonly workingFolder?: string
  /** Which addresses bundles may come from; https only where it is missing. */
  readonly mayFetchBundle?: ((address: URL) => boolean) | undefined
  /** Names the proxies of the desktop as a PAC script does; only the environment's are used where it is missing. */
  readonly resolveProxy?: ResolveProxy | undefined
  /** Whether the catalog is opened and synced automatically; it is where this is missing. */
  readonly syncsCatalog?: boolean
  /** Where agent apps are looked for; this computer and its user's home where it is missing. */
  readonly appPlace?: HostPlace
}

/** What every module is opened with. */
export type AppContext = {
  readonly profileDir: string
  readonly info: AppInfo
  readonly time: Timekeeper
  readonly store: ProfileDocument
  readonly settings: () => Settings
  readonly vault: SecretVault
  readonly changes: Changes
  readonly notices: Notices
  readonly questions: Questions
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
    questions: new Questions(),
  }
  context.questions.onDidChange(() => changes.topic('questions'))
  followUndeleted(context)
  return context
}

/** Tells the user which secrets could not be deleted, as long as they are there. */
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

/** Opens a page in the browser of the system. Rejects with NOT_AVAILABLE_HERE where nothing can. */
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
