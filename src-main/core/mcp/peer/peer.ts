import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type JSONRPCMessage,
  METHOD_NOT_FOUND,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { cutProse } from '../../failure/describe-failure'
import type { OversizedMessage } from '../../lines/message-framing'
import { type ReadMessage, readText, writeMessage } from '../json/json-rpc'
import type { ResultText } from '../json/result-text'
import { normalizeParams } from '../json/schemas'
import { oversizedMessage, readAnswer, type UnreadableMessage, unreadMessage } from './answer'
import {
  type Connection,
  ConnectionClosedError,
  type OnFault,
  type PostOptions,
  type Receiver,
} from './connection'
import { type PeerHandlers, type PeerOptions, reportText } from './peer-options'
import {
  type Id,
  isId,
  isProgress,
  misnamedAnswer,
  type PeerRequestOptions,
  type Pending,
  PendingRequests,
  RequestDeadline,
  shown,
} from './pending-requests'
import {
  cancelledFailure,
  cutFailure,
  invalidAnswer,
  RejectedRequestError,
  ResponseError,
} from './request-failure'

/** Maximum requests and notifications of a server per turn of the event loop; beyond that it is paused until the next. */
const MAX_CALLS_A_TURN = 100
/** A server that doesn't read the responses to its requests is paused, and resumed once it has read half of these. */
const MAX_UNREAD_ANSWERS = 1_000
/** Maximum length of a server's words and names, in characters. */
const MAX_WORDS = 300
const MAX_METHOD = 100
/** A request canceled after this time may have been lost, in ms. */
const LOST_MS = 20_000
/** Time for the valid response to follow an invalid look-alike, in ms: some servers print it first. */
const MALFORMED_GRACE_MS = 500

/** One side of JSON-RPC 2.0 with a server; reports protocol violations. */
export class Peer implements Receiver {
  readonly #pending: PendingRequests
  readonly #isPendingId = (id: unknown): boolean => this.#pending.find(id) !== undefined
  /** The server's own requests, by id. */
  readonly #incoming = new Map<unknown, AbortController>()
  /** The client's description in each request of the stateless protocol. */
  #envelope: JsonObject | undefined
  /** Before the handshake a server may only ping (MCP, lifecycle). */
  #isOpen = false
  #isClosed = false
  #calls = 0
  #unreadResponses = 0
  #isPaused = false

  constructor(
    private readonly connection: Connection,
    private readonly handlers: PeerHandlers,
    private readonly options: PeerOptions,
  ) {
    this.#pending = new PendingRequests(options.onFault)
    connection.attach(this)
  }

  get pendingCount(): number {
    return this.#pending.size
  }

  get isStateless(): boolean {
    return this.#envelope !== undefined
  }

  open(): Promise<void> {
    return this.connection.open()
  }

  /** Sets the protocol version; `envelope` is added to each request since 2026-07-28. */
  speak(version: string, envelope?: JsonObject): void {
    this.#envelope = envelope
    this.#isOpen = true
    this.connection.setProtocolVersion?.(version)
  }

  /**
   * Sends a request and resolves to its result. Rejects with an `AppError` (REQUEST_TIMEOUT, REQUEST_CANCELLED, a `RejectedRequestError`,
   * INVALID_ANSWER, MESSAGE_TOO_LARGE), a `ConnectionClosedError`, or the connection's own error.
   */
  request(
    method: string,
    params: JsonObject,
    options: PeerRequestOptions = {},
  ): Promise<ResultText> {
    const { signal, timeoutMs, maxTotalMs = timeoutMs, headers, onDeadline } = options
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw cancelledFailure(method, signal.reason)
      if (this.#isClosed) throw new ConnectionClosedError()
      const id = this.#pending.allocateId()
      const sentAt = performance.now()
      const pending: Pending = { id, method, options, resolve, reject, sentAt }
      if (timeoutMs !== undefined && maxTotalMs !== undefined) {
        const onTimeout = (failure: AppError): void => this.#abandon(pending, failure)
        pending.deadline = new RequestDeadline(method, { timeoutMs, maxTotalMs }, onTimeout)
        onDeadline?.(pending.deadline)
      }
      if (signal) {
        pending.onAbort = () =>
          this.#abandon(pending, cancelledFailure(method, signal.reason, true))
        signal.addEventListener('abort', pending.onAbort, { once: true })
      }
      this.#pending.add(pending)
      options.onId?.(id)
      const message = { jsonrpc: '2.0', id, method, params: this.#paramsOf(params, id, options) }
      const onDone = (error: unknown): void => {
        if (error !== undefined) this.fail(id, error)
      }
      this.#post(message, { headers, onDone })
    })
  }

