import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { cutProse } from '../../failure/describe-failure'
import type { OversizedMessage } from '../../lines/message-framing'
import { isObject } from '../json/is-object'
import {
  type JsonObject,
  type ReadMessage,
  type ReadText,
  readText,
  writeMessage,
} from '../json/json-rpc'
import type { ResultText } from '../json/result-text'
import { readAnswer } from './answer'
import {
  type Connection,
  ConnectionClosedError,
  type MessageTap,
  type OnFault,
  type Receiver,
} from './connection'
import { type IncomingRequest, IncomingRequests, reportRepairs } from './incoming-requests'
import { MessageTurns } from './message-turns'
import {
  type PeerRequestOptions,
  type Pending,
  PendingRequests,
  type Progress,
} from './pending-requests'
import { RequestDeadline } from './request-deadline'
import { cancelledFailure, invalidAnswer, RefusedRequestError } from './request-failure'
import { oversizedMessage, type UnreadableMessage, unreadMessage } from './unreadable'

/** Elements of a batch that are no messages, counted of one batch: more say nothing more. */
const MAX_COUNTED = 1_000
const MAX_WORDS = 300
const INVALID_REQUEST = -32_600

export type PeerOptions = {
  readonly maxMessageBytes: number
  readonly onFault: OnFault
  readonly onWarning: (error: unknown) => void
  readonly onText?: ((words: string) => void) | undefined
  readonly tap?: MessageTap | undefined
  /** Answers a request; rejects with a `ResponseError` for one that is not answered. */
  readonly onRequest: (request: IncomingRequest) => Promise<JsonObject>
  readonly onNotification: (method: string, params: JsonObject) => void
  readonly onClosed: () => void
}

type Incoming = ReadMessage & {
  readonly of?: number | undefined
  /** Marks a place between messages. */
  readonly onReached?: () => void
}

/**
 * One side of JSON-RPC 2.0 with a server: sends requests and settles each with its answer, answers the server's own, and
 * reports what departs from the protocol.
 */
export class Peer implements Receiver {
  readonly #connection: Connection
  readonly #options: PeerOptions
  readonly #pending: PendingRequests
  readonly #incoming: IncomingRequests
  readonly #turns: MessageTurns<Incoming>
  readonly #isAwaited = (id: unknown): boolean => this.#pending.find(id) !== undefined
  /** What each request of the stateless protocol says of its client. */
  #envelope: JsonObject | undefined
  #isClosed = false

