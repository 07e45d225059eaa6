import { cutProse } from '../../failure/describe-failure'
import { isObject } from '../json/is-object'
import type { JsonObject } from '../json/json-rpc'
import type { ResultText } from '../json/result-text'
import type { Fault } from './connection'
import type { RequestDeadline } from './request-deadline'

/** Requests that were given up and may still be answered; the oldest are forgotten. */
const MAX_ABANDONED = 10_000
/** Of a server's words and of its names, in characters. */
const MAX_WORDS = 300
const MAX_SHOWN = 100

/** One request of ours that waits for its answer. */
export type Pending<Options> = {
  readonly id: number
  readonly method: string
  readonly options: Options
  readonly resolve: (answer: ResultText) => void
  readonly reject: (error: unknown) => void
  deadline?: RequestDeadline | undefined
  onAbort?: (() => void) | undefined
}

/** The requests of one peer: those that wait for their answers, and those that may still be answered. */
export class PendingRequests<Options extends { readonly signal?: AbortSignal | undefined }> {
  // No Map: V8 links its outgrown tables, and so keeps finished requests in its old generation.
  readonly #pending: Record<number, Pending<Options>> = {}
  #size = 0
  readonly #abandoned = new Set<number>()
  /** Ids count up, so every smaller one was sent. */
  #nextId = 1

  constructor(private readonly onFault: (fault: Fault, detail: string) => void) {}

  get size(): number {
    return this.#size
  }

  get all(): readonly Pending<Options>[] {
    return Object.values(this.#pending)
  }

  /** The id of the next request. */
  takeId(): number {
    this.#nextId += 1
    return this.#nextId - 1
  }

  add(pending: Pending<Options>): void {
    this.#size += 1
    this.#pending[pending.id] = pending
  }

  has(id: number): boolean {
    return id in this.#pending
  }

  get(id: number): Pending<Options> | undefined {
    return this.#pending[id]
  }

  /** The request that an id of a message names, which some servers send back as text. */
  find(id: unknown): Pending<Options> | undefined {
    const number = idOf(id)
    return number === undefined ? undefined : this.#pending[number]
  }

  /**
   * The request that an error without an id is about, as of a server that could not read it: that on whose response it
   * came (`of`), else the one that waits where it is the only one.
   */
  findUnnamed({ id, error }: JsonObject, of: number | undefined): Pending<Options> | undefined {
    if (error === undefined || error === null || (id !== undefined && id !== null)) return undefined
    if (of !== undefined) return this.#pending[of]
    // Those without a deadline are streams, which stay open.
    const waiting = this.all.filter(({ deadline }) => deadline !== undefined)
    return waiting.length === 1 ? waiting[0] : undefined
  }

  /** It waits no longer. */
  settle({ id, deadline, onAbort, options }: Pending<Options>): void {
    if (id in this.#pending) this.#size -= 1
    Reflect.deleteProperty(this.#pending, id)
    deadline?.[Symbol.dispose]()
    if (onAbort) options.signal?.removeEventListener('abort', onAbort)
  }

  /** It waits no longer, and may still be answered. */
  abandon(pending: Pending<Options>): void {
    this.settle(pending)
    this.#abandoned.add(pending.id)
    if (this.#abandoned.size <= MAX_ABANDONED) return
    const [oldest] = this.#abandoned
    if (oldest !== undefined) this.#abandoned.delete(oldest)
  }

  /** Reports an answer that no request waits for. */
  reportAnswer(message: JsonObject): void {
    const id = idOf(message.id)
    const name = shown(message.id)
    if (id !== undefined && this.#abandoned.delete(id))
      this.onFault('lateAnswers', `The response to request ${name} came after the deadline.`)
    else if (id !== undefined && this.#wasSent(id))
      this.onFault('duplicateAnswers', `Request ${name} was answered twice.`)
    else {
      const { message: text } = isObject(message.error) ? message.error : {}
      const said = typeof text === 'string' ? ` Server message: ${cutProse(text, MAX_WORDS)}` : ''
      this.onFault('unknownAnswers', `A response to ${name}, which Patchbay never sent.${said}`)
    }
  }

  /** Reports progress that no request waits for. Our tokens are the ids of our requests. */
  reportProgress(token: unknown): void {
    if (typeof token === 'number' && this.#wasSent(token))
      this.onFault('lateAnswers', `Progress for request ${token}, which has ended.`)
    else this.onFault('unknownAnswers', 'Progress for an unknown request.')
  }

  #wasSent(id: number): boolean {
    return id > 0 && id < this.#nextId
  }
}

/** The id of a request of ours that an answer names: they are numbers. */
function idOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined
  return typeof id === 'string' && /^\d{1,15}$/u.test(id) ? Number(id) : undefined
}

/** An id or a method, for a sentence. */
export function shown(id: unknown): string {
  const text = id === undefined ? 'no ID' : JSON.stringify(id)
  // Not cut: in the middle of a sentence the start of a secret could not be told from other text.
  return text.length > MAX_SHOWN ? 'a long value' : text
}