  notify(method: string, params?: JsonObject): Promise<void> {
    const message = { jsonrpc: '2.0', method, ...(params && { params }) }
    return new Promise((resolve) => this.#post(message, { onDone: () => resolve() }))
  }

  read(text: Buffer, id?: number): boolean {
    const read = readText(text, this.#isPendingId)
    if ('why' in read) {
      const unread = unreadMessage(text, read)
      if (unread) this.#drop(unread, id)
      return unread !== undefined
    }
    this.#guard(() => reportText(read, this.options))
    const { tap } = this.options
    if (tap) this.#guard(() => tap.received(read, text))
    for (const one of read.messages) this.#guard(() => this.#deliver(one, id))
    return true
  }

  oversized(message: OversizedMessage, id?: number): void {
    this.#guard(() => this.#drop(oversizedMessage(message, this.options.maxMessageBytes), id))
  }

  isPending(id: number): boolean {
    return this.#pending.get(id) !== undefined
  }

  fail(id: number, error: unknown): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    this.#pending.remove(pending)
    pending.reject(error)
  }

  cut(id: number, host: string, cause?: unknown): void {
    const pending = this.#pending.get(id)
    // Handshakes and health checks interpret the error themselves.
    if (!pending || pending.options.isHandshake || pending.options.isPing) return
    const failure = cutFailure(pending.method, host, cause)
    this.#pending.remove(pending)
    this.#cancel(pending, failure.message)
    this.warn(failure)
    pending.reject(failure)
  }

  stray(text: Buffer, channel: string): void {
    const read = readText(text, this.#isPendingId)
    if ('why' in read) return
    for (const { message } of read.messages) {
      const pending = message.method === undefined ? this.#pending.find(message.id) : undefined
      if (!pending) continue
      const { error } = readAnswer(message, undefined, pending.method, false)
      const citation = error ? ` Server message: ${cutProse(error.message, MAX_WORDS)}` : ''
      const problem = `The server wrote its response to ${pending.method} to ${channel} instead of stdout.`
      this.options.onFault('malformedAnswers', problem)
      this.fail(pending.id, invalidAnswer(problem + citation))
    }
  }

  report: OnFault = (fault, detail) => this.#guard(() => this.options.onFault(fault, detail))

  warn(error: unknown): void {
    this.options.onWarning(error)
  }

  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const controller of this.#incoming.values()) controller.abort()
    this.handlers.onClosed()
    for (const { id } of this.#pending.all) this.fail(id, new ConnectionClosedError())
  }

  #paramsOf(params: JsonObject, id: number, { onProgress }: PeerRequestOptions): JsonObject {
    if (!this.#envelope && !onProgress) return params
    const meta = isJsonObject(params._meta) ? params._meta : undefined
    const progress = onProgress && { progressToken: id }
    return { ...params, _meta: { ...meta, ...this.#envelope, ...progress } }
  }

  #post(message: JsonObject, options: PostOptions): void {
    let text: string
    try {
      text = writeMessage(message)
    } catch (cause) {
      const hint = 'Send less data at a time.'
      const tooLarge = 'The request is too large to send.'
      options.onDone(new AppError('MESSAGE_TOO_LARGE', tooLarge, { cause, hint }))
      return
    }
    this.connection.post(message, text, options)
    this.#guard(() => this.options.tap?.sent(message as JSONRPCMessage, text))
  }

  /** Sends a response; a failure to send is reported by the connection's end. */
  #respond(answer: JsonObject): void {
    this.#unreadResponses += 1
    const onDone = (error: unknown): void => {
      this.#unreadResponses -= 1
      this.#pause()
      if (error !== undefined) this.warn(error)
    }
    this.#post({ jsonrpc: '2.0', ...answer }, { onDone })
  }

  #reject(id: Id, code: number, message: string): void {
    this.#respond({ id, error: { code, message } })
  }

  #abandon(pending: Pending, failure: AppError): void {
    const { id, options } = pending
    this.#pending.abandon(pending)
    this.#cancel(pending, failure.message)
    // A caller that waited this long gives up for the same reason as a deadline.
    const isLost = performance.now() - pending.sentAt > LOST_MS
    if (!options.isHandshake)
      this.connection.abandon(id, isLost || failure.code === 'REQUEST_TIMEOUT')
    pending.reject(failure)
  }

