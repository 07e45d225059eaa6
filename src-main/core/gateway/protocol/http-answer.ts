import type { IncomingMessage, ServerResponse } from 'node:http'

import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { errorText, type RequestError } from '../calls/request-error'
import { type Change, type EventKind, eventOf, EventQueue, kindOfNotification } from './event-queue'

/** Results up to this size are written in one piece with their head and envelope, in characters. */
const SHORT = 32 * 1024
/** How often a stream says that its connection lives, in ms: proxies and apps end one that is silent. */
const KEEP_ALIVE_MS = 15_000
const KEEP_ALIVE = ': keepalive\n\n'
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}
const ANSWER: EventKind = { kind: 'kept', isAnswer: true }
const REQUEST: EventKind = { kind: 'kept', isAnswer: false }

/** The forms of an answer that an agent accepts. */
export type Accepted = { readonly json: boolean; readonly events: boolean }

/**
 * The answer to one HTTP request (MCP, Streamable HTTP): one JSON message, or a stream of events that begins with the
 * first notification. Events that the reader cannot take yet wait in a bounded queue.
 */
export class HttpAnswer {
  readonly accepted: Accepted
  readonly #response: ServerResponse
  #headers: Readonly<Record<string, string>> = {}
  #queue: EventQueue | undefined
  #isClogged = false
  #isEnding = false
  #keepAlive: NodeJS.Timeout | undefined

  constructor(request: Pick<IncomingMessage, 'headers'>, response: ServerResponse) {
    this.#response = response
    this.accepted = acceptedForms(request.headers.accept)
  }

  /** Whether the agent closed the connection. */
  get isGone(): boolean {
    return this.#response.destroyed
  }

  get isStream(): boolean {
    return this.#queue !== undefined
  }

  /** Changes that the reader was not notified of. */
  get unsent(): readonly Change[] {
    return this.#queue ? [...this.#queue.changes()] : []
  }

  /** Calls once the connection is closed, be it after the whole answer. */
  onClose(run: () => void): void {
    if (this.#response.closed) run()
    else this.#response.once('close', run)
  }

  /** Adds a header to the head of the answer. */
  header(name: string, value: string): void {
    this.#headers = { ...this.#headers, [name]: value }
  }

  /** Sends a result that is JSON text, and ends. */
  result(id: string, result: string | Buffer): void {
    const head = `{"jsonrpc":"2.0","id":${id},"result":`
    if (this.isStream) this.#sendLast(`${head}${result.toString()}}`)
    else this.#json(200, head, result, '}')
  }

  /** Sends an error, and ends; a stream has no status any more. */
  error(id: string, error: RequestError, status = 200): void {
    const text = `{"jsonrpc":"2.0","id":${id},"error":${errorText(error)}}`
    if (this.isStream) this.#sendLast(text)
    else this.#json(status, '', text, '')
  }

  /** Ends without a message. */
  empty(status: number): void {
    if (!this.isGone) this.#response.writeHead(status, this.#headers).end()
  }

  /** Begins the stream, where the agent accepts one; its head is sent immediately. */
  stream(): void {
    const response = this.#response
    if (this.isStream || !this.accepted.events || response.headersSent || this.isGone) return
    this.#queue = new EventQueue()
    response.writeHead(200, { ...STREAM_HEADERS, ...this.#headers })
    response.flushHeaders()
    response.on('drain', () => this.#flush())
    this.#keepAlive = setInterval(() => {
      if (!this.#isClogged) response.write(KEEP_ALIVE)
    }, KEEP_ALIVE_MS)
    this.#keepAlive.unref()
    response.once('close', () => clearInterval(this.#keepAlive))
  }

  /** Sends a notification; nothing where the agent accepts no stream, or has the answer. */
  notify(method: string, params?: JsonObject): void {
    if (method === 'notifications/message' && params && this.#leavesOut(params)) return
    this.stream()
    if (!this.isStream || this.#isEnding) return
    const text = JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })
    this.#send(text, kindOfNotification(method, params ?? {}))
  }

  /** Sends a request to the agent; false where the agent accepts no stream, or left. */
  request(id: string, method: string, params: unknown): boolean {
    this.stream()
    if (!this.isStream || this.isGone || this.#isEnding) return false
    this.#send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), REQUEST)
    return true
  }

  /** Ends the stream after all that waits; an answer that did not begin has no message (MCP, cancellation). */
  end(): void {
    if (this.isGone) return
    if (!this.isStream) {
      this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#headers }).end()
      return
    }
    this.#isEnding = true
    this.#flush()
  }

  /** Ends immediately, with the connection below. */
  cut(): void {
    this.#response.destroy()
  }

  #leavesOut(params: JsonObject): boolean {
    if (this.#queue?.leavesOutLogs !== true) return false
    this.#queue.leaveOut(params)
    return true
  }

  #sendLast(text: string): void {
    this.#send(text, ANSWER)
    this.end()
  }

  #send(text: string, kind: EventKind): void {
    if (this.isGone || !this.#queue) return
    const event = eventOf(text)
    if (!this.#isClogged) this.#isClogged = !this.#response.write(event)
    else if (!this.#queue.push(event, kind)) this.cut()
  }

  #flush(): void {
    const queue = this.#queue
    if (!queue) return
    // Node emits `drain` only after a write that filled its buffer.
    this.#isClogged &&= this.#response.writableNeedDrain
    while (!this.#isClogged) {
      const next = queue.shift()
      if (!next) break
      this.#isClogged = !this.#response.write(next)
    }
    if (this.#isEnding && queue.isEmpty) this.#response.end()
  }

  /** Writes one JSON message. */
  #json(status: number, before: string, body: string | Buffer, after: string): void {
    const response = this.#response
    // The agent left; the work was done.
    if (response.destroyed) return
    if (!this.accepted.json && status === 200) {
      this.stream()
      this.#sendLast(before + body.toString() + after)
      return
    }
    if (body.length < SHORT) {
      const whole = before + body.toString() + after
      response.writeHead(status, this.#jsonHeaders(Buffer.byteLength(whole))).end(whole)
      return
    }
    const length = Buffer.byteLength(before) + Buffer.byteLength(body) + after.length
    response.writeHead(status, this.#jsonHeaders(length))
    response.cork()
    if (before !== '') response.write(before)
    response.write(body)
    response.end(after)
    response.uncork()
  }

  #jsonHeaders(length: number): Record<string, string | number> {
    return { 'content-type': 'application/json', 'content-length': length, ...this.#headers }
  }
}

/** What an agent accepts, however that is written (RFC 9110, 12.5.1): without the header it takes both forms. */
export function acceptedForms(accept: string | undefined): Accepted {
  // As the official SDKs write it.
  if (accept === undefined || accept === 'application/json, text/event-stream') return BOTH
  let [json, events] = [false, false]
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim())
    if (parameters.some((one) => /^q=0(?:\.0*)?$/u.test(one))) continue
    json ||= ['*/*', 'application/*', 'application/json', ''].includes(range)
    events ||= ['*/*', 'text/*', 'text/event-stream', ''].includes(range)
  }
  return { json, events }
}

const BOTH: Accepted = { json: true, events: true }
