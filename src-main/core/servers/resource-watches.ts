import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'
import type { SessionNotifications } from '../mcp/notifications'
import type { ServerDirectory } from './server-directory'

/** A subscriber of a resource. */
export type WatchListener = {
  /** The resource or a part of it has changed. */
  readonly updated: () => void
  /** The server rejected the subscription. Called once; the next connection is asked again. */
  readonly lost: (reason: string) => void
}

type Watch = {
  readonly uri: string
  /** Settles when the server has accepted the subscription. */
  subscribed: Promise<void>
  /** Whether the newest connection rejected the subscription. */
  isLost: boolean
  readonly listeners: Set<WatchListener>
}

/** Resources that agents and the user watch; the server has one subscription per resource, however many watch it. */
export class ResourceWatches {
  /** By server or instance key (`ServerDirectory.findByKey`), then by URI. */
  readonly #watches = new Map<string, Map<string, Watch>>()

  constructor(
    private readonly servers: Pick<ServerDirectory, 'findByKey' | 'onDidBegin' | 'onDidNotify'>,
  ) {
    // Both listeners end with `servers`.
    servers.onDidBegin(({ key, notifications }) => this.#follow(key, notifications))
    servers.onDidNotify(({ key, notification }) => {
      if (notification.kind === 'updated') this.#updated(key, notification.uri)
    })
  }

  /**
   * Calls `listener` on each change of a resource until the result is disposed. A stopped server gets the subscription at its next start.
   * Rejects as `SessionNotifications.watch` does, or with NOT_AVAILABLE_HERE if the server reports no changes.
   */
  async add(key: string, uri: string, { updated, lost }: WatchListener): Promise<Disposable> {
    const watch = this.#watchOf(key, uri)
    // Each call counts, even with the same listener.
    const listener: WatchListener = { updated, lost }
    watch.listeners.add(listener)
    try {
      await watch.subscribed
    } catch (error) {
      this.#unsubscribe(key, watch, listener)
      throw error
    }
    watch.isLost = false
    return { [Symbol.dispose]: () => this.#unsubscribe(key, watch, listener) }
  }

  /** Subscribes again over a new connection. */
  #follow(key: string, notifications: SessionNotifications): void {
    for (const watch of this.#watches.get(key)?.values() ?? [])
      void this.#renew(key, watch, notifications)
  }

  /** A resource has changed; `uri` may name a part of a watched one (MCP, resources, subscriptions). */
  #updated(key: string, uri: string): void {
    const watches = this.#watches.get(key)
    if (!watches) return
    const exact = watches.get(uri)
    const matching = exact
      ? [exact]
      : [...watches.values()].filter((one) => uri.startsWith(one.uri))
    for (const { listeners } of matching) for (const listener of [...listeners]) listener.updated()
  }

  /** Subscribes again if the newest connection rejected the subscription. */
  #watchOf(key: string, uri: string): Watch {
    const ofServer = this.#ofServer(key)
    const known = ofServer.get(uri)
    if (known && !known.isLost) return known
    const subscribed = this.#subscribe(this.servers.findByKey(key)?.notifications, uri)
    const watch: Watch = known ?? { uri, subscribed, isLost: false, listeners: new Set() }
    watch.subscribed = subscribed
    ofServer.set(uri, watch)
    return watch
  }

  async #renew(key: string, watch: Watch, notifications: SessionNotifications): Promise<void> {
    try {
      await this.#subscribe(notifications, watch.uri)
      watch.isLost = false
    } catch (error) {
      // A closed connection is followed by the next one, which is asked again.
      if (watch.isLost || this.servers.findByKey(key)?.notifications !== notifications) return
      watch.isLost = true
      const reason = messageOf(error)
      for (const listener of [...watch.listeners]) listener.lost(reason)
    }
  }

  async #subscribe(notifications: SessionNotifications | undefined, uri: string): Promise<void> {
    if (!notifications) return
    if (notifications.declared?.resources?.subscribe !== true)
      throw new AppError(
        'NOT_AVAILABLE_HERE',
        'The server doesn’t support subscriptions to this resource.',
      )
    await notifications.watch(uri)
  }

  #unsubscribe(key: string, watch: Watch, listener: WatchListener): void {
    const { uri, listeners } = watch
    if (!listeners.delete(listener) || listeners.size > 0) return
    const ofServer = this.#ofServer(key)
    if (ofServer.get(uri) !== watch) return
    ofServer.delete(uri)
    if (ofServer.size === 0) this.#watches.delete(key)
    // Later updates reach nobody, so a failure doesn't matter.
    void this.servers
      .findByKey(key)
      ?.notifications?.unwatch(uri)
      .catch(() => undefined)
  }

  #ofServer(key: string): Map<string, Watch> {
    const ofServer = this.#watches.get(key) ?? new Map<string, Watch>()
    this.#watches.set(key, ofServer)
    return ofServer
  }
}
