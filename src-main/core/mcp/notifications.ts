import type { Client } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { messageOf } from '../failure/describe-failure'
import { Emitter } from '../lifecycle/emitter'

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
  /** Sends one request of the older era. */
  readonly request: (method: string, params: Record<string, unknown>) => Promise<unknown>
  /** Aborted when the connection is gone. */
  readonly signal: AbortSignal
  readonly onWarning: (message: string) => void
}

/** `ending` ends it in the newer era; `begun` settles with the server's answer. */
type Watch = { readonly ending: AbortController; readonly begun: Promise<void> }

const Message = z.looseObject({})
const Updated = z.looseObject({ uri: z.string() })

/** What one server says beside its answers, and what it was asked to say. */
export class SessionNews {
  readonly #client: Client
  readonly #parts: SessionNewsParts
  readonly #told = new Emitter<ServerNews>()
  readonly #watched = new Map<string, Watch>()
  #level: LogLevel | undefined
  /** Settles when the server has taken the level. */
  #levelling: Promise<unknown> | undefined

  readonly onDidTell = this.#told.event

  constructor(client: Client, parts: SessionNewsParts) {
    this.#client = client
    this.#parts = parts
    client.setNotificationHandler('notifications/message', { params: Message }, (params) =>
      this.#told.emit({ kind: 'log', params }),
    )
    client.setNotificationHandler('notifications/resources/updated', { params: Updated }, (told) =>
      this.#told.emit({ kind: 'updated', uri: told.uri }),
    )
  }

  /** What the server declared of itself in the handshake. */
  get declared(): ReturnType<Client['getServerCapabilities']> {
    return this.#client.getServerCapabilities()
  }

  /** Settles when the server tells of changes of this resource; rejects where it does not, with an `AppError` or the SDK's error. */
  async watch(uri: string): Promise<void> {
    // Who comes while it is asked for waits for the same answer.
    const known = this.#watched.get(uri)
    if (known) return known.begun
    const ending = new AbortController()
    const asked = this.#isNewer
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
    if (!this.#isNewer) await this.#parts.request('resources/unsubscribe', { uri })
  }

  /** What the server writes of less weight is not wanted. Does nothing where it keeps no log; rejects as `watch` does. */
  async setLevel(level: LogLevel): Promise<void> {
    if (this.declared?.logging === undefined) return
    if (this.#level !== level) {
      this.#level = level
      this.#levelling = this.#isNewer
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
    if (this.#level === undefined || !this.#isNewer) return params
    const meta = typeof params._meta === 'object' ? params._meta : undefined
    return { ...params, _meta: { [LEVEL_KEY]: this.#level, ...meta } }
  }

  get #isNewer(): boolean {
    return this.#client.getProtocolEra() === 'modern'
  }

  async #listen(uri: string, ending: AbortController): Promise<void> {
    const { signal, onWarning } = this.#parts
    const either = AbortSignal.any([signal, ending.signal])
    const subscription = await this.#client.listen(
      { resourceSubscriptions: [uri] },
      { signal: either },
    )
    void subscription.closed.then((cause) => {
      // Whoever wants to know asks again when the server is connected anew.
      if (this.#watched.get(uri)?.ending === ending) this.#watched.delete(uri)
      if (cause !== 'local' && !signal.aborted)
        onWarning(`It no longer tells of changes of ${messageOf(uri)}.`)
    })
  }
}
