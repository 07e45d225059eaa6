import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import { isFailed } from '../../src-shared/domain/running/run-status'
import type { AppInfo, AppNotice, AppState } from '../../src-shared/domain/state/app-state'
import type { OpenedLink } from '../../src-shared/domain/state/opened-link'
import type { Settings } from '../../src-shared/domain/state/settings'
import { AppUpdates, type UpdateSource } from '../core/app-updates/app-updates'
import type { HostPlace } from '../core/apps/apps/host-app'
import { OpenedLinks } from '../core/import/opened-links'
import { InstallationService } from '../core/installation/installation-service'
import { moveNamedValues } from '../core/installation/secrets/move-named-values'
import { startsWithApp } from '../core/installation/start-policy'
import { ProfileDocument } from '../core/installation/store/profile-document'
import { type InstalledParts, InstalledServers } from '../core/installed/installed-servers'
import { reportFailure } from '../core/lifecycle/background'
import { systemTime } from '../core/lifecycle/system-time'
import { withTimeLimit } from '../core/lifecycle/time-limit'
import { redactorOfForms } from '../core/masking/redact'
import type { DocumentStore, Keychain } from '../core/ports'
import { Questions } from '../core/questions/questions'
import { ServerRemovals } from '../core/removal/server-removals'
import { withEnvironmentSecrets } from '../core/secrets/environment-secrets'
import { openSecretVault, type SecretVault } from '../core/secrets/secret-vault'
import { SECRETS_FILE } from '../core/secrets/secrets-file'
import type { ServerDirectory } from '../core/servers/server-directory'
import type { SignIns } from '../core/sign-in/sign-ins'
import { type StateEvent, StateFeed } from '../core/state/state-feed'
import type { ToolCalls } from '../core/tools/tool-calls'
import { knownUpdate } from '../core/updates/newer-version'
import type { Handlers } from '../ipc/answer'
import { guardHandlers } from '../ipc/guard-handlers'
import { allHandlers } from '../ipc/handlers/all-handlers'
import { type OpenActivity, openActivity } from './parts/open-activity'
import { openCatalog, type OpenedCatalog } from './parts/open-catalog'
import { type OpenGateway, openGateway } from './parts/open-gateway'
import { type OpenHosts, openHosts } from './parts/open-hosts'
import { openRemoval } from './parts/open-removal'
import { type OpenServers, openServers } from './parts/open-servers'
import { type OpenTools, openTools } from './parts/open-tools'
import { type OpenToolRuns, openToolRuns } from './parts/open-trials'

/** How long what was removed of late is waited for at the end, in ms. */
const LAST_REMOVALS_MS = 2_000

export type PatchbayOptions = {
  readonly profileDir: string
  readonly document: DocumentStore
  readonly loadSecrets: () => Promise<Keychain>
  /** Opens the encrypted file of secrets, where the environment gives it. */
  readonly passphrase?: string | undefined
  readonly info: Omit<AppInfo, 'profileDir'>
  /** Opens a page in the browser of the system; missing where the page of the app does that itself. */
  readonly openExternal?: ((address: string) => Promise<void>) | undefined
  /** Shows a file in the system's own program for files; missing where the page of the app is in a browser. */
  readonly showFile?: ((path: string) => void) | undefined
  /** Shows the log of the app in the system's file manager; missing where the page of the app is in a browser. */
  readonly showLog?: (() => void) | undefined
  /** Ends every tab; missing where the app has its own window. */
  readonly signOutTabs?: (() => void) | undefined
  readonly pickPath?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
  /** Where servers run; the home folder where none is named. Runners read configuration there. */
  readonly workingFolder?: string
  /** Starts the thread that counts tokens; where it is missing none are counted. */
  readonly createTokenWorker?: (options: WorkerOptions) => Worker
  /** Which addresses bundles may come from; https only where it is missing. */
  readonly mayFetchBundle?: (address: URL) => boolean
  /** Starts the thread that searches logs; where it is missing a search fails. */
  readonly createSearchWorker?: (options: WorkerOptions) => Worker
  /** Starts the thread that keeps the calls of agents; where it is missing none are kept. */
  readonly createAuditWorker?: (options: WorkerOptions) => Worker
  /** Starts the thread of the catalog, whose built place the way in knows. */
  readonly createCatalogWorker: (options: WorkerOptions) => Worker
  /** Tells the proxies of the desktop as a PAC script does; the environment's alone are known where it is missing. */
  readonly resolveProxy?: (address: string) => Promise<string>
  /** Whether the catalog is opened and kept up to date by itself; it is where this is missing. */
  readonly tendsCatalog?: boolean
  /** Where agent apps are looked for; this computer and its person's home where it is missing. */
  readonly hostPlace?: HostPlace
  /** Where updates of Patchbay come from; without it there are none. */
  readonly updateSource?: UpdateSource | undefined
  /** Ends the app, after everything was removed. */
  readonly end?: () => void
  /** What happened before the core opened, such as a settings file that was set aside. */
  readonly startupNotices?: readonly AppNotice[]
}

