import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Log messages that may wait, in bytes. */
const MAX_LOG_BYTES = 1024 * 1024
/** What may wait beside logs and the answer, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024
const LOG = 'notifications/message'
/** The place of log messages that were dropped. */
const GAP = Symbol('gap')

/** Says that something changed (MCP, `list_changed` and `resources/updated`). */
export type Change = {
  readonly method: string
  readonly params?: JsonObject | undefined
}

/** How an event waits: answers and requests to the agent whole and in order, of each `key` the newest, of logs a part. */
export type EventKind =
  | { readonly kind: 'answer' | 'request' }
  | { readonly kind: 'progress'; readonly key: string }
  | { readonly kind: 'change'; readonly key: string; readonly change: Change }
  | { readonly kind: 'log'; readonly params: JsonObject }

type Waiting = { readonly event: Uint8Array; readonly kind: EventKind }

/** The events of one stream that wait for a slow reader (WHATWG HTML, server-sent events; one message each). */
export class EventQueue {
  readonly #waiting = new Map<unknown, Waiting | undefined>()
  /** The count of dropped log messages, and the last of them. */
  #dropped: { readonly count: number; readonly params: JsonObject } | undefined
  #logBytes = 0
  #bytes = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  *changes(): Generator<Change> {
    for (const waiting of this.#waiting.values())
      if (waiting?.kind.kind === 'change') yield waiting.kind.change
  }

  /** Takes an event; false where more waits than may. */
  push(event: Uint8Array, kind: EventKind): boolean {
    if (kind.kind === 'log' && this.#hasNoRoom(event)) {
      this.#dropped = { count: (this.#dropped?.count ?? 0) + 1, params: kind.params }
      this.#waiting.set(GAP, undefined)
      return true
    }
    const key = 'key' in kind ? kind.key : Symbol(kind.kind)
    this.#take(key)
    this.#waiting.set(key, { event, kind })
    this.#count({ event, kind }, 1)
    return this.#bytes <= MAX_BYTES
  }

  /** The next event to send; undefined where none waits. */
  shift(): Uint8Array | undefined {
    const { done, value: key } = this.#waiting.keys().next()
    if (done) return undefined
    return this.#take(key)?.event ?? this.#gap()
  }

  #hasNoRoom({ length }: Uint8Array): boolean {
    return this.#dropped !== undefined || this.#logBytes + length > MAX_LOG_BYTES
  }

  #take(key: unknown): Waiting | undefined {
    const taken = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (taken) this.#count(taken, -1)
    return taken
  }

  #count({ event, kind }: Waiting, sign: 1 | -1): void {
    if (kind.kind === 'log') this.#logBytes += sign * event.length
    // An answer is as long as its server made it, and there is one.
    else if (kind.kind !== 'answer') this.#bytes += sign * event.length
  }

  /** A message in place of the dropped ones, with the level and logger of the last. */
  #gap(): Uint8Array {
    const { count, params } = this.#dropped ?? { count: 0, params: {} }
    this.#dropped = undefined
    const data = `${count} messages were dropped because they arrived faster than they were read.`
    const message = { level: params.level, logger: params.logger, data }
    return eventOf(JSON.stringify({ jsonrpc: '2.0', method: LOG, params: message }))
  }
}

/** How a notification waits. */
export function kindOfNotification(method: string, params: JsonObject): EventKind {
  if (method === LOG) return { kind: 'log', params }
  if (method === 'notifications/progress')
    return { kind: 'progress', key: `${method} ${JSON.stringify(params.progressToken)}` }
  return { kind: 'change', key: changeKey({ method, params }), change: { method, params } }
}

/** The same for two changes that say the same. */
export function changeKey({ method, params }: Change): string {
  return `${method} ${String(params?.uri)}`
}

/** A message as one event (WHATWG HTML, server-sent events); line breaks between the tokens of its JSON would end the event. */
export function eventOf(json: string): Buffer {
  return Buffer.from(`event: message\ndata: ${json.replaceAll(/[\r\n]+/gu, ' ')}\n\n`)
}
