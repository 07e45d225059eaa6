import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { Disposables } from '../../lifecycle/disposables'
import { exactJson } from '../../mcp/json/exact-json'
import { CODES, RequestError } from '../calls/request-error'
import type { RequestMessage } from './agent-message'
import type { EndpointContext, ListKind } from './endpoint-context'
import type { HttpAnswer } from './http-answer'
import { MAX_WATCHES } from './server-events'

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

/** The open subscriptions of one agent (MCP 2026-07-28, `subscriptions/listen`), each a stream. */
export class Subscriptions {
  readonly #open = new Set<Subscription>()

  constructor(private readonly context: EndpointContext) {}

  /** Opens a subscription until its connection is closed. */
  open(agentId: string, { id, params }: RequestMessage, answer: HttpAnswer): void {
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
      const _meta = { ...meta, [SERVER_INFO_META_KEY]: this.context.serverInfo }
      answer.result(id, JSON.stringify({ resultType: 'complete', _meta }))
      return
    }
    const watches = new Disposables()
    this.#open.add(subscription)
    answer.onClose(() => {
      this.#open.delete(subscription)
      watches[Symbol.dispose]()
    })
    for (const uri of uris) void this.#watch(agentId, uri, subscription, watches)
  }

  listChanged(kind: ListKind): void {
    for (const { filter, send } of this.#open)
      if (filter[`${kind}ListChanged`] === true) send(`notifications/${kind}/list_changed`)
  }

  async #watch(
    agentId: string,
    uri: string,
    { send }: Subscription,
    watches: Disposables,
  ): Promise<void> {
    const updated = (): void => send('notifications/resources/updated', { uri })
    // The version has no message for a loss, so an agent that is notified reads again; nor for what cannot be watched.
    const listener = { updated, lost: updated }
    const watch = await this.context.watches.add(agentId, uri, listener).catch(() => undefined)
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