/** The running core, the same for both ways in. */
export type Patchbay = {
  readonly handlers: Handlers
  readonly onEvent: (listener: (event: StateEvent) => void) => Disposable
  /** What the app says of itself above its pages. */
  readonly notices: Pick<StateFeed, 'addNotice' | 'dismissNotice'>
  /** The running servers, for who sends them requests. */
  readonly servers: ServerDirectory
  /** Calls of tools by the names that agents know. */
  readonly calls: ToolCalls
  /** Agents, and what they do. */
  readonly gateway: OpenGateway
  /** Masks every secret of a server that Patchbay knows. */
  readonly mask: (text: string) => string
  /** Everything that the screens show. */
  state(): AppState
  /** Shows the user a link or a bundle that the app was opened with; nothing else happens. */
  openLink(opened: Pick<OpenedLink, 'kind' | 'text'>): void
  /** Installs an update that is ready; to be called last, when everything has stopped. Never rejects. */
  installUpdate(): Promise<void>
  /** Stops all servers side by side; settles when none is left, within about 6 s. */
  close(): Promise<void>
  /** Takes an emptied profile folder away; to be called when its lock is released. Never rejects. */
  finish(): Promise<void>
}

/** Wires the core and starts every server that starts with the app; returns without waiting for any of them. */
export function openPatchbay(options: PatchbayOptions): Patchbay {
  const store = new ProfileDocument(options.document)
  const settings = (): Settings => store.settings
  const vault = openSecretVault({
    load: options.loadSecrets,
    file: { path: join(options.profileDir, SECRETS_FILE), passphrase: options.passphrase },
  })
  const questions = new Questions()
  const links = new OpenedLinks()
  const installations = new InstallationService(
    store,
    withEnvironmentSecrets(vault, (name) => running.variables.valueOf(name)),
    options.workingFolder ?? homedir(),
  )
  const listed = openCatalog({ ...options, store, secrets: vault, feed: () => feed })
  const feed = openFeed(options, {
    store,
    vault,
    listed,
    installations,
    servers: () => servers,
    signIns: () => running.signIns,
    offered: () => offered,
    ...{ questions, links },
    gateway: () => gateway,
    activity: () => activity,
    hosts: () => hosts,
    updates: () => updates,
  })
  const place = options.hostPlace ?? thisComputer()
  const parts = { store, settings, installations, questions, links, feed, vault, place }
  const running = openServers(options, {
    ...parts,
    secrets: vault,
    listed,
    offered: () => offered,
    messageLog: () => tried.messageLog,
  })
  const { servers } = running
  const updates = openUpdates(options, { listed, servers, settings, feed })
  const offered = openTools({ ...options, store, feed: () => feed, servers: () => servers })
  const activity = openActivity({ ...options, settings, servers, feed })
  const gateway = openGateway({ ...options, ...parts, offered, servers, activity })
  const tried = openToolRuns({ ...options, ...parts, offered, servers })
  const removals = new ServerRemovals({ ...running, ...parts, ...offered, secrets: vault })
  const { signIns } = running
  const installed = openInstalled({ ...parts, ...offered, servers, signIns, removals }, feed)
  const hosts = openHosts({ ...options, ...parts, gateway, installed, servers })
  const opened = {
    ...{ questions, listed, hosts, gateway, running, offered, activity, tried, removals, updates },
  }
  const close = closeOnce(opened)
  const { removal, door } = openRemoval({ ...options, ...gateway, ...parts, hosts, close })
  begin({ store, servers, removals, installations, feed, vault })
  const mask = (text: string): string => {
    const forms = servers.all().flatMap(({ log }) => log.redactor.forms)
    return forms.length === 0 ? text : redactorOfForms(new Set(forms))(text)
  }
  const asked = { ...options, mask, ...listed, ...running, ...parts, ...tried, ...offered, updates }
  return {
    handlers: guardHandlers(
      allHandlers({ ...asked, installed, gateway, activity, hosts, removal }),
      door,
    ),
    onEvent: feed.onEvent,
    notices: feed,
    servers,
    calls: offered.calls,
    gateway,
    mask,
    state: () => feed.snapshot(),
    openLink: (opened) => links.open(opened),
    close: async () => {
      await removal.settled()
      await close()
    },
    finish: () => removal.finish(),
    installUpdate: async () => updates?.installAtQuit(),
  }
}

