import type { ActivityState } from '../../../src-shared/domain/agents/activity'
import type { AgentsState } from '../../../src-shared/domain/agents/agent'
import type { HostsState } from '../../../src-shared/domain/agents/host'
import type { Question } from '../../../src-shared/domain/agents/question'
import type { CatalogState } from '../../../src-shared/domain/catalog/catalog-state'
import { refOfEarlier } from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretDirectory } from '../../../src-shared/domain/installation/stored-secret'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import type {
  AppInfo,
  AppNotice,
  AppState,
  ServerView,
} from '../../../src-shared/domain/state/app-state'
import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import type { OpenedLink } from '../../../src-shared/domain/state/opened-link'
import type { EventChannel } from '../../../src-shared/ipc/channels'
import type { EventPayload } from '../../../src-shared/ipc/contract/contract'
import { offerOf } from '../installation/installation-service'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { StoreChange } from '../installation/store/store-change'
import type { UnappliedChanges } from '../installation/store/unapplied-changes'
import { Emitter } from '../lifecycle/emitter'
import { NO_REQUESTS } from '../mcp/elicitation/server-requests'
import { secretDirectory } from '../secrets/secret-directory'
import { namesOf } from '../secrets/secret-keys'
import type { SecretVault } from '../secrets/secret-vault'
import { holdsState } from '../servers/holds-state'
import type { Server } from '../servers/server'
import type { Tools } from '../tools/tools'
import { registryOf } from '../updates/newer-version'

/** One event on its way to every window and socket. */
export type StateEvent = {
  [C in EventChannel]: { readonly channel: C; readonly payload: EventPayload<C> }
}[EventChannel]

export type StateFeedOptions = {
  readonly info: AppInfo
  readonly store: ProfileDocument
  readonly vault: SecretVault
  readonly serverOf: (installationId: string) => Server | undefined
  /** A newer version that the catalog knows. */
  readonly updateOf: (installation: Installation) => ServerView['update']
  /** What its registry has against it. */
  readonly registryStatusOf: (installation: Installation) => ServerView['registryStatus']
  /** How the catalog is. */
  readonly catalog: () => CatalogState
  /** What agents are shown, and what servers listed when they last ran. */
  readonly tools: () => Pick<Tools, 'state' | 'capabilitiesOf'>
  /** What waits for the person. */
  readonly questions: () => readonly Question[]
  readonly agents: () => AgentsState
  readonly hosts: () => HostsState
  readonly activity: () => ActivityState
  /** What the app was opened with. */
  readonly link: () => OpenedLink | null
  /** Updates of Patchbay; null where this installation gets none. */
  readonly appUpdate: () => UpdateState | null
  /** How the sign-in at a remote server is. */
  readonly signInOf: (
    installationId: string,
  ) => Pick<ServerView, 'signedIn' | 'signIn' | 'signInOffer' | 'signInEndsAt'>
  /** What changed since servers were started. */
  readonly unapplied: UnappliedChanges
  readonly notices: readonly AppNotice[]
}

/**
 * What the renderer shows, as a snapshot and then events. Each event raises `revision`, so that a
 * reader can tell which events its snapshot already holds.
 */
export class StateFeed {
  readonly #emitter = new Emitter<StateEvent>()
  #revision = 0
  #notices: readonly AppNotice[]
  #secrets: SecretDirectory

  readonly onEvent = this.#emitter.event

