import { setTimeout as delay } from 'node:timers/promises'

import {
  type ServerCapabilities,
  SUBSCRIPTION_ID_META_KEY,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from '../failure/describe-failure'
import { isObject } from './json/is-object'
import type { JsonObject } from './json/json-rpc'
import { ConnectionClosedError } from './peer/connection'
import type { Peer } from './peer/peer'

const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000
/** How long a server may take to acknowledge a subscription, in ms. */
const ACKNOWLEDGE_MS = 60_000

/** The subscriptions to notifications of a stateless server (MCP 2026-07-28, `subscriptions/listen`). */
export class Subscriptions {
  readonly #peer: Peer
  readonly #opening = new Map<number, () => void>()

  constructor(peer: Peer) {
    this.#peer = peer
  }

  /** Resolves once the server acknowledged it, to a promise of its end; rejects where it is refused. */
  async open(filter: SubscriptionFilter, signal: AbortSignal): Promise<{ closed: Promise<void> }> {
    const opened = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => opened.reject(lateError()), ACKNOWLEDGE_MS)
    let id: number | undefined
    const request = this.#peer.request(
      'subscriptions/listen',
      { notifications: filter },
      {
        signal,
        onId: (number) => {
          id = number
          this.#opening.set(number, () => opened.resolve(undefined))
        },
      },
    )
    const closed = request.then(
      () => opened.reject(new ConnectionClosedError('The server closed the subscription.')),
      (error: unknown) => opened.reject(error as Error),
    )
    try {
      await opened.promise
      return { closed }
    } finally {
      clearTimeout(timer)
      if (id !== undefined) this.#opening.delete(id)
    }
  }

  /** Takes the notifications about subscriptions themselves; false for all others. */
  take(method: string, params: JsonObject): boolean {
    const meta = isObject(params._meta) ? params._meta : {}
    if (method === 'notifications/subscriptions/acknowledged') {
      this.#opening.get(Number(meta[SUBSCRIPTION_ID_META_KEY]))?.()
      return true
    }
    if (method !== 'notifications/cancelled') return false
    // A server over pipes ends a subscription this way.
    const ended = new ConnectionClosedError('The server ended the subscription.')
    this.#peer.fail(Number(params.requestId), ended)
    return true
  }
}

/** The list changes that a server can announce; undefined where it announces none. */
function filterFor({
  tools,
  resources,
  prompts,
}: ServerCapabilities): SubscriptionFilter | undefined {
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

/**
 * Has a stateless server announce changed lists. A subscription that ends is opened again after waits that double, until
 * `signal` is aborted. `onMissed` is called when changes may have been missed. Never rejects.
 */
export async function followChanges(
  subscriptions: Subscriptions,
  declared: ServerCapabilities,
  options: {
    readonly signal: AbortSignal
    readonly onMissed: () => void
    readonly onWarning: (message: string) => void
  },
): Promise<void> {
  const filter = filterFor(declared)
  if (!filter) return
  const { signal, onMissed, onWarning } = options
  // Read each time: the signal changes during an await.
  const isOver = (): boolean => signal.aborted
  let waitMs = FIRST_WAIT_MS
  for (let isFirst = true; !isOver(); isFirst = false) {
    try {
      const { closed } = await subscriptions.open(filter, signal)
      if (!isFirst) onMissed()
      const openedAt = performance.now()
      await closed
      if (performance.now() - openedAt > MAX_WAIT_MS) waitMs = FIRST_WAIT_MS
    } catch (error) {
      if (!isOver()) onWarning(`Changed lists can’t be followed at the moment: ${messageOf(error)}`)
    }
    await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined) // aborted: the loop ends
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
  }
}

function lateError(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'The server did not acknowledge the subscription.')
}
