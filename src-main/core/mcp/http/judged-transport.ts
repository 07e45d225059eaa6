import { AsyncLocalStorage } from 'node:async_hooks'

import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client'
import pLimit from 'p-limit'

import type { AppError } from '../../../../src-shared/domain/app-error'
import { readMessages } from '../json/read-message'
import { oversizedMessage, tooDeepMessage, type UnreadMessage } from '../json/unread-message'
import { type Fault, PendingRequests, refusal } from '../messages/pending-requests'
import { tellLine } from '../messages/tell-line'
import { withOwnMethod } from '../messages/unread-method'
import type { MessageTap } from '../peer/message-tap'
import { MessageTurns } from '../peer/message-turns'
import { Exchange } from './incoming/exchange'
import { Gate } from './incoming/gate'
import { type Incoming, READ } from './incoming/incoming'
import { cutError, noAnswerError } from './incoming/unanswered'

/** Answers to requests of the server that are on their way at a time; each has a connection of its own. */
const MOST_ANSWERS = 16
/** How long a server may take to take one, in ms. */
const ANSWER_MS = 10_000
/** Of those that wait; where more do, what was no proper request gets none. */
const MOST_WAITING_ANSWERS = 1_000

/** A transport of the SDK over HTTP. */
export type HttpTransport = Transport & {
  /** Gives the session back to a server that keeps one. */
  terminateSession?(): Promise<void>
}

export type JudgedTransportOptions = {
  /** Of one message or event. */
  readonly maxMessageBytes: number
  /** Something against the protocol (B3), with a sentence about this one case. */
  readonly onFault: (fault: Fault, detail: string) => void
  /** Takes note of every message. */
  readonly tap?: MessageTap | undefined
}

/**
 * Judges what comes over HTTP as what comes over pipes is judged (B2, B3): the bodies are read here, bounded and in
 * turns, and every request is answered or fails at once when its answer can no longer come. What it asked for is let go
 * of when it is over.
 */
export class JudgedTransport implements Transport {
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  /** Whether the answer to a request comes as the answer to its POST. */
  readonly hasPerRequestStream: boolean
  /** The SDK takes silence for an answer of the older era where a transport has these two. */
  readonly stderr = null
  readonly pid = null
  readonly #inner: HttpTransport
  readonly #options: JudgedTransportOptions
  readonly #pending: PendingRequests
  readonly #turns: MessageTurns
  readonly #sending = new AsyncLocalStorage<Exchange>()
  readonly #exchanges = new Map<string | number, Exchange>()
  readonly #answers = pLimit(MOST_ANSWERS)
  readonly #gate = new Gate()
  #isClosed = false