  constructor(private readonly options: StateFeedOptions) {
    this.#notices = options.notices
    this.#secrets = secretDirectory(options.store)
    options.store.onDidChange((change) => this.#tellStored(change))
    options.unapplied.onDidNote((installationId) => this.serverChanged(installationId))
    options.vault.onDidChangeState((secretStore) => {
      this.#emit('secretStore.changed', { revision: this.#next(), secretStore })
    })
  }

  snapshot(): AppState {
    const { info, store, vault } = this.options
    return {
      revision: this.#revision,
      info,
      settings: store.settings,
      secretStore: vault.state,
      secrets: this.#secrets,
      notices: [...this.#notices],
      servers: store.installations
        .map((one) => this.#view(one.installationId))
        .filter((view) => view !== undefined),
      catalog: this.options.catalog(),
      tools: this.options.tools().state,
      questions: [...this.options.questions()],
      agents: this.options.agents(),
      hosts: this.options.hosts(),
      activity: this.options.activity(),
      link: this.options.link(),
      appUpdate: this.options.appUpdate(),
    }
  }

  questionsChanged(): void {
    const questions = [...this.options.questions()]
    this.#emit('questions.changed', { revision: this.#next(), questions })
  }

  agentsChanged(): void {
    this.#emit('agents.changed', { revision: this.#next(), agents: this.options.agents() })
  }

  hostsChanged(): void {
    this.#emit('hosts.changed', { revision: this.#next(), hosts: this.options.hosts() })
  }

  activityChanged(): void {
    this.#emit('activity.changed', { revision: this.#next(), activity: this.options.activity() })
  }

  linkChanged(): void {
    this.#emit('link.changed', { revision: this.#next(), link: this.options.link() })
  }

  appUpdateChanged(): void {
    this.#emit('appUpdate.changed', {
      revision: this.#next(),
      appUpdate: this.options.appUpdate(),
    })
  }

  toolsChanged(): void {
    this.#emit('tools.changed', { revision: this.#next(), tools: this.options.tools().state })
  }

  catalogChanged(): void {
    this.#emit('catalog.changed', { revision: this.#next(), catalog: this.options.catalog() })
  }

  serverChanged(installationId: string): void {
    const server = this.#view(installationId)
    if (!server) return
    const place = this.options.store.installations.findIndex(
      (one) => one.installationId === installationId,
    )
    this.#emit('server.changed', { revision: this.#next(), server, place })
  }

  /** Says something that came up after the start; the newest of one id stays. */
  addNotice(notice: AppNotice): void {
    const others = this.#notices.filter(({ noticeId }) => noticeId !== notice.noticeId)
    this.#setNotices([...others, notice])
  }

  dismissNotice(noticeId: string): void {
    this.#setNotices(this.#notices.filter((notice) => notice.noticeId !== noticeId))
  }

  logsGrew(payload: EventPayload<'log.grew'>): void {
    this.#emit('log.grew', payload)
  }

  toolRunProgressed(payload: EventPayload<'toolRun.progress'>): void {
    this.#emit('toolRun.progress', payload)
  }

  resourceUpdated(payload: EventPayload<'toolRun.updated'>): void {
    this.#emit('toolRun.updated', payload)
  }

  #setNotices(notices: readonly AppNotice[]): void {
    this.#notices = notices
    this.#emit('notices.changed', { revision: this.#next(), notices: [...notices] })
  }

  #tellStored({ saved, gone, hasSettings }: StoreChange): void {
    this.#tellSecrets()
    for (const installationId of gone) {
      this.#emit('server.removed', { revision: this.#next(), installationId })
    }
    for (const installationId of saved) this.serverChanged(installationId)
    if (!hasSettings) return
    const { settings } = this.options.store
    this.#emit('settings.changed', { revision: this.#next(), settings })
  }

  /** Whatever was written: an installation, a removal and a name all change who uses what. */
  #tellSecrets(): void {
    const secrets = secretDirectory(this.options.store)
    if (JSON.stringify(secrets) === JSON.stringify(this.#secrets)) return
    this.#secrets = secrets
    this.#emit('secrets.changed', { revision: this.#next(), secrets })
  }

  #next(): number {
    this.#revision += 1
    return this.#revision
  }

  #emit<C extends EventChannel>(channel: C, payload: EventPayload<C>): void {
    this.#emitter.emit({ channel, payload } as StateEvent)
  }

  #view(installationId: string): ServerView | undefined {
    const { store, serverOf, unapplied } = this.options
    const installation = store.find(installationId)
    const running = serverOf(installationId)
    if (!installation || !running) return undefined
    const { server } = installation
    const what = whatRuns(offerOf(installation))
    const { session } = running
    const capabilities = this.options.tools().capabilitiesOf(installationId)
    return {
      installationId,
      name: installation.name,
      description: server.description,
      entryName: server.name,
      sourceId: registryOf(installation),
      entryVersion: server.version,
      ...what,
      enabled: installation.enabled,
      status: running.status,
      statusSince: running.statusSince,
      reconnecting: running.reconnecting,
      upSince: running.upSince,
      listing: running.generation,
      restarts: running.counts.restarts,
      phases: [...running.phases],
      pid: session?.pid,
      protocolVersion: session?.protocolVersion,
      serverVersion: session?.serverVersion,
      counts: {
        tools: capabilities.tools.length,
        resources: capabilities.resources.length,
        resourceTemplates: capabilities.resourceTemplates.length,
        prompts: capabilities.prompts.length,
      },
      faults: running.faults,
      protocolWarnings: [...running.protocolWarnings],
      update: this.options.updateOf(installation),
      registryStatus: this.options.registryStatusOf(installation),
      hasSecrets: namesOf(installation, 'own').size > 0,
      ...this.options.signInOf(installationId),
      roots: installation.roots,
      asked: running.serverRequests?.counts ?? NO_REQUESTS,
      earlier: store.earlier
        .filter((one) => one.installationId === installationId)
        .map(refOfEarlier),
      sharing: installation.sharing ?? 'shared',
      holdsState: holdsState([installation.name, server.name, what.identifier], capabilities.tools),
      instances: running.instances?.views ?? [],
      unapplied: running.status.kind === 'stopped' ? [] : unapplied.of(installationId),
    }
  }
}

/** How the offer of a server is named on the screens; a remote by its address. */
function whatRuns(
  offer: Offer,
): Pick<ServerView, 'registryType' | 'identifier' | 'packageVersion'> {
  if (offer.kind === 'remote')
    return { registryType: offer.remote.type, identifier: offer.remote.url }
  const { registryType, identifier, version } = offer.pkg
  return { registryType, identifier, packageVersion: version }
}