function openInstalled(parts: InstalledParts, feed: StateFeed): InstalledServers {
  const installed = new InstalledServers(parts)
  installed.onDidAdd((installationId) => feed.serverChanged(installationId))
  return installed
}

/** Stops everything, however often it is called. */
function closeOnce(parts: {
  readonly questions: Questions
  readonly listed: OpenedCatalog
  readonly hosts: OpenHosts
  readonly gateway: OpenGateway
  readonly running: OpenServers
  readonly offered: OpenTools
  readonly activity: OpenActivity
  readonly tried: OpenToolRuns
  readonly removals: ServerRemovals
  readonly updates: AppUpdates | undefined
}): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => (closing ??= closeAll())

  async function closeAll(): Promise<void> {
    const { questions, listed, hosts, gateway, running, offered, activity, tried } = parts
    const { removals, updates } = parts
    questions[Symbol.dispose]()
    // What takes longer goes at the next start.
    await withTimeLimit(LAST_REMOVALS_MS, () => removals.endAll()).catch(() => undefined)
    // One that fails keeps no other from ending, least of all the servers.
    const ending = settled({ catalog: listed, apps: hosts, toolRuns: tried })
    await settled({ gateway })
    await settled({ servers: running })
    // What ends now is kept too.
    await ending
    await settled({ tools: offered, activity })
    updates?.[Symbol.dispose]()
  }
}

/** Closes parts side by side, and says in the log what could not be closed. */
async function settled(parts: Readonly<Record<string, { close(): Promise<void> }>>): Promise<void> {
  await Promise.all(
    Object.entries(parts).map(async ([what, part]) => {
      try {
        await part.close()
      } catch (error) {
        reportFailure(`closing ${what}`, error)
      }
    }),
  )
}

