import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactJson } from '../../mcp/json/exact-json'
import { CODES, RequestError } from '../calls/request-error'
import type { RequestMessage } from './agent-message'
import type { EndpointContext } from './endpoint-context'
import type { HttpAnswer } from './http-answer'

/** Resources that one subscription may watch. */
const MOST_WATCHES = 1_000

const Flag = z.boolean().nullish()
const Filter = z.object({
  toolsListChanged: Flag,
  promptsListChanged: Flag,
  resourcesListChanged: Flag,
  resourceSubscriptions: z.array(z.string()).nullish(),
})
type Filter = z.infer<typeof Filter>
type ListKind = 'tools' | 'prompts' | 'resources'

type Subscription = { readonly filter: Filter; readonly answer: HttpAnswer; readonly id: unknown }
type Watched = { count: number; readonly ending: AbortController }

/** The open subscriptions of one agent (MCP 2026-07-28, `subscriptions/listen`), each a stream. */
export class Subscriptions {
  readonly #context: EndpointContext
  readonly #open = new Set<Subscription>()
  /** Each resource is watched once, however many subscriptions name it. */
  readonly #watched = new Map<string, Watched>()

  constructor(context: EndpointContext) {
    this.#context = context
  }

  /** Opens a subscription until its connection is closed. */
  open(agent: Agent, { id, params }: RequestMessage, answer: HttpAnswer): void {
    const { data: filter } = Filter.safeParse(params.notifications)
    const uris = [...new Set(filter?.resourceSubscriptions ?? [])]
    const fault = !filter
      ? 'notifications must be a subscription filter.'
      : uris.length > MOST_WATCHES
        ? `At most ${MOST_WATCHES} resources can be subscribed to; got ${uris.length}.`
        : undefined
    if (!filter || fault !== undefined) {
      answer.error(id, new RequestError(CODES.invalidParams, fault ?? ''))
      return
    }
    const subscription = { filter, answer, id: exactJson(id) }
    const honored = honoredOf(filter)
    send(subscription, 'notifications/subscriptions/acknowledged', { notifications: honored })
    if (Object.keys(honored).length === 0 || !answer.isStream) {
      this.#complete(id, subscription)
      return
    }
    this.#open.add(subscription)
    for (const uri of uris) this.#enter(agent, uri)
    answer.onClose(() => {
      this.#open.delete(subscription)
      for (const uri of uris) this.#leave(uri)
    })
  }

  /** A list changed. */
  changed(kind: ListKind): void {
    for (const one of this.#open)
      if (one.filter[`${kind}ListChanged`] === true)
        send(one, `notifications/${kind}/list_changed`, {})
  }

  #complete(id: string, { answer, id: subscriptionId }: Subscription): void {
    const _meta = {
      [SUBSCRIPTION_ID_META_KEY]: subscriptionId,
      [SERVER_INFO_META_KEY]: this.#context.serverInfo,
    }
    answer.result(id, JSON.stringify({ resultType: 'complete', _meta }))
  }

  #enter(agent: Agent, uri: string): void {
    const watched = this.#watched.get(uri)
    if (watched) {
      watched.count += 1
      return
    }
    const ending = new AbortController()
    this.#watched.set(uri, { count: 1, ending })
    void this.#follow(agent, uri, ending.signal)
  }

  #leave(uri: string): void {
    const watched = this.#watched.get(uri)
    if (!watched) return
    watched.count -= 1
    if (watched.count > 0) return
    this.#watched.delete(uri)
    watched.ending.abort()
  }

  async #follow(agent: Agent, uri: string, signal: AbortSignal): Promise<void> {
    const updated = (): void => {
      for (const one of this.#open)
        if (one.filter.resourceSubscriptions?.includes(uri) === true)
          send(one, 'notifications/resources/updated', { uri })
    }
    // The version has no message for a loss: an agent that is notified reads again, as far as that goes.
    const listener = { updated, lost: updated }
    // The version has no message for a resource that cannot be watched either.
    const watch = await this.#context.watch(agent, uri, listener).catch(() => undefined)
    const end = (): void => watch?.[Symbol.dispose]()
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
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
