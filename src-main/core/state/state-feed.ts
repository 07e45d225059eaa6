import type { AppInfo, AppState, ServerView } from '../../../src-shared/domain/state/app-state'
import type { EventChannel, EventPayload } from '../../../src-shared/ipc/contract'
import type { ProfileDocument } from '../installation/store/profile-document'
import type { StoreChange } from '../installation/store/store-change'
import { Emitter } from '../lifecycle/emitter'
import { secretDirectory } from '../secrets/secret-directory'
import type { Change, Changes, StateEvent, Topic } from './changes'

/** The current value of each topic, from the module that owns it. */
type Snapshots = {
  readonly [T in Exclude<Topic, 'secrets' | 'settings'>]: () => AppState[T]
}

export type FeedSources = {
  readonly info: AppInfo
  readonly changes: Changes
  readonly store: ProfileDocument
  readonly snapshots: Snapshots
  /** Undefined for a server that is gone. */
  readonly viewOf: (installationId: string) => ServerView | undefined
}

/**
 * What the renderer shows, as a snapshot and then events. Each event raises `revision`, so that a
 * reader can tell which events its snapshot already holds.
 */
export class StateFeed {
  readonly #sources: FeedSources
  readonly #emitter = new Emitter<StateEvent>()
  #revision = 0
  #secrets: AppState['secrets']

  readonly onEvent = this.#emitter.event

  constructor(sources: FeedSources) {
    this.#sources = sources
    this.#secrets = secretDirectory(sources.store)
    sources.store.onDidChange((change) => this.#onStored(change))
    sources.changes.onDidChange((change) => this.#onChange(change))
  }

  snapshot(): AppState {
    const { info, store, snapshots, viewOf } = this.#sources
    return {
      revision: this.#revision,
      info,
      settings: store.settings,
      secrets: this.#secrets,
      servers: store.installations.flatMap(({ installationId }) => viewOf(installationId) ?? []),
      secretStore: snapshots.secretStore(),
      notices: snapshots.notices(),
      catalog: snapshots.catalog(),
      tools: snapshots.tools(),
      questions: snapshots.questions(),
      agents: snapshots.agents(),
      hosts: snapshots.hosts(),
      activity: snapshots.activity(),
      link: snapshots.link(),
      appUpdate: snapshots.appUpdate(),
    }
  }

  #onChange(change: Change): void {
    if (change.kind === 'event') this.#emitter.emit(change.event)
    else if (change.kind === 'server') this.#sendServer(change.installationId)
    else this.#sendTopic(change.topic)
  }

  #onStored({ saved, gone, hasSettings }: StoreChange): void {
    const secrets = secretDirectory(this.#sources.store)
    // An installation, a removal and a name all may change who uses which secret.
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
    const { store, snapshots } = this.#sources
    const values = {
      ...snapshots,
      settings: () => store.settings,
      secrets: () => this.#secrets,
    }
    const payload = { revision: this.#next(), [topic]: values[topic]() }
    this.#send(`${topic}.changed`, payload as EventPayload<`${Topic}.changed`>)
  }

  #sendServer(installationId: string): void {
    const { store, viewOf } = this.#sources
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
