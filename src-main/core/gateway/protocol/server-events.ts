import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { messageOf } from '../../failure/describe-failure'
import { background } from '../../lifecycle/background'
import { Disposables, toDisposable } from '../../lifecycle/disposables'
import { exactJson } from '../../mcp/json/exact-json'
import { LOG_LEVELS, type LogLevel, type SessionNotifications } from '../../mcp/notifications'
import type { Timekeeper } from '../../ports'
import type { ResourceWatches, WatchListener } from '../../servers/resource-watches'
import type { ServerDirectory } from '../../servers/server-directory'
import { type InstanceOwner, isOf } from '../../servers/server-instances'
import type { AgentCalls } from '../calls/agent-calls'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentListings } from '../listing/agent-listings'
import type { ResourceRoute } from '../listing/resource-route'
import type { RequestMessage } from './agent-message'
import type { HttpAnswer } from './http-answer'

/** The lists whose changes agents are notified of. */
export type ListKind = 'tools' | 'prompts' | 'resources'

/** Maximum number of resources that one session or subscription may watch. */
export const MAX_WATCHES = 1_000
/** Level of a reader that requested none, and of a message without one. */
const DEFAULT_LEVEL: LogLevel = 'info'
/** Delay before servers get a higher log level, in ms: requests come and go. */
const QUIET_MS = 5_000

/** Returns the error for a resource beyond the limit. */
export function tooManyWatches(): RequestError {
  return new RequestError(CODES.failed, `At most ${MAX_WATCHES} resources can be subscribed to.`)
}

/** A reader of server logs. */
export type LogReader = {
  /** The agent or session whose own processes may send to this reader. */
  readonly user: InstanceOwner
  /** The lowest level that it requested. */
  readonly level: LogLevel | undefined
  /** Handles a message; the reader itself checks whether it sees the server. */
  log(installationId: string, params: JsonObject): void
}

/** The servers, as the log relay uses them. */
export type LoggingServers = Pick<ServerDirectory, 'everyProcess' | 'onDidBegin' | 'onDidNotify'>

/** Forwards servers' log messages to agents; each server is asked for the lowest level of all. */
export class LogRelay implements Disposable {
  readonly #readers = new Set<LogReader>()
  readonly #owned = new Disposables()
  /** The requested level; undefined until a reader requests one, because servers use their own level until then. */
  #requested: LogLevel | undefined
  #quieting: Disposable | undefined

  constructor(
    private readonly servers: LoggingServers,
    private readonly listings: Pick<AgentListings, 'nameOf'>,
    private readonly time: Pick<Timekeeper, 'after'>,
  ) {
    this.#owned.add(servers.onDidBegin(({ notifications }) => this.#request(notifications)))
    this.#owned.add(
      servers.onDidNotify(({ installationId, owner, notification }) => {
        if (notification.kind !== 'log') return
        const readers = [...this.#readers].filter(({ user }) => !owner || isOf(owner, user))
        this.relay(installationId, notification.params, readers)
      }),
    )
  }

  /** Sends messages to a reader until the result is disposed. */
  add(reader: LogReader): Disposable {
    this.#readers.add(reader)
    this.levelChanged()
    return toDisposable(() => {
      this.#readers.delete(reader)
      this.levelChanged()
    })
  }