  /** Notifies the server that nobody waits for a request anymore. */
  #cancel({ id, options }: Pending, reason: string): void {
    // With its own response stream, closing that cancels the request (MCP 2026-07-28, cancellation).
    const isCanceledByClose = this.isStateless && this.connection.hasRequestStreams
    if (!options.isHandshake && !isCanceledByClose)
      void this.notify('notifications/cancelled', { requestId: id, reason })
  }

  #reportRepairs(method: string, repairs: readonly string[]): void {
    for (const repair of repairs)
      this.options.onFault('repairs', `Repaired in ${cutProse(method, MAX_METHOD)}: ${repair}.`)
  }

  /** `of`: the request on whose response the message came; a response there answers it. */
  #drop(unread: UnreadableMessage, of?: number): void {
    const { fault, detail, failure, id, isCall, isPrinted } = unread
    this.options.onFault(fault, detail)
    const pending = isCall ? undefined : this.#pending.find(id ?? of)
    if (pending && isPrinted) this.#scheduleFailure(pending, failure(pending.method))
    else if (pending) this.fail(pending.id, failure(pending.method))
    else if (isCall && id !== undefined) this.#reject(id, INVALID_REQUEST, failure('').message)
  }

  #scheduleFailure({ id }: Pending, failure: AppError): void {
    setTimeout(() => this.fail(id, failure), MALFORMED_GRACE_MS).unref()
  }

  #deliver({ message, result, exact }: ReadMessage, of: number | undefined): void {
    const { method } = message
    if (typeof method === 'string') this.#handleCall(method, exact ?? message)
    else if (method === undefined && ('id' in message || 'result' in message || 'error' in message))
      this.#handleResponse({ message, result, exact }, of)
    else
      this.options.onFault(
        'malformedMessages',
        'A message is not a request, a notification, or a response.',
      )
  }

  #handleCall(method: string, message: JsonObject): void {
    if (this.#calls === 0)
      setImmediate(() => {
        this.#calls = 0
        this.#pause()
      })
    this.#calls += 1
    this.#pause()
    const { params, repairs } = normalizeParams(method, message.params)
    this.#reportRepairs(method, repairs)
    const isRequest = 'id' in message
    const id = isId(message.id) ? message.id : undefined
    if (!params || (isRequest && id === undefined)) {
      const kind = isRequest ? 'request' : 'notification'
      this.options.onFault('malformedMessages', `Invalid ${kind} (${shown(method)}).`)
      // A request with an id is always answered, so that no server waits.
      if (id !== undefined) this.#reject(id, INVALID_REQUEST, 'Invalid request')
    } else if (id === undefined) this.#handleNotification(method, params)
    else if (method === 'ping') this.#respond({ id, result: {} })
    else if (this.#isOpen) void this.#handleRequest(id, method, params)
    else this.#reject(id, METHOD_NOT_FOUND, `${method} is not available before initialize`)
  }

  #handleNotification(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      this.#handleProgress(params)
      return
    }
    const controller = method === 'notifications/cancelled' && this.#incoming.get(params.requestId)
    if (controller) controller.abort()
    else this.handlers.onNotification(method, params)
  }

  async #handleRequest(id: Id, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    this.#incoming.set(id, controller)
    try {
      const result = await this.handlers.onRequest({ method, params, signal })
      if (!signal.aborted) this.#respond({ id, result })
    } catch (error) {
      const { code } = error instanceof ResponseError ? error : { code: INTERNAL_ERROR }
      const message = error instanceof Error ? error.message : String(error)
      if (!signal.aborted) this.#reject(id, code, message)
    } finally {
      if (this.#incoming.get(id) === controller) this.#incoming.delete(id)
    }
  }

  /** Our progress tokens are the ids of our requests. */
  #handleProgress(params: JsonObject): void {
    const { progressToken: token, ...progress } = params
    const pending = this.#pending.findProgress(params)
    if (!pending) {
      this.#pending.reportProgress(params)
      return
    }
    if (pending.id !== token)
      this.#reportRepairs('notifications/progress', ['progressToken is not the one of the request'])
    pending.deadline?.progress()
    if (isProgress(progress)) pending.options.onProgress?.(progress)
  }

  #handleResponse({ message, result: bytes, exact }: ReadMessage, of: number | undefined): void {
    const pending = this.#pending.find(message.id) ?? this.#pending.findWithoutId(message, of)
    if (!pending) {
      const intended = this.#pending.reportUnmatched(message, of)
      if (intended) this.#scheduleFailure(intended, misnamedAnswer(intended, message))
      return
    }
    const { method, options } = pending
    this.#pending.remove(pending)
    const read = readAnswer(message, bytes, method, this.isStateless, exact)
    // A server with sessions can't know the probe.
    if (!options.isPing && method !== 'server/discover') {
      this.#reportRepairs(method, read.repairs)
      const departure = read.problem ?? read.quirk
      if (departure !== undefined)
        this.options.onFault('malformedAnswers', `The response to ${method} ${departure}.`)
    }
    if (read.answer) pending.resolve(read.answer)
    else if (options.isPing) pending.resolve({ text: '{}', result: {} })
    else if (read.error) pending.reject(new RejectedRequestError(method, read.error))
    else pending.reject(invalidAnswer(`The server’s response to ${method} ${read.problem ?? ''}.`))
  }

  /** Pauses or resumes reading, so that a flooding server doesn't block the event loop. */
  #pause(): void {
    const maxUnread = this.#isPaused ? MAX_UNREAD_ANSWERS / 2 : MAX_UNREAD_ANSWERS
    const isPaused = this.#calls >= MAX_CALLS_A_TURN || this.#unreadResponses > maxUnread
    if (isPaused === this.#isPaused) return
    this.#isPaused = isPaused
    this.connection.setPaused(isPaused)
  }

  /** Processes one message. Reports errors, because a thrown one would reach the stream and end the app. */
  #guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.warn(error)
    }
  }
}
