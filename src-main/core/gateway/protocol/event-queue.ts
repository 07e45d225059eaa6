import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Log messages that may wait, in bytes; a single event that may be left out and is longer does not wait at all. */
const MOST_LOG_BYTES = 1024 * 1024
/** What may wait beside the answer, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024
const LOG = 'notifications/message'

/** Says that something is another than it was (MCP, `list_changed` and `resources/updated`). */
export type Change = {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** How an event waits for which there is no room yet. */
export type EventKind =
  /** An answer, or a request to the agent: the event waits. */
  | { readonly kind: 'kept'; readonly isAnswer: boolean }
  /** The newest of its key waits. */
  | { readonly kind: 'progress'; readonly key: string }
  | { readonly kind: 'change'; readonly key: string; readonly change: Change }
  | { readonly kind: 'log'; readonly params: JsonObject }

type Waiting = { readonly event: Uint8Array; readonly kind: EventKind }
/** Stands where messages of a log were left out. */
type Gap = { count: number; params: JsonObject }

/**
 * The events of one stream that wait for a reader who is slower than they come (WHATWG HTML, server-sent events; one
 * message each): of progress and of changes the newest, of logs a part, and every answer.
 */
export class EventQueue {
  readonly #waiting = new Map<unknown, Waiting | Gap>()
  #gap: Gap | undefined
  #logBytes = 0
  #bytes = 0
  #leftOut = 0

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Whether messages of logs are left out, until its reader was told so. */
  get leavesOutLogs(): boolean {
    return this.#gap !== undefined
  }

  /** Events that no reader will get, nor a newer one in their place. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** The changes that were not told yet. */
  *changes(): Generator<Change> {
    for (const one of this.#waiting.values())
      if ('event' in one && one.kind.kind === 'change') yield one.kind.change
  }

  /** Takes an event; false where more waits than may. */
  push(event: Uint8Array, kind: EventKind): boolean {
    const { length } = event
    switch (kind.kind) {
      case 'log':
        if (this.#gap || this.#logBytes + length > MOST_LOG_BYTES) this.leaveOut(kind.params)
        else this.#add(Symbol('log'), { event, kind })
        break
      case 'progress':
        this.#take(kind.key)
        if (length > MOST_LOG_BYTES) this.#leftOut += 1
        else this.#add(kind.key, { event, kind })
        break
      case 'change':
        this.#take(kind.key)
        this.#add(kind.key, { event, kind })
        break
      case 'kept':
        this.#add(Symbol('kept'), { event, kind })
    }
    return this.#bytes <= MOST_BYTES
  }

  /** Counts a message of a log that is not even made. */
  leaveOut(params: JsonObject): void {
    this.#leftOut += 1
    if (this.#gap) {
      this.#gap.count += 1
      this.#gap.params = params
      return
    }
    this.#gap = { count: 1, params }
    this.#waiting.set(this.#gap, this.#gap)
  }

  /** The next one to send; undefined where none waits. */
  shift(): Uint8Array | undefined {
    const { done, value: key } = this.#waiting.keys().next()
    if (done) return undefined
    const next = this.#take(key)
    return next && 'event' in next ? next.event : next && this.#told(next)
  }

  #add(key: unknown, waiting: Waiting): void {
    this.#waiting.set(key, waiting)
    this.#count(waiting, 1)
  }

  #take(key: unknown): Waiting | Gap | undefined {
    const taken = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (taken && 'event' in taken) this.#count(taken, -1)
    return taken
  }

  #count({ event, kind }: Waiting, sign: 1 | -1): void {
    if (kind.kind === 'log') this.#logBytes += sign * event.length
    // An answer is as long as its server made it, and there is one.
    else if (kind.kind !== 'kept' || !kind.isAnswer) this.#bytes += sign * event.length
  }

  /** A message in the place of those that were left out, as grave and of the same logger as the last of them. */
  #told({ count, params: { level, logger } }: Gap): Uint8Array {
    this.#gap = undefined
    const data = `${count} messages were dropped because they arrived faster than they were read.`
    const message = { jsonrpc: '2.0', method: LOG, params: { level, logger, data } }
    return eventOf(JSON.stringify(message))
  }
}

/** How a notification waits. */
export function kindOfNotification(method: string, params: JsonObject): EventKind {
  switch (method) {
    case LOG:
      return { kind: 'log', params }
    case 'notifications/progress':
      return { kind: 'progress', key: `${method} ${JSON.stringify(params.progressToken)}` }
    default:
      return { kind: 'change', key: changeKey({ method, params }), change: { method, params } }
  }
}

/** The same for two changes that say the same. */
export function changeKey({ method, params }: Change): string {
  return `${method} ${String(params?.uri)}`
}

/** A message as one event (WHATWG HTML, server-sent events); line breaks between the tokens of its JSON would end the event. */
export function eventOf(json: string): Buffer {
  return Buffer.from(`event: message\ndata: ${json.replaceAll(/[\r\n]+/gu, ' ')}\n\n`)
}
