import type { ServerCapabilities } from '@modelcontextprotocol/client'

import { messageOf } from '../failure/describe-failure'
import { Emitter } from '../lifecycle/emitter'
import type { JsonObject } from './json/json-rpc'
import type { Peer } from './peer/peer'
import { followChanges, Subscriptions } from './subscriptions'

/** The levels of log messages, the least first (MCP, logging; RFC 5424). */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Names the level in each stateless request (MCP 2026-07-28, logging). */
const LEVEL_KEY = 'io.modelcontextprotocol/logLevel'

/** A notification for others: a log message, or that a resource has changed. */
export type ServerNews =
  | { readonly kind: 'log'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly kind: 'updated'; readonly uri: string }

export type SessionNewsParts = {
  /** Sends one request of a session. */
  readonly request: (method: string, params: Record<string, unknown>) => Promise<unknown>
  readonly declared: () => ServerCapabilities | undefined
  /** Aborted when the connection is gone. */
  readonly signal: AbortSignal
  readonly onWarning: (message: string) => void
}

/** `ending` ends a subscription of the stateless protocol; `begun` settles with the server's answer. */
type Watch = { readonly ending: AbortController; readonly begun: Promise<void> }

/** The notifications of one server, and what Patchbay subscribed to. */
export class SessionNews {
  readonly #peer: Peer
  readonly #parts: SessionNewsParts
  readonly #subscriptions: Subscriptions
  readonly #received = new Emitter<ServerNews>()
  readonly #watched = new Map<string, Watch>()
  #level: LogLevel | undefined
  /** Settles when the server has taken the level. */
  #levelling: Promise<unknown> | undefined

  readonly onDidReceive = this.#received.event

  constructor(peer: Peer, parts: SessionNewsParts) {
    this.#peer = peer
    this.#parts = parts
    this.#subscriptions = new Subscriptions(peer)
  }

  /** Takes a notification of the server. */
  take(method: string, params: JsonObject): void {
    if (this.#subscriptions.take(method, params)) return
    if (method === 'notifications/message') this.#received.emit({ kind: 'log', params })
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string')
      this.#received.emit({ kind: 'updated', uri: params.uri })
  }

  /** Has a stateless server announce changed lists; `onMissed` is called when changes may have been missed. */
  followLists(onMissed: () => void): void {
    const { signal, onWarning } = this.#parts
    const options = { signal, onMissed, onWarning }
    void followChanges(this.#subscriptions, this.declared ?? {}, options)
  }

  /** The capabilities that the server declared in the handshake. */
  get declared(): ServerCapabilities | undefined {
    return this.#parts.declared()
  }

  /** Settles when the server announces changes of this resource; rejects where it does not, with an `AppError`. */
  async watch(uri: string): Promise<void> {
    // Another subscriber waits for the same answer.
    const known = this.#watched.get(uri)
    if (known) return known.begun
    const ending = new AbortController()
    const request = this.#peer.isStateless
      ? this.#listen(uri, ending)
      : this.#parts.request('resources/subscribe', { uri })
    const watch: Watch = { ending, begun: request.then(() => undefined) }
    this.#watched.set(uri, watch)
    try {
      await watch.begun
    } catch (error) {
      if (this.#watched.get(uri) === watch) this.#watched.delete(uri)
      throw error
    }
  }

  /** The server need not announce changes of this resource any more. */
  async unwatch(uri: string): Promise<void> {
    const watch = this.#watched.get(uri)
    if (!watch) return
    this.#watched.delete(uri)
    watch.ending.abort()
    if (!this.#peer.isStateless) await this.#parts.request('resources/unsubscribe', { uri })
  }

  /** Messages of lower levels are not wanted. Does nothing where the server has no log; rejects as `watch` does. */
  async setLevel(level: LogLevel): Promise<void> {
    if (this.declared?.logging === undefined) return
    if (this.#level !== level) {
      this.#level = level
      this.#levelling = this.#peer.isStateless
        ? undefined
        : this.#parts.request('logging/setLevel', { level })
    }
    const levelling = this.#levelling
    try {
      await levelling
    } catch (error) {
      // Which level holds is not known, so the next caller sets it again.
      if (this.#levelling === levelling) this.#level = undefined
      throw error
    }
  }

  /** The parameters of a request, with the level where the protocol is stateless. */
  withLevel(params: Record<string, unknown>): Record<string, unknown> {
    if (this.#level === undefined || !this.#peer.isStateless) return params
    const meta = typeof params._meta === 'object' ? params._meta : undefined
    return { ...params, _meta: { [LEVEL_KEY]: this.#level, ...meta } }
  }

  async #listen(uri: string, ending: AbortController): Promise<void> {
    const { signal, onWarning } = this.#parts
    const either = AbortSignal.any([signal, ending.signal])
    const { closed } = await this.#subscriptions.open({ resourceSubscriptions: [uri] }, either)
    void closed.then(() => {
      // Subscribers come back in the next session.
      if (this.#watched.get(uri)?.ending === ending) this.#watched.delete(uri)
      if (!either.aborted) onWarning(`Changes of ${messageOf(uri)} are no longer announced.`)
    })
  }
}