  constructor(inner: HttpTransport, options: JudgedTransportOptions) {
    this.#inner = inner
    this.#options = options
    this.hasPerRequestStream = inner.hasPerRequestStream === true
    this.#pending = new PendingRequests(options.onFault)
    this.#turns = new MessageTurns({
      deliver: (message) => this.#hand(message),
      onFull: (isFull) => this.#gate.set(!isFull),
    })
    inner.onmessage = (message) => {
      const isRead = 'method' in message ? message.method === READ : message.id === READ
      if (!isRead) this.#takeRead(message)
    }
    inner.onclose = () => this.#close()
    inner.onerror = (error) => this.onerror?.(error)
  }

  /** Who reads what comes of the message that is being sent. */
  get incoming(): Incoming {
    const exchange = this.#sending.getStore()
    return {
      signal: exchange?.signal,
      sent: (body) => this.#noteSent(body, exchange),
      isAsked: typeof exchange?.id === 'number',
      streams: () => {
        if (exchange) exchange.hasStream = true
      },
      read: (text) => this.#read(text, exchange),
      letGo: (message) =>
        this.#letGo(oversizedMessage(message, this.#options.maxMessageBytes), exchange),
      room: () => this.#gate.opening,
    }
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  setProtocolVersion(version: string): void {
    this.#pending.speaks(version)
    this.#inner.setProtocolVersion?.(version)
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** Gives the session back to a server that keeps one. */
  async terminateSession(): Promise<void> {
    await this.#inner.terminateSession?.()
  }

  send(sent: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const message = withOwnMethod(sent)
    if (isJSONRPCRequest(message)) return this.#ask(message, options)
    return 'method' in message ? this.#notify(message, options) : this.#answer(message, options)
  }

  async #ask(message: JSONRPCRequest, options: TransportSendOptions = {}): Promise<void> {
    const { id } = message
    const exchange = new Exchange(id, options.requestSignal)
    this.#exchanges.set(id, exchange)
    exchange.signal.addEventListener('abort', () => this.#forget(exchange), { once: true })
    this.#pending.sent(message)
    const onRequestStreamEnd = (): void => {
      options.onRequestStreamEnd?.()
      this.#fail(exchange, exchange.hasUnread ? noAnswerError() : cutError())
    }
    try {
      await this.#send(exchange, message, { ...options, onRequestStreamEnd })
    } catch (error) {
      this.#forget(exchange)
      throw error
    }
    if (this.hasPerRequestStream && !exchange.hasStream) this.#fail(exchange, noAnswerError())
  }

  /** The SDK tells a server of the older era that a request is given up, and nobody else. */
  #notify(message: JSONRPCNotification, options?: TransportSendOptions): Promise<void> {
    this.#pending.sent(message)
    if (message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: string | number }
      if (requestId !== undefined) this.#exchanges.get(requestId)?.end()
    }
    return this.#send(new Exchange(undefined, undefined), message, options)
  }

  async #answer(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#turns.answerSent()
    try {
      await this.#answers(() => {
        const exchange = new Exchange(undefined, AbortSignal.timeout(ANSWER_MS))
        return this.#send(exchange, message, options)
      })
    } finally {
      this.#turns.answerRead()
    }
  }

  #send(
    exchange: Exchange,
    message: JSONRPCMessage,
    options?: TransportSendOptions,
  ): Promise<void> {
    const { signal: requestSignal } = exchange
    exchange.unsent = message
    return this.#sending.run(exchange, () =>
      this.#inner.send(message, { ...options, requestSignal }),
    )
  }

  #read(text: Buffer, exchange: Exchange | undefined): boolean {
    const read = readMessages(text)
    if (read === undefined) {
      const deep = tooDeepMessage(text)
      if (deep) return this.#letGo(deep, exchange)
      if (exchange) exchange.hasUnread = true
      this.#options.onFault('malformedMessages', 'A text that is no message.')
      return false
    }
    this.#guard(() => tellLine(read, this.#options.onFault))
    this.#note(read, text)
    return this.#judge(read.messages)
  }

  /** Of what the SDK has read, such as the answer to a question with a text for an id, nothing but the message is left. */
  #takeRead(message: JSONRPCMessage): void {
    const read = { messages: [message], decorated: false, isBatch: false }
    this.#note(read, Buffer.from(JSON.stringify(message)))
    this.#judge(read.messages)
  }

  /** Who only takes note keeps nothing from who waits. */
  #note(read: Parameters<MessageTap['received']>[0], text: Buffer): void {
    this.#guard(() => this.#options.tap?.received(read, text))
  }

  #noteSent(body: string, exchange: Exchange | undefined): void {
    if (!exchange?.unsent) return
    this.#options.tap?.sent(exchange.unsent, body)
    exchange.unsent = undefined
  }

  /** Whether the answer to a request that waited was among them. */
  #judge(messages: readonly JSONRPCMessage[]): boolean {
    let isAnswered = false
    for (const message of messages)
      this.#guard(() => {
        isAnswered = this.#judgeOne(message) || isAnswered
      })
    return isAnswered
  }

  #judgeOne(message: JSONRPCMessage): boolean {
    const verdict = this.#pending.judge(message)
    if (verdict.kind === 'refuse') this.#sendBack(verdict.answer)
    if (verdict.kind !== 'deliver') return false
    this.#turns.add([verdict.message])
    return this.#endsOne(verdict.message)
  }

  /** Whether a message is the answer to a request, which then is over. */
  #endsOne(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false
    const exchange = this.#exchanges.get(message.id)
    if (exchange?.hasStream) exchange.endSoon()
    else this.#exchanges.delete(message.id)
    return true
  }

  #letGo(message: UnreadMessage, exchange: Exchange | undefined): boolean {
    const { fault, detail, failure, envelope, isCall } = message
    this.#options.onFault(fault, detail)
    if (envelope?.kind === 'request') {
      this.#sendBack(refusal(envelope.id, failure.message))
      return false
    }
    // An answer on the stream of a request is the one to it.
    const id = envelope?.id ?? (isCall ? undefined : exchange?.id)
    const failed = id === undefined ? undefined : this.#pending.fail(id, failure)
    if (!failed) return false
    this.#turns.add([failed])
    return this.#endsOne(failed)
  }

  /** Those with texts for ids are about the connection itself, and the SDK sees to their ends. */
  #fail(exchange: Exchange, failure: AppError): void {
    const { id } = exchange
    this.#forget(exchange, false)
    const failed = typeof id === 'number' ? this.#pending.fail(id, failure) : undefined
    if (failed) this.#turns.add([failed])
  }

  #forget(exchange: Exchange, isAbandoned = true): void {
    const { id } = exchange
    exchange.hasEnded()
    if (id !== undefined) this.#exchanges.delete(id)
    if (isAbandoned && typeof id === 'number') this.#pending.abandon(id)
  }

  #sendBack(answer: JSONRPCMessage): void {
    if (this.#answers.pendingCount >= MOST_WAITING_ANSWERS) return
    this.send(answer).catch((error: unknown) => this.#tell(error))
  }

  #hand(message: JSONRPCMessage): void {
    if (!this.#isClosed) this.#guard(() => this.onmessage?.(message))
  }

  /** Does what comes of one message. What that throws is told: thrown on, it would fail all that comes with it. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#tell(error)
    }
  }

  #tell(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)))
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const exchange of this.#exchanges.values()) exchange.end()
    this.#gate.set(true)
    this.onclose?.()
  }
}
