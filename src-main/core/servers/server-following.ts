import { Emitter } from '../lifecycle/emitter'
import type { ServerSession } from '../session/server-session'
import type { ServerNews, SessionNews } from '../session/session-news'
import type { ReadyServers } from './ready-servers'

type Followed = { readonly session: ServerSession; readonly listening: Disposable }

/** What a server said, by its id. */
export type NewsOf = { readonly installationId: string; readonly news: ServerNews }

/** Listens to the connection of each server that serves, and to the next one when it gets another. */
export class ServerFollowing implements Disposable {
  readonly #followed = new Map<string, Followed>()
  readonly #told = new Emitter<NewsOf>()
  readonly #began = new Emitter<{ installationId: string; news: SessionNews }>()

  readonly onDidTell = this.#told.event
  /** Fires when a server serves over a connection that nothing was asked of yet. */
  readonly onDidBegin = this.#began.event

  readonly #following: Disposable

  constructor(private readonly servers: Pick<ReadyServers, 'serving' | 'onDidChange'>) {
    this.#following = servers.onDidChange((installationId) => this.look(installationId))
  }

  /** Of those that serve. */
  *all(): Generator<SessionNews> {
    for (const { session } of this.#followed.values()) yield session.news
  }

  /** Undefined where it does not serve. */
  newsOf(installationId: string): SessionNews | undefined {
    return this.#followed.get(installationId)?.session.news
  }

  /** Begins to listen to a server that serves, and ends where it does not. */
  look(installationId: string): void {
    const session = this.servers.serving(installationId)
    const before = this.#followed.get(installationId)
    if (before?.session === session) return
    before?.listening[Symbol.dispose]()
    this.#followed.delete(installationId)
    if (!session) return
    const listening = session.news.onDidTell((news) => this.#told.emit({ installationId, news }))
    this.#followed.set(installationId, { session, listening })
    this.#began.emit({ installationId, news: session.news })
  }

  [Symbol.dispose](): void {
    this.#following[Symbol.dispose]()
    for (const { listening } of this.#followed.values()) listening[Symbol.dispose]()
    this.#followed.clear()
    this.#told[Symbol.dispose]()
    this.#began[Symbol.dispose]()
  }
}
