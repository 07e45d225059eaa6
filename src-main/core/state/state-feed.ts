import type { Tool } from '../../../src-shared/domain/agents/capability'
import { refOfEarlier } from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { Offer } from '../../../src-shared/domain/server-json/offer'
import type { AppInfo, AppState, ServerView } from '../../../src-shared/domain/state/app-state'
import type { EventChannel, EventPayload, StateEvent } from '../../../src-shared/ipc/contract'
import { offerOf } from '../installation/installation-service'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { StoreChange, UnappliedChanges } from '../installation/store/store-change'
import { Emitter } from '../lifecycle/emitter'
import { madeOnce } from '../lifecycle/same-object'
import { NO_REQUESTS } from '../mcp/elicitation/server-requests'
import { secretDirectory } from '../secrets/secret-directory'
import { namesOf } from '../secrets/secret-keys'
import type { ServerDirectory } from '../servers/server-directory'
import type { SignIns } from '../sign-in/sign-in'
import type { Tools } from '../tools/tools'
import { registryOf } from '../updates/newer-version'
import type { Change, Changes, Topic } from './changes'

/** The current value of each topic, from its module. */
type Snapshots = { readonly [T in Topic]: () => AppState[T] }

export type FeedSources = {
  readonly info: AppInfo
  readonly changes: Changes
  readonly store: ProfileDocument
  readonly snapshots: Omit<Snapshots, 'secrets' | 'settings'>
  /** Undefined for a removed server. */
  readonly viewOf: (installationId: string) => ServerView | undefined
}

/**
 * The renderer's state, as a snapshot and events. Each event increments `revision`, so that a reader knows which events its snapshot
 * contains.
 */
export class StateFeed {
  readonly #emitter = new Emitter<StateEvent>()
  readonly #snapshots: Snapshots
  #revision = 0
  #secrets: AppState['secrets']

  readonly onEvent = this.#emitter.event

  constructor(private readonly sources: FeedSources) {
    const { store, snapshots } = sources
    this.#secrets = secretDirectory(store)
    this.#snapshots = {
      ...snapshots,
      settings: () => store.settings,
      secrets: () => this.#secrets,
    }
    store.onDidChange((change) => this.#onStored(change))
    sources.changes.onDidChange((change) => this.#onChange(change))
  }

  snapshot(): AppState {
    const { info, store, viewOf } = this.sources
    const topics = Object.entries(this.#snapshots).map(([topic, read]) => [topic, read()] as const)
    return {
      ...{ revision: this.#revision, info },
      servers: store.installations.flatMap(({ installationId }) => viewOf(installationId) ?? []),
      ...(Object.fromEntries(topics) as Pick<AppState, keyof Snapshots>),
    }
  }

  #onChange(change: Change): void {
    if (change.kind === 'event') this.#emitter.emit(change.event)
    else if (change.kind === 'server') this.#sendServer(change.installationId)
    else this.#sendTopic(change.topic)
  }

  #onStored({ saved, gone, hasSettings }: StoreChange): void {
    const secrets = secretDirectory(this.sources.store)
    // Installations, removals and names all may change who uses a secret.
    if (JSON.stringify(secrets) !== JSON.stringify(this.#secrets)) {
      this.#secrets = secrets
      this.#sendTopic('secrets')
    }
    for (const installationId of gone)
      this.#send('server.removed', { revision: this.#next(), installationId })
    for (const installationId of saved) this.#sendServer(installationId)
    if (hasSettings) this.#sendTopic('settings')
  }

  #sendTopic(topic: Topic): void {
    const payload = { revision: this.#next(), [topic]: this.#snapshots[topic]() }
    this.#send(`${topic}.changed`, payload)
  }

  #sendServer(installationId: string): void {
    const { store, viewOf } = this.sources
    const server = viewOf(installationId)
    if (!server) return
    const place = store.installations.findIndex((one) => one.installationId === installationId)
    this.#send('server.changed', { revision: this.#next(), server, place })
  }

  #next(): number {
    this.#revision += 1
    return this.#revision
  }

