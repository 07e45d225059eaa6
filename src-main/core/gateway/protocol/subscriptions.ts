import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { Disposables } from '../../lifecycle/disposables'
import { exactJson } from '../../mcp/json/exact-json'
import { CODES, RequestError } from '../calls/request-error'
import type { RequestMessage } from './agent-message'
import type { EndpointContext, ListKind } from './endpoint-context'
import type { HttpAnswer } from './http-answer'
import { MAX_WATCHES } from './session'

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
  readonly answer: HttpAnswer
  readonly id: unknown
  readonly watches: Disposables
}

/** The open subscriptions of one agent (MCP 2026-07-28, `subscriptions/listen`), each a stream. */
export class Subscriptions {
  readonly #context: EndpointContext
  readonly #open = new Set<Subscription>()

  constructor(context: EndpointContext) {
    this.#context = context
  }

  /** Opens a subscription until its connection is closed. */
  open(agent: Agent, { id, params }: RequestMessage, answer: HttpAnswer): void {
    const { data: filter } = Filter.safeParse(params.notifications)
    const uris = [...new Set(filter?.resourceSubscriptions ?? [])]
    if (!filter || uris.length > MAX_WATCHES) {
      const fault = filter
        ? `At most ${MAX_WATCHES} resources can be subscribed to; got ${uris.length}.`
        : 'notifications must be a subscription filter.'
      answer.error(id, new RequestError(CODES.invalidParams, fault))
      return
    }
    const watches = new Disposables()
    const subscription = { filter, answer, id: exactJson(id), watches }
    const honored = honoredOf(filter)
    send(subscription, 'notifications/subscriptions/acknowledged', { notifications: honored })
    if (Object.keys(honored).length === 0 || !answer.isStream) {
      const _meta = {
        [SUBSCRIPTION_ID_META_KEY]: subscription.id,
        [SERVER_INFO_META_KEY]: this.#context.serverInfo,
      }
      answer.result(id, JSON.stringify({ resultType: 'complete', _meta }))
      return
    }
    this.#open.add(subscription)
    answer.onClose(() => {
      this.#open.delete(subscription)
      watches[Symbol.dispose]()
    })
    for (const uri of uris) void this.#watch(agent, uri, subscription)
  }

  listChanged(kind: ListKind): void {
    for (const one of this.#open)
      if (one.filter[`${kind}ListChanged`] === true)
        send(one, `notifications/${kind}/list_changed`, {})
  }

  async #watch(agent: Agent, uri: string, subscription: Subscription): Promise<void> {
    const updated = (): void => send(subscription, 'notifications/resources/updated', { uri })
    // The version has no message for a loss: an agent that is notified reads again. Nor has it one for a resource that
    // cannot be watched.
    const listener = { updated, lost: updated }
    const watch = await this.#context.watches
      .add(agent.agentId, uri, listener)
      .catch(() => undefined)
    if (watch) subscription.watches.add(watch)
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

function send({ answer, id }: Subscription, method: string, params: JsonObject): void {
  answer.notify(method, { ...params, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } })
}