function openFeed(
  { info, profileDir, startupNotices = [] }: PatchbayOptions,
  parts: {
    readonly store: ProfileDocument
    readonly vault: SecretVault
    readonly listed: OpenedCatalog
    readonly installations: InstallationService
    readonly servers: () => ServerDirectory
    readonly signIns: () => SignIns
    readonly offered: () => OpenTools
    readonly questions: Questions
    readonly gateway: () => OpenGateway
    readonly activity: () => OpenActivity
    readonly hosts: () => OpenHosts
    readonly links: OpenedLinks
    readonly updates: () => AppUpdates | undefined
  },
): StateFeed {
  const { store, vault, listed, installations, servers, signIns, offered, questions, gateway } =
    parts
  const { statuses: registryStatuses } = listed.syncScheduler
  const feed = new StateFeed({
    info: { ...info, profileDir },
    store,
    vault,
    serverOf: (installationId) => servers().find(installationId),
    unapplied: installations.changes,
    updateOf: (installation) => {
      const known = knownUpdate(listed.catalog, installation)
      return known
        ? { entryId: known.entryId, version: known.server.version }
        : registryStatuses.updateOf(installation)
    },
    signInOf: (installationId) => {
      const { view, isSignedIn, offer, endsAt } = signIns().find(installationId) ?? {}
      const redact = (text: string): string =>
        servers().find(installationId)?.log.redactor(text) ?? text
      const signInOffer = offer && {
        message: redact(offer.message),
        hint: offer.hint === undefined ? undefined : redact(offer.hint),
      }
      return { signIn: view, signedIn: isSignedIn, signInOffer, signInEndsAt: endsAt }
    },
    registryStatusOf: (installation) => registryStatuses.warningOf(installation),
    catalog: listed.state,
    tools: () => offered().tools,
    questions: () => questions.pending,
    agents: () => gateway().state(),
    activity: () => parts.activity().state,
    hosts: () => parts.hosts().state(),
    link: () => parts.links.link,
    appUpdate: () => parts.updates()?.state ?? null,
    notices: [...startupNotices, ...store.notices],
  })
  questions.onDidChange(() => feed.questionsChanged())
  parts.links.onDidChange(() => feed.linkChanged())
  return feed
}

function openUpdates(
  { updateSource, info, end = () => undefined }: PatchbayOptions,
  parts: {
    readonly listed: OpenedCatalog
    readonly servers: ServerDirectory
    readonly settings: () => Settings
    readonly feed: StateFeed
  },
): AppUpdates | undefined {
  if (!updateSource) return undefined
  const updates = new AppUpdates({
    source: updateSource,
    version: info.version,
    fetch: parts.listed.network.fetch,
    time: systemTime,
    isAutomatic: () => parts.settings().checksForUpdates,
    end,
    callsRunning: () => parts.servers.all().reduce((sum, { inFlight }) => sum + inFlight, 0),
  })
  updates.onDidChange(() => parts.feed.appUpdateChanged())
  return updates
}

function thisComputer(): HostPlace {
  return { platform: process.platform, home: homedir(), env: process.env }
}

function begin({
  store,
  servers,
  removals,
  installations,
  feed,
  vault,
}: {
  readonly store: ProfileDocument
  readonly servers: ServerDirectory
  readonly removals: ServerRemovals
  readonly installations: InstallationService
  readonly feed: StateFeed
  readonly vault: SecretVault
}): void {
  // Before the first start, which waits for it: a server runs with its secrets in one place.
  void moveNamedValues(store, vault, (version) => installations.previewOf(version)).then(
    (notices) => {
      for (const notice of notices) feed.addNotice(notice)
    },
  )
  for (const { installationId } of store.installations) servers.add(installationId)
  for (const one of store.installations) {
    if (startsWithApp(one)) servers.read(one.installationId).start(undefined, 'app')
  }
  restartForSecrets(vault, servers)
  // What an earlier run could not delete any more.
  void installations.earlier.tidy()
  void removals.endLeft()
}

/** Starts what failed for want of its secrets, as soon as they can be read. */
function restartForSecrets(vault: SecretVault, servers: ServerDirectory): void {
  vault.onDidChangeState(({ kind }) => {
    if (kind !== 'file' && kind !== 'keychain') return
    for (const server of servers.all())
      if (isFailed(server.status) && server.status.code === 'SECRET_STORE_FAILED')
        server.start({}, 'app')
  })
}