  /** Applies a changed level of a reader: a lower level immediately, a higher one after a delay. */
  levelChanged(): void {
    const requested = this.#requested
    const levels = [...this.#readers].map(({ level }) => level)
    if (requested === undefined && levels.every((level) => level === undefined)) return
    const lowest = LOG_LEVELS[Math.min(...levels.map(weightOf))] ?? DEFAULT_LEVEL
    const isQuieter = requested !== undefined && weightOf(lowest) >= weightOf(requested)
    this.#quieting?.[Symbol.dispose]()
    const request = (): void => {
      this.#requested = lowest
      for (const { notifications } of this.servers.everyProcess())
        if (notifications) this.#request(notifications)
    }
    if (!isQuieter) request()
    else if (lowest !== requested) this.#quieting = this.time.after(QUIET_MS, request)
  }

  /** Forwards a server's message to these readers. */
  relay(installationId: string, params: JsonObject, readers: Iterable<LogReader>): void {
    const name = this.listings.nameOf(installationId)
    // Agents validate messages (F2).
    const valid = { data: null, ...params, level: LOG_LEVELS[weightOf(params.level)] }
    const logger = typeof params.logger === 'string' ? `${name}/${params.logger}` : name
    for (const reader of readers)
      if (weightOf(params.level) >= weightOf(reader.level))
        reader.log(installationId, { ...valid, logger })
  }

  [Symbol.dispose](): void {
    this.#owned[Symbol.dispose]()
    this.#quieting?.[Symbol.dispose]()
  }

  #request(notifications: SessionNotifications): void {
    // A server that rejects keeps its own level.
    if (this.#requested !== undefined)
      void notifications.setLevel(this.#requested).catch(() => undefined)
  }
}

function weightOf(level: unknown): number {
  const weight = LOG_LEVELS.findIndex((one) => one === level)
  return weight < 0 ? LOG_LEVELS.indexOf(DEFAULT_LEVEL) : weight
}

/** Like `WatchListener`; `lost` gets the server. */
export type ShownListener = {
  readonly updated: () => void
  readonly lost: (installationId: string, reason: string) => void
}

/** Where the resource is read, with the key of the server's instance. */
type ShownRoute = ResourceRoute & { readonly key: string }

type Shown = {
  readonly user: InstanceOwner
  readonly uri: string
  readonly listener: ShownListener
  /** Where the resource is watched; undefined while no exposed server has it. */
  route?: ShownRoute | undefined
  watch?: Disposable | undefined
}

/** Resources that agents watch, each at the server that exposes it to the agent; at none while the profile hides it. */
export class ShownWatches {
  readonly #shown = new Set<Shown>()

  constructor(
    private readonly watches: Pick<ResourceWatches, 'add'>,
    private readonly calls: Pick<AgentCalls, 'routeOf'>,
    private readonly servers: Pick<ServerDirectory, 'keyFor'>,
  ) {}

  /** Watches a resource, see `ResourceWatches.add`; rejects with NOT_FOUND if no such resource is exposed to the agent. */
  async add(user: InstanceOwner, uri: string, listener: ShownListener): Promise<Disposable> {
    const shown: Shown = { user, uri, listener }
    const route = this.#routeOf(shown)
    shown.route = route
    shown.watch = await this.watches.add(route.key, route.uri, listenerAt(route, listener))
    this.#shown.add(shown)
    // The resource may have been hidden meanwhile.
    this.#update(shown)
    return toDisposable(() => {
      this.#shown.delete(shown)
      shown.watch?.[Symbol.dispose]()
    })
  }

  review(agentId: string): void {
    for (const shown of this.#shown) if (shown.user.agentId === agentId) this.#update(shown)
  }

  #update(shown: Shown): void {
    let route: ShownRoute | undefined
    try {
      route = this.#routeOf(shown)
    } catch {
      // No server that is exposed to the agent has the resource.
    }
    const { route: before } = shown
    if (route?.key === before?.key && route?.uri === before?.uri) return
    shown.watch?.[Symbol.dispose]()
    shown.watch = undefined
    shown.route = route
    if (route) background(this.#follow(shown, route), 'following a resource')
  }

  #routeOf({ user, uri }: Shown): ShownRoute {
    const route = this.calls.routeOf(user.agentId, uri)
    return { ...route, key: this.servers.keyFor(route.installationId, user) }
  }

  async #follow(shown: Shown, route: ShownRoute): Promise<void> {
    const { listener } = shown
    const isWanted = (): boolean => this.#shown.has(shown) && shown.route === route
    try {
      const watch = await this.watches.add(route.key, route.uri, listenerAt(route, listener))
      if (!isWanted()) {
        watch[Symbol.dispose]()
        return
      }
      shown.watch = watch
      // Changes while it was hidden were not reported.
      listener.updated()
    } catch (error) {
      if (isWanted()) listener.lost(route.installationId, messageOf(error))
    }
  }
}

function listenerAt(
  { installationId }: ShownRoute,
  { updated, lost }: ShownListener,
): WatchListener {
  return { updated, lost: (reason) => lost(installationId, reason) }
}

const Flag = z.boolean().nullish()
const Filter = z.object({
  toolsListChanged: Flag,
  promptsListChanged: Flag,
  resourcesListChanged: Flag,
  resourceSubscriptions: z.array(z.string()).nullish(),
})
type Filter = z.infer<typeof Filter>

type Subscription = {
  readonly filter: Filter
  readonly send: (method: string, params?: JsonObject) => void
}

/** Open subscriptions of one agent (MCP 2026-07-28, `subscriptions/listen`), each a stream. */
export class Subscriptions {
  readonly #open = new Set<Subscription>()

  constructor(
    private readonly watches: ShownWatches,
    private readonly serverInfo: JsonObject,
  ) {}

  /** Opens a subscription until its connection is closed. */
  open(user: InstanceOwner, { id, params }: RequestMessage, answer: HttpAnswer): void {
    const { data: filter } = Filter.safeParse(params.notifications)
    const uris = new Set(filter?.resourceSubscriptions)
    if (!filter || uris.size > MAX_WATCHES) {
      const fault = filter
        ? `At most ${MAX_WATCHES} resources can be subscribed to; got ${uris.size}.`
        : 'notifications must be a subscription filter.'
      answer.error(id, new RequestError(CODES.invalidParams, fault))
      return
    }
    const meta = { [SUBSCRIPTION_ID_META_KEY]: exactJson(id) }
    const subscription: Subscription = {
      filter,
      send: (method, own) => answer.notify(method, { ...own, _meta: meta }),
    }
    const honored = honoredOf(filter)
    subscription.send('notifications/subscriptions/acknowledged', { notifications: honored })
    if (Object.keys(honored).length === 0 || !answer.isStream) {
      const _meta = { ...meta, [SERVER_INFO_META_KEY]: this.serverInfo }
      answer.result(id, JSON.stringify({ resultType: 'complete', _meta }))
      return
    }
    const watches = new Disposables()
    this.#open.add(subscription)
    answer.onClose(() => {
      this.#open.delete(subscription)
      watches[Symbol.dispose]()
    })
    for (const uri of uris)
      background(this.#watch(user, uri, subscription, watches), 'watching a resource')
  }

  listChanged(kind: ListKind): void {
    for (const { filter, send } of this.#open)
      if (filter[`${kind}ListChanged`] === true) send(`notifications/${kind}/list_changed`)
  }

  async #watch(
    user: InstanceOwner,
    uri: string,
    { send }: Subscription,
    watches: Disposables,
  ): Promise<void> {
    const updated = (): void => send('notifications/resources/updated', { uri })
    // The version has no message for a lost or unwatchable resource, so the agent is notified and reads again.
    const listener = { updated, lost: updated }
    const watch = await this.watches.add(user, uri, listener).catch(() => undefined)
    if (watch) watches.add(watch)
  }
}

function honoredOf(filter: Filter): JsonObject {
  const { resourceSubscriptions: uris, ...lists } = filter
  const honored = Object.entries(lists).filter(([, isWanted]) => isWanted === true)
  return {
    ...Object.fromEntries(honored),
    ...(uris && uris.length > 0 && { resourceSubscriptions: uris }),
  }
}
