import type { ServerCapabilities } from '@modelcontextprotocol/client'

import { messageOf } from '../failure/describe-failure'
import { Emitter } from '../lifecycle/emitter'
import type { JsonObject } from './json/json-rpc'
import type { Subscriptions } from './subscriptions'

/** How grave a log message is, from the least (MCP, logging; RFC 5424). */
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

/** Names the level in each request of the newer era (MCP 2026-07-28, logging). */
const LEVEL_KEY = 'io.modelcontextprotocol/logLevel'

/** What a server says unasked: a message for a log, or that a resource is another. */
export type ServerNews =
  | { readonly kind: 'log'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly kind: 'updated'; readonly uri: string }

export type SessionNewsParts = {
  /** Sends one request of a session. */
  readonly request: (method: string, params: Record<string, unknown>) => Promise<unknown>
  readonly subscriptions: Subscriptions
  readonly isStateless: () => boolean
  readonly declared: () => ServerCapabilities | undefined
  /** Aborted when the connection is gone. */
  readonly signal: AbortSignal
  readonly onWarning: (message: string) => void
}

/** `ending` ends it in the newer era; `begun` settles with the server's answer. */
type Watch = { readonly ending: AbortController; readonly begun: Promise<void> }

/** What one server says beside its answers, and what it was asked to say. */
export class SessionNews {
  readonly #parts: SessionNewsParts
  readonly #told = new Emitter<ServerNews>()
  readonly #watched = new Map<string, Watch>()
  #level: LogLevel | undefined
  /** Settles when the server has taken the level. */
  #levelling: Promise<unknown> | undefined

  readonly onDidTell = this.#told.event

  constructor(parts: SessionNewsParts) {
    this.#parts = parts
  }

  /** Takes a notification of the server. */
  take(method: string, params: JsonObject): void {
    if (method === 'notifications/message') this.#told.emit({ kind: 'log', params })
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string')
      this.#told.emit({ kind: 'updated', uri: params.uri })
  }

  /** What the server declared of itself in the handshake. */
  get declared(): ServerCapabilities | undefined {
    return this.#parts.declared()
  }

  /** Settles when the server tells of changes of this resource; rejects where it does not, with an `AppError` or the SDK's error. */
  async watch(uri: string): Promise<void> {
    // Who comes while it is asked for waits for the same answer.
    const known = this.#watched.get(uri)
    if (known) return known.begun
    const ending = new AbortController()
    const asked = this.#parts.isStateless()
      ? this.#listen(uri, ending)
      : this.#parts.request('resources/subscribe', { uri })
    const watch: Watch = { ending, begun: asked.then(() => undefined) }
    this.#watched.set(uri, watch)
    try {
      await watch.begun
    } catch (error) {
      if (this.#watched.get(uri) === watch) this.#watched.delete(uri)
      throw error
    }
  }

  /** The server need not tell of this resource any more. */
  async unwatch(uri: string): Promise<void> {
    const watch = this.#watched.get(uri)
    if (!watch) return
    this.#watched.delete(uri)
    watch.ending.abort()
    if (!this.#parts.isStateless()) await this.#parts.request('resources/unsubscribe', { uri })
  }

  /** What the server writes of less weight is not wanted. Does nothing where it keeps no log; rejects as `watch` does. */
  async setLevel(level: LogLevel): Promise<void> {
    if (this.declared?.logging === undefined) return
    if (this.#level !== level) {
      this.#level = level
      this.#levelling = this.#parts.isStateless()
        ? undefined
        : this.#parts.request('logging/setLevel', { level })
    }
    const levelling = this.#levelling
    try {
      await levelling
    } catch (error) {
      // It is not known which one holds: whoever wants one asks again.
      if (this.#levelling === levelling) this.#level = undefined
      throw error
    }
  }

  /** The parameters of a request, with the level where the era has it there. */
  withLevel(params: Record<string, unknown>): Record<string, unknown> {
    if (this.#level === undefined || !this.#parts.isStateless()) return params
    const meta = typeof params._meta === 'object' ? params._meta : undefined
    return { ...params, _meta: { [LEVEL_KEY]: this.#level, ...meta } }
  }

  async #listen(uri: string, ending: AbortController): Promise<void> {
    const { signal, onWarning, subscriptions } = this.#parts
    const either = AbortSignal.any([signal, ending.signal])
    const { closed } = await subscriptions.open({ resourceSubscriptions: [uri] }, either)
    void closed.then(() => {
      // Whoever wants to know asks again in the next session.
      if (this.#watched.get(uri)?.ending === ending) this.#watched.delete(uri)
      if (!either.aborted) onWarning(`Changes of ${messageOf(uri)} are no longer announced.`)
    })
  }
}
