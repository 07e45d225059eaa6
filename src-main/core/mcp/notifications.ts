import { setTimeout as delay } from 'node:timers/promises'

import {
  type ServerCapabilities,
  SUBSCRIPTION_ID_META_KEY,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import { messageOf } from '../failure/describe-failure'
import { Emitter } from '../lifecycle/emitter'
import { within } from '../lifecycle/time-limit'
import { ConnectionClosedError } from './peer/connection'
import type { Peer } from './peer/peer'

/** Log levels, lowest first (MCP, logging; RFC 5424). */
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

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000
const ACKNOWLEDGE_MS = 60_000
/** Key of the lowest log level that a stateless request gets (MCP 2026-07-28, logging). */
export const LEVEL_META_KEY = 'io.modelcontextprotocol/logLevel'

/** A notification for others: a log message, or a changed resource. */
export type ServerNotification =
  | { readonly kind: 'log'; readonly params: Readonly<Record<string, unknown>> }
  | { readonly kind: 'updated'; readonly uri: string }

type SessionNotificationsParts = {
  readonly request: (method: string, params: Record<string, unknown>) => Promise<unknown>
  readonly declared: () => ServerCapabilities | undefined
  readonly signal: AbortSignal
  readonly onWarning: (message: string) => void
}

/** `ending` ends a subscription of the stateless protocol; `acknowledged` settles with the server's answer. */
type Watch = { readonly ending: AbortController; readonly acknowledged: Promise<unknown> }

export class SessionNotifications {
  readonly #received = new Emitter<ServerNotification>()
  readonly #watched = new Map<string, Watch>()
  /** Subscriptions that the server hasn't acknowledged, by the ids of their requests. */
  readonly #opening = new Map<number, () => void>()
  /** Aborting it restarts the subscription to the lists. */
  #following = new AbortController()
  #level: LogLevel | undefined
  #levelling: Promise<unknown> | undefined
  /** Ids of open or opening subscriptions. */
  readonly #subscriptions = new Set<number>()

  readonly onDidReceive = this.#received.event

  constructor(
    private readonly peer: Peer,
    private readonly parts: SessionNotificationsParts,
  ) {}

  get declared(): ServerCapabilities | undefined {
    return this.parts.declared()
  }

  handle(method: string, params: JsonObject): void {
    const meta = isJsonObject(params._meta) ? params._meta : {}
    switch (method) {
      case 'notifications/subscriptions/acknowledged':
        this.#opening.get(Number(meta[SUBSCRIPTION_ID_META_KEY]))?.()
        return
      case 'notifications/cancelled': {
        // A server over pipes ends a subscription with this notification. The id of the server's own request may equal one of ours.
        const id = Number(params.requestId)
        if (this.#subscriptions.has(id))
          this.peer.fail(id, new ConnectionClosedError('The server ended the subscription.'))
        return
      }
      case 'notifications/message':
        this.#received.emit({ kind: 'log', params })
        return
      case 'notifications/resources/updated':
        if (typeof params.uri === 'string')
          this.#received.emit({ kind: 'updated', uri: params.uri })
    }
  }

  /** Subscribes to changed lists of a stateless server; `onMissed` is called when changes may have been missed. Never rejects. */
  async followLists(onMissed: () => void): Promise<void> {
    const { tools, resources, prompts } = this.declared ?? {}
    const filter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
    }
    if (Object.keys(filter).length === 0) return
    const { signal, onWarning } = this.parts
    const hasEnded = (): boolean => signal.aborted
    let waitMs = FIRST_WAIT_MS
    for (let isFirst = true; !hasEnded(); isFirst = false) {
      try {
        this.#following = new AbortController()
        const either = AbortSignal.any([signal, this.#following.signal])
        const { closed } = await this.#subscribe(filter, either)
        if (!isFirst) onMissed()
        const openedAt = performance.now()
        await closed
        if (performance.now() - openedAt > MAX_WAIT_MS) waitMs = FIRST_WAIT_MS
      } catch (error) {
        if (!hasEnded()) onWarning(`List changes can’t be followed right now: ${messageOf(error)}`)
      }
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined) // Aborted: the loop ends.
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
    }
  }

  /** Subscribes again (MCP 2026-07-28), because the old streams may be dead. */
  renew(): void {
    if (!this.peer.isStateless) return
    this.#following.abort()
    for (const [uri, { ending }] of this.#watched) {
      this.#watched.delete(uri)
      this.watch(uri).catch((error: unknown) => {
        this.parts.onWarning(`The server no longer sends updates for ${uri}: ${messageOf(error)}`)
      })
      ending.abort()
    }
  }

  /** Watches a resource. Settles when the server announces its changes; rejects with an `AppError` if it doesn't. */
  async watch(uri: string): Promise<void> {
    let watch = this.#watched.get(uri)
    if (!watch) {
      const ending = new AbortController()
      const acknowledged = this.peer.isStateless
        ? this.#listen(uri, ending)
        : this.parts.request('resources/subscribe', { uri })
      watch = { ending, acknowledged }
      this.#watched.set(uri, watch)
    }
    try {
      await watch.acknowledged
    } catch (error) {
      if (this.#watched.get(uri) === watch) this.#watched.delete(uri)
      throw error
    }
  }

  async unwatch(uri: string): Promise<void> {
    const watch = this.#watched.get(uri)
    if (!watch) return
    this.#watched.delete(uri)
    watch.ending.abort()
    if (!this.peer.isStateless) await this.parts.request('resources/unsubscribe', { uri })
  }

  /** Requests log messages of this level and above. Does nothing if the server has no log; rejects as `watch` does. */
  async setLevel(level: LogLevel): Promise<void> {
    if (this.declared?.logging === undefined) return
    if (this.#level !== level) {
      this.#level = level
      this.#levelling = this.peer.isStateless
        ? undefined
        : this.parts.request('logging/setLevel', { level })
    }
    const levelling = this.#levelling
    try {
      await levelling
    } catch (error) {
      // The effective level is unknown, so the next caller sets it again.
      if (this.#levelling === levelling) this.#level = undefined
      throw error
    }
  }

  withLevel(params: Record<string, unknown>): Record<string, unknown> {
    if (this.#level === undefined || !this.peer.isStateless) return params
    const meta = typeof params._meta === 'object' ? params._meta : undefined
    return { ...params, _meta: { [LEVEL_META_KEY]: this.#level, ...meta } }
  }

  async #listen(uri: string, ending: AbortController): Promise<void> {
    const { signal, onWarning } = this.parts
    const either = AbortSignal.any([signal, ending.signal])
    const { closed } = await this.#subscribe({ resourceSubscriptions: [uri] }, either)
    void closed.then(() => {
      // Subscribers return in the next session.
      if (this.#watched.get(uri)?.ending === ending) this.#watched.delete(uri)
      if (!either.aborted) onWarning(`The server no longer sends updates for ${messageOf(uri)}.`)
    })
  }

  /**
   * MCP 2026-07-28, `subscriptions/listen`. Resolves to a promise of its end once the server acknowledged it; rejects if the server does.
   */
  async #subscribe(
    filter: SubscriptionFilter,
    signal: AbortSignal,
  ): Promise<{ readonly closed: Promise<void> }> {
    const opened = Promise.withResolvers<undefined>()
    let id = 0
    const onId = (number: number): void => {
      id = number
      this.#subscriptions.add(id)
      this.#opening.set(id, () => opened.resolve(undefined))
    }
    const params = { notifications: filter }
    const closed = this.peer
      .request('subscriptions/listen', params, { signal, onId })
      .then(
        () => opened.reject(new ConnectionClosedError('The server closed the subscription.')),
        (error: unknown) => opened.reject(error as Error),
      )
      .finally(() => this.#subscriptions.delete(id))
    const late = (): never => {
      throw new AppError('REQUEST_TIMEOUT', 'The server did not acknowledge the subscription.')
    }
    await within(ACKNOWLEDGE_MS, opened.promise, late).finally(() => this.#opening.delete(id))
    return { closed }
  }
}