  #send<C extends EventChannel>(channel: C, payload: EventPayload<C>): void {
    this.#emitter.emit({ channel, payload } as StateEvent)
  }
}

/** Words in names, packages and addresses of browser, shell, notebook and debugger servers. */
const NAMES =
  /browser|playwright|puppeteer|selenium|webdriver|devtools|chrome|stagehand|shell|terminal|tmux|iterm|commander|jupyter|notebook|ipython|repl\b|interpreter|debugger|\bdap\b|\bssh\b/u
/** Tools of such servers under other names. */
const TOOLS =
  /^(?:browser_|puppeteer_|playwright_|navigate(?:_page)?$|new_page$|start_process$|create_terminal|execute_cell|run_cell|write_to_terminal)/u

/** Whether a server is known to keep state between calls that apps shouldn't share, by its names or tools. */
export function holdsState(names: readonly string[], tools: readonly Tool[]): boolean {
  if (names.some((name) => NAMES.test(name.toLowerCase()))) return true
  return isToolHolding(tools)
}

/** Cached, because each server is checked often. */
const isToolHolding = madeOnce((tools: readonly Tool[]) =>
  tools.some(({ name }) => TOOLS.test(name)),
)

export type ViewSources = {
  readonly store: ProfileDocument
  readonly servers: ServerDirectory
  readonly signIns: Pick<SignIns, 'find'>
  readonly tools: Pick<Tools, 'capabilitiesOf'>
  /** The catalog's data about an installed server: a newer version, and its registry's warning. */
  readonly catalog: {
    readonly updateOf: (installation: Installation) => ServerView['update']
    readonly registryStatusOf: (installation: Installation) => ServerView['registryStatus']
  }
  /** Changes since servers were started. */
  readonly unapplied: UnappliedChanges
}

/** The screens' view of one server; undefined if it is gone. */
export function serverView(sources: ViewSources, installationId: string): ServerView | undefined {
  const { store, servers, tools, catalog, unapplied } = sources
  const installation = store.find(installationId)
  const running = servers.find(installationId)
  if (!installation || !running) return undefined
  const { server } = installation
  const what = offerView(offerOf(installation))
  const { session } = running
  const capabilities = tools.capabilitiesOf(installationId)
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
    update: catalog.updateOf(installation),
    registryStatus: catalog.registryStatusOf(installation),
    hasSecrets: namesOf(installation, 'own').size > 0,
    ...signInView(sources, installationId),
    roots: installation.roots,
    serverRequests: running.serverRequests?.counts ?? NO_REQUESTS,
    earlier: store.earlier.filter((one) => one.installationId === installationId).map(refOfEarlier),
    sharing: installation.sharing ?? 'shared',
    holdsState: holdsState([installation.name, server.name, what.identifier], capabilities.tools),
    instances: running.instances?.views ?? [],
    unapplied: running.status.kind === 'stopped' ? [] : unapplied.of(installationId),
  }
}

function signInView(
  { servers, signIns }: ViewSources,
  installationId: string,
): Pick<ServerView, 'signedIn' | 'signIn' | 'signInOffer' | 'signInEndsAt'> {
  const { view, isSignedIn, offer, endsAt } = signIns.find(installationId) ?? {}
  const redact = (text: string): string => servers.find(installationId)?.log.redactor(text) ?? text
  const signInOffer = offer && {
    message: redact(offer.message),
    hint: offer.hint === undefined ? undefined : redact(offer.hint),
  }
  return { signIn: view, signedIn: isSignedIn, signInOffer, signInEndsAt: endsAt }
}

/** The offer's label on screens; a remote's is its address. */
function offerView(
  offer: Offer,
): Pick<ServerView, 'registryType' | 'identifier' | 'packageVersion'> {
  if (offer.kind === 'remote')
    return { registryType: offer.remote.type, identifier: offer.remote.url }
  const { registryType, identifier, version } = offer.pkg
  return { registryType, identifier, packageVersion: version }
}
