import type { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { cutProse } from '../../failure/describe-failure'
import { toDisposable } from '../../lifecycle/disposables'
import type { ResultText } from '../json/result-text'
import type { OnFault } from './connection'
import { invalidAnswer, overdueFailure, timeoutFailure } from './request-failure'

const MAX_ABANDONED = 10_000
/** Maximum length of a server's words and names, in characters. */
const MAX_WORDS = 300
const MAX_SHOWN = 100
const MAX_NAMED = 5
const MAX_PAUSE_MS = 3_600_000

export type Id = string | number

export function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

export type Progress = { progress: number; total?: number; message?: string }

export function isProgress(value: JsonObject): value is Progress {
  const { progress, total, message } = value
  return (
    typeof progress === 'number' &&
    (total === undefined || typeof total === 'number') &&
    (message === undefined || typeof message === 'string')
  )
}

/** Time limits of a request. */
export type RequestTiming = {
  /** Time without progress, in ms; absent for no limit. */
  readonly timeoutMs?: number | undefined
  /** Total time regardless of progress, in ms. */
  readonly maxTotalMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Requests progress, which extends the deadline. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

export type PeerRequestOptions = RequestTiming & {
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly onDeadline?: ((deadline: RequestDeadline) => void) | undefined
  readonly onId?: (id: number) => void
  /** The server isn't notified of a timeout: a handshake must not be canceled (MCP, cancellation). */
  readonly isHandshake?: boolean
  /** Any line with its id is a sign of life, whatever its shape. */
  readonly isPing?: boolean
}

export type Pending = {
  readonly id: number
  readonly method: string
  readonly options: PeerRequestOptions
  readonly resolve: (answer: ResultText) => void
  readonly reject: (error: unknown) => void
  /** By `performance.now()`. */
  readonly sentAt: number
  deadline?: RequestDeadline
  onAbort?: () => void
}

export type RequestLimits = {
  readonly timeoutMs: number
  /** Total time regardless of progress; never less than `timeoutMs` (B3). */
  readonly maxTotalMs: number
}

/**
 * The deadline of one request: progress extends it, up to a hard limit. Both pause while the server waits for a user, for an hour in total
 * at most. Afterwards the server has its whole time again until the next progress.
 */
export class RequestDeadline implements Disposable {
  #endsAt: number
  #timer: NodeJS.Timeout | undefined
  #pauses = 0
  #pausedAt = 0
  #pausedMs = 0
  #hasEnded = false

  constructor(
    private readonly method: string,
    private readonly limits: RequestLimits,
    private readonly onTimeout: (failure: AppError) => void,
  ) {
    this.#endsAt = performance.now() + limits.maxTotalMs
    this.#set(limits.timeoutMs, false)
  }

  progress(): void {
    if (this.#pauses > 0 || this.#hasEnded) return
    const remainingMs = this.#endsAt - performance.now()
    this.#set(Math.min(remainingMs, this.limits.timeoutMs), remainingMs < this.limits.timeoutMs)
  }

  /** Pauses until the result is disposed. */
  pause(): Disposable {
    this.#pauses += 1
    if (this.#pauses === 1 && !this.#hasEnded) {
      this.#pausedAt = performance.now()
      this.#set(Math.max(MAX_PAUSE_MS - this.#pausedMs, 0), true)
    }
    return toDisposable(() => {
      this.#pauses -= 1
      if (this.#pauses > 0 || this.#hasEnded) return
      const pausedMs = performance.now() - this.#pausedAt
      this.#pausedMs += pausedMs
      this.#endsAt += pausedMs
      this.progress()
    })
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
  }

  #set(ms: number, isLimit: boolean): void {
    const { timeoutMs, maxTotalMs } = this.limits
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this[Symbol.dispose]()
      const failure = isLimit
        ? overdueFailure(this.method, maxTotalMs)
        : timeoutFailure(this.method, timeoutMs)
      this.onTimeout(failure)
    }, ms)
  }
}

/** Requests of one peer that wait for their responses, or may still get one after they were abandoned. */
export class PendingRequests {
  // Not a Map: V8 links its outgrown tables, and so keeps finished requests in its old generation.
  readonly #pending: Record<number, Pending> = {}
  readonly #abandoned = new Set<number>()
  #size = 0
  /** Ids count up, so every smaller one was sent. */
  #nextId = 1

  constructor(private readonly onFault: OnFault) {}

  get size(): number {
    return this.#size
  }

  get all(): readonly Pending[] {
    return Object.values(this.#pending)
  }

  allocateId(): number {
    this.#nextId += 1
    return this.#nextId - 1
  }

  add(pending: Pending): void {
    this.#size += 1
    this.#pending[pending.id] = pending
  }

  get(id: number): Pending | undefined {
    return this.#pending[id]
  }

  remove({ id, deadline, onAbort, options }: Pending): void {
    if (id in this.#pending) this.#size -= 1
    Reflect.deleteProperty(this.#pending, id)
    deadline?.[Symbol.dispose]()
    if (onAbort) options.signal?.removeEventListener('abort', onAbort)
  }

  abandon(pending: Pending): void {
    this.remove(pending)
    this.#abandoned.add(pending.id)
    const [oldest] = this.#abandoned
    if (oldest !== undefined && this.#abandoned.size > MAX_ABANDONED) this.#abandoned.delete(oldest)
  }

  /** Finds the request of a message's id, which some servers return as text. */
  find(id: unknown): Pending | undefined {
    const number = numberOf(id)
    return number === undefined ? undefined : this.#pending[number]
  }

  /**
   * Finds the request of a response without an id: the one on whose response it came (`of`). Otherwise an error belongs to the only waiting
   * request, and a result may be an answer to a notification.
   */
  findWithoutId({ id, error }: JsonObject, of: number | undefined): Pending | undefined {
    if (id !== undefined && id !== null) return undefined
    if (of !== undefined) return this.#pending[of]
    if (error === undefined || error === null) return undefined
    const pending = this.#withDeadline
    return pending.length === 1 ? pending[0] : undefined
  }

  /** Reports a response that no request waits for; returns the request that it may be meant for, unless it has an id of ours. */
  reportUnmatched({ id, error, result }: JsonObject, of: number | undefined): Pending | undefined {
    const number = numberOf(id)
    if (number !== undefined && this.#abandoned.delete(number))
      this.onFault('lateAnswers', `The response to request ${shown(id)} came after the deadline.`)
    else if (this.#wasSent(number))
      this.onFault('duplicateAnswers', `Request ${shown(id)} was answered twice.`)
    else {
      const text = isJsonObject(error) ? error.message : undefined
      const quote = typeof text === 'string' ? ` Server message: ${cutProse(text, MAX_WORDS)}` : ''
      this.onFault(
        'unknownAnswers',
        `A response to ${shown(id)}, which Patchbay never sent. Waiting: ${this.#pendingText('ID')}.${quote}`,
      )
      if (of !== undefined) return this.#pending[of]
      const [only, ...others] = this.#withDeadline.filter(({ options }) => !options.isPing)
      // An empty result may be a server's answer to a notification.
      const hasContent =
        isJsonObject(error) || (isJsonObject(result) && Object.keys(result).length > 0)
      return hasContent && others.length === 0 ? only : undefined
    }
    return undefined
  }

  /**
   * Finds the request of a progress notification. Servers return our token, which is the id, as text or misplaced. Without a token the only
   * waiting request is meant.
   */
  findProgress(params: JsonObject): Pending | undefined {
    const named = tokensIn(params)
    const found = named.map((token) => this.find(token)).find((one) => one !== undefined)
    if (found || named.length > 0) return found
    const pending = this.#withDeadline
    return pending.length === 1 ? pending[0] : undefined
  }

  /** Reports progress that no request waits for. */
  reportProgress(params: JsonObject): void {
    const [token] = tokensIn(params)
    const number = numberOf(token)
    if (this.#wasSent(number)) {
      this.onFault('lateAnswers', `Progress for request ${String(number)}, which has ended.`)
      return
    }
    this.onFault(
      'unknownAnswers',
      `Progress with the token ${shown(token)}, which Patchbay never sent. Waiting: ${this.#pendingText('token')}.`,
    )
  }

  #pendingText(name: string): string {
    const labels = this.#withDeadline.map(({ id, method }) => `${method} (${name} ${id})`)
    return labels.slice(0, MAX_NAMED).join(', ') || 'nothing'
  }

  /** Requests that end; those without a deadline are streams, which stay open. */
  get #withDeadline(): Pending[] {
    return this.all.filter(({ deadline }) => deadline !== undefined)
  }

  #wasSent(id: unknown): boolean {
    return typeof id === 'number' && id > 0 && id < this.#nextId
  }
}

/** Returns the tokens of a progress notification except null ones, ours first. */
function tokensIn(params: JsonObject): unknown[] {
  const meta = isJsonObject(params._meta) ? params._meta : {}
  const { progressToken, progress_token: spelled, token, requestId, id } = params
  return [progressToken, meta.progressToken, spelled, token, requestId, id].filter(
    (one) => one !== undefined && one !== null,
  )
}

/** Returns our request id that a response names: ids are numbers. */
function numberOf(id: unknown): number | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined
  return typeof id === 'string' && /^\d{1,15}(?:\.0+)?$/u.test(id) ? Number(id) : undefined
}

/** Returns an id or a method for a sentence. */
export function shown(id: unknown): string {
  const text = id === undefined ? 'no ID' : JSON.stringify(id)
  // Not cut: within a sentence the start of a secret couldn't be recognized.
  return text.length > MAX_SHOWN ? 'a long value' : text
}

/** Returns the failure of a request whose response has another ID. */
export function misnamedAnswer(
  { id, method }: Pending,
  { id: receivedId, error }: JsonObject,
): AppError {
  const message = isJsonObject(error) && typeof error.message === 'string' ? error.message : ''
  const quote = message === '' ? '' : ` Server message: ${cutProse(message, MAX_WORDS)}`
  const problem = `The server’s response to ${method} has ${receivedId === undefined ? '' : 'the ID '}${shown(receivedId)} instead of ${id}.`
  return invalidAnswer(problem + quote)
}