  constructor(connection: Connection, options: PeerOptions) {
    this.#connection = connection
    this.#options = options
    this.#pending = new PendingRequests(options.onFault)
    // An answer that can't be sent is lost with its connection, which reports that.
    this.#incoming = new IncomingRequests(options.onRequest, options.onFault, (message) =>
      this.#post(message, (error) => error !== undefined && this.warn(error)),
    )
    this.#turns = new MessageTurns(
      (one) => this.#guard(() => this.#deliver(one)),
      (isFull) => connection.setPaused(isFull),
    )
    connection.attach(this)
  }

  get waiting(): number {
    return this.#pending.size
  }

  get isStateless(): boolean {
    return this.#envelope !== undefined
  }

  open(): Promise<void> {
    return this.#connection.open()
  }

  /** From now on a version of the protocol is spoken; `envelope` goes with each request since 2026-07-28. */
  speak(version: string, envelope?: JsonObject): void {
    this.#envelope = envelope
    this.#incoming.isOpen = true
    this.#connection.setProtocolVersion?.(version)
  }

  /**
   * Sends a request and resolves to its result. Rejects with an `AppError` (REQUEST_TIMEOUT, REQUEST_CANCELLED, a
   * `RefusedRequestError`, INVALID_ANSWER, MESSAGE_TOO_LARGE), a `ConnectionClosedError`, or the connection's own error.
   */
  request(
    method: string,
    params: JsonObject,
    options: PeerRequestOptions = {},
  ): Promise<ResultText> {
    const { signal, timeoutMs, maxTotalMs = timeoutMs, headers, onDeadline } = options
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw cancelledFailure(method)
      if (this.#isClosed) throw new ConnectionClosedError()
      const id = this.#pending.takeId()
      const pending: Pending = { id, method, options, resolve, reject }
      if (timeoutMs !== undefined && maxTotalMs !== undefined) {
        const onOver = (failure: AppError): void => this.#giveUp(pending, failure)
        pending.deadline = new RequestDeadline(method, { timeoutMs, maxTotalMs }, onOver)
        onDeadline?.(pending.deadline)
      }
      if (signal) {
        pending.onAbort = () => this.#giveUp(pending, cancelledFailure(method))
        signal.addEventListener('abort', pending.onAbort, { once: true })
      }
      this.#pending.add(pending)
      options.onId?.(id)
      const message = { jsonrpc: '2.0', id, method, params: this.#paramsOf(params, id, options) }
      this.#post(message, (error) => error !== undefined && this.fail(id, error), headers)
    })
  }

  notify(method: string, params?: JsonObject): Promise<void> {
    return new Promise((resolve) =>
      this.#post({ jsonrpc: '2.0', method, ...(params && { params }) }, () => resolve()),
    )
  }

  read(text: Buffer, id?: number): boolean {
    const read = readText(text, this.#isAwaited)
    if ('why' in read) {
      const unread = unreadMessage(text, read)
      if (unread) this.#drop(unread, id)
      return unread !== undefined
    }
    this.#guard(() => this.#report(read))
    const { tap } = this.#options
    if (tap) this.#guard(() => tap.received(read, text))
    for (const one of read.messages) this.#turns.add({ ...one, of: id })
    return true
  }

  oversized(message: OversizedMessage, id?: number): void {
    this.#guard(() => this.#drop(oversizedMessage(message, this.#options.maxMessageBytes), id))
  }

  isPending(id: number): boolean {
    return this.#pending.get(id) !== undefined
  }

  fail(id: number, error: unknown): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    this.#pending.settle(pending)
    pending.reject(error)
  }

  stray(text: Buffer, way: string): void {
    const read = readText(text, this.#isAwaited)
    if ('why' in read) return
    for (const { message } of read.messages) {
      const pending = message.method === undefined ? this.#pending.find(message.id) : undefined
      if (!pending) continue
      const { error } = readAnswer(message, undefined, pending.method, false)
      const words = error ? ` Server message: ${cutProse(error.message, MAX_WORDS)}` : ''
      const problem = `The server wrote its response to ${pending.method} to ${way} instead of stdout.`
      this.#options.onFault('malformedAnswers', problem)
      this.fail(pending.id, invalidAnswer(problem + words))
    }
  }

  delivered(): Promise<void> {
    if (this.#turns.isEmpty) return Promise.resolve()
    return new Promise((resolve) => this.#turns.add({ message: {}, onReached: () => resolve() }))
  }

  report: OnFault = (fault, detail) => this.#guard(() => this.#options.onFault(fault, detail))

  warn(error: unknown): void {
    this.#options.onWarning(error)
  }

  closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#incoming[Symbol.dispose]()
    this.#options.onClosed()
    for (const { id } of this.#pending.all) this.fail(id, new ConnectionClosedError())
  }

  #paramsOf(params: JsonObject, id: number, { onProgress }: PeerRequestOptions): JsonObject {
    if (!this.#envelope && !onProgress) return params
    const meta = isObject(params._meta) ? params._meta : undefined
    const progress = onProgress && { progressToken: id }
    return { ...params, _meta: { ...meta, ...this.#envelope, ...progress } }
  }

  #post(
    message: JsonObject,
    onDone: (error?: unknown) => void,
    headers?: Readonly<Record<string, string>>,
  ): void {
    let text: string
    try {
      text = writeMessage(message)
    } catch (cause) {
      const hint = 'Send less data at a time.'
      const tooLarge = 'The request is too large to send.'
      onDone(new AppError('MESSAGE_TOO_LARGE', tooLarge, { cause, hint }))
      return
    }
    const isAnswer = message.method === undefined
    if (isAnswer) this.#turns.answerSent()
    this.#connection.post(message, text, {
      headers,
      onDone: (error) => {
        if (isAnswer) this.#turns.answerRead()
        onDone(error)
      },
    })
    // The server may be at work by now.
    this.#guard(() => this.#options.tap?.sent(message as JSONRPCMessage, text))
  }

  #giveUp(pending: Pending, failure: AppError): void {
    const { id, options } = pending
    this.#pending.abandon(pending)
    // A response stream of its own is closed instead (MCP 2026-07-28, cancellation).
    const isTold = !options.isHandshake && !(this.isStateless && this.#connection.hasRequestStreams)
    if (isTold)
      void this.notify('notifications/cancelled', { requestId: id, reason: failure.message })
    if (!options.isHandshake) this.#connection.abandon(id, failure.code === 'REQUEST_TIMEOUT')
    pending.reject(failure)
  }

  #report({ isDecorated, words, isBatch, malformed, hasLoneSurrogates }: ReadText): void {
    const { onFault, onText } = this.#options
    if (words !== '') onText?.(words)
    const others = words === '' ? 'something else' : 'other text'
    if (isDecorated) onFault('decoratedLines', `A line contains a message and ${others}.`)
    if (isBatch) onFault('batches', 'Several messages arrived in one array (a batch).')
    if (hasLoneSurrogates)
      onFault('repairs', 'A lone surrogate in a string was replaced with U+FFFD.')
    for (let count = Math.min(malformed, MAX_COUNTED); count > 0; count -= 1)
      onFault('malformedMessages', 'An array of messages contains an invalid element.')
  }

  /** `of`: an answer on the response to a request is the one to it. */
  #drop({ fault, detail, failure, id, isCall }: UnreadableMessage, of?: number): void {
    this.#options.onFault(fault, detail)
    if (isCall) {
      if (id !== undefined) this.#incoming.reject(id, INVALID_REQUEST, failure('').message)
      return
    }
    const pending = this.#pending.find(id ?? of)
    if (pending) this.fail(pending.id, failure(pending.method))
  }

  #deliver({ message, result, of, onReached }: Incoming): void {
    const { method } = message
    if (onReached) onReached()
    else if (typeof method === 'string') {
      const params = this.#incoming.take(method, message)
      if (params && method === 'notifications/progress') this.#deliverProgress(params)
      else if (params) this.#options.onNotification(method, params)
    } else if (
      method === undefined &&
      ('id' in message || 'result' in message || 'error' in message)
    )
      this.#deliverAnswer(message, result, of)
    else
      this.#options.onFault(
        'malformedMessages',
        'A message is not a request, a notification, or a response.',
      )
  }

  #deliverProgress({ progressToken, ...progress }: JsonObject): void {
    const pending = typeof progressToken === 'number' && this.#pending.get(progressToken)
    if (!pending) {
      this.#pending.reportProgress(progressToken)
      return
    }
    pending.deadline?.progress()
    if (isProgress(progress)) pending.options.onProgress?.(progress)
  }

  #deliverAnswer(message: JsonObject, bytes: Buffer | undefined, of: number | undefined): void {
    const pending = this.#pending.find(message.id) ?? this.#pending.findUnnamed(message, of)
    if (!pending) {
      this.#pending.reportAnswer(message)
      return
    }
    const { method, options } = pending
    const { onFault } = this.#options
    this.#pending.settle(pending)
    const read = readAnswer(message, bytes, method, this.isStateless)
    // A server with sessions can't know the probe.
    if (!options.isPing && method !== 'server/discover') {
      reportRepairs(onFault, method, read.repairs)
      const departure = read.problem ?? read.quirk
      if (departure !== undefined)
        onFault('malformedAnswers', `The response to ${method} ${departure}.`)
    }
    if (read.answer) pending.resolve(read.answer)
    else if (options.isPing) pending.resolve({ text: '{}', result: {} })
    else if (read.error) pending.reject(new RefusedRequestError(method, read.error))
    else pending.reject(invalidAnswer(`The server’s response to ${method} ${read.problem ?? ''}.`))
  }

  /** Does the work of one message. An error is reported: thrown on, it would reach the stream and end the app. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.warn(error)
    }
  }
}

function isProgress(value: JsonObject): value is Progress {
  const { progress, total, message } = value
  return (
    typeof progress === 'number' &&
    (total === undefined || typeof total === 'number') &&
    (message === undefined || typeof message === 'string')
  )
}
