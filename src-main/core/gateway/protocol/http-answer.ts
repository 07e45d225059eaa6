import type { IncomingMessage, ServerResponse } from 'node:http'

import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { errorText, type RequestError } from '../calls/request-error'
import { type Change, type EventKind, eventOf, EventQueue, kindOfNotification } from './event-queue'

/** Results up to this size are written in one piece with their head and envelope, in characters. */
const SHORT = 32 * 1024
/** How often a stream shows that it is alive, in ms: proxies and apps end one that is silent. */
const KEEP_ALIVE_MS = 15_000
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** The forms of an answer that an agent accepts. */
export type Accepted = { readonly json: boolean; readonly events: boolean }

const BOTH: Accepted = { json: true, events: true }

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

  constructor(request: Pick<IncomingMessage, 'headers'>, response: ServerResponse) {
    this.#response = response
    this.accepted = acceptedForms(request.headers.accept)
  }

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
  result(id: string, written: string | Buffer): void {
    this.#answer(200, `{"jsonrpc":"2.0","id":${id},"result":`, wellFormedJson(written), '}')
  }

  /** Sends an error, and ends; a stream has no status anymore. */
  error(id: string, error: RequestError, status = 200): void {
    this.#answer(status, '', `{"jsonrpc":"2.0","id":${id},"error":${errorText(error)}}`, '')
  }

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
    const keepAlive = setInterval(() => {
      if (!this.#isClogged) response.write(': keepalive\n\n')
    }, KEEP_ALIVE_MS)
    keepAlive.unref()
    response.once('close', () => clearInterval(keepAlive))
  }

  /** Sends a notification; nothing where the agent accepts no stream, or has the answer. */
  notify(method: string, params?: JsonObject): void {
    this.stream()
    if (this.#isEnding) return
    const text = JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })
    this.#send(text, kindOfNotification(method, params ?? {}))
  }

  /** Sends a request to the agent; false where the agent accepts no stream, or left. */
  request(id: string, method: string, params: unknown): boolean {
    this.stream()
    if (!this.isStream || this.isGone || this.#isEnding) return false
    this.#send(JSON.stringify({ jsonrpc: '2.0', id, method, params }), { kind: 'request' })
    return true
  }

  /** Ends the stream after all that waits; an answer that did not begin has no message (MCP, cancellation). */
  end(): void {
    if (this.isGone) return
    if (this.isStream) {
      this.#isEnding = true
      this.#flush()
    } else this.#response.writeHead(200, { ...STREAM_HEADERS, ...this.#headers }).end()
  }

  /** Ends immediately, with the connection below. */
  cut(): void {
    this.#response.destroy()
  }

  #send(text: string, kind: EventKind): void {
    if (this.isGone || !this.#queue) return
    const event = eventOf(wellFormedJson(text).toString())
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

  /** Sends the one answer as JSON, or as the last event of a stream. */
  #answer(status: number, before: string, body: string | Buffer, after: string): void {
    const response = this.#response
    if (response.destroyed) return
    if (!this.accepted.json && status === 200) this.stream()
    if (this.isStream) {
      this.#send(before + body.toString() + after, { kind: 'answer' })
      this.end()
    } else if (body.length < SHORT) {
      const whole = before + body.toString() + after
      response.writeHead(status, this.#jsonHeaders(Buffer.byteLength(whole))).end(whole)
    } else {
      const length = Buffer.byteLength(before) + Buffer.byteLength(body) + after.length
      response.writeHead(status, this.#jsonHeaders(length))
      response.cork()
      if (before !== '') response.write(before)
      response.write(body)
      response.end(after)
      response.uncork()
    }
  }

  #jsonHeaders(length: number): Record<string, string | number> {
    return { 'content-type': 'application/json', 'content-length': length, ...this.#headers }
  }
}

const ESCAPE = /\\(?:u(d[89ab][0-9a-f]{2})(\\ud[c-f][0-9a-f]{2})?|u(d[c-f][0-9a-f]{2})|[^])/giu

/** JSON text with U+FFFD for each lone surrogate: many parsers reject a whole message for one. */
export function wellFormedJson(json: string | Buffer): string | Buffer {
  if (!json.includes('\\ud') && !json.includes('\\uD')) return json
  return json
    .toString()
    .replaceAll(ESCAPE, (escape, high?: string, low?: string, lone?: string) =>
      lone !== undefined || (high !== undefined && low === undefined) ? '\\ufffd' : escape,
    )
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
