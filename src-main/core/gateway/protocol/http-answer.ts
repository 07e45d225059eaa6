import type { IncomingMessage, ServerResponse } from 'node:http'

import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { wellFormed } from '../../mcp/json/json-rpc'
import type { Timekeeper } from '../../ports'
import { errorText, type RequestError } from '../calls/request-error'

/** Maximum size of results that are written in one piece with head and envelope, in characters. */
const SHORT = 32 * 1024
/** A response that takes longer begins as a stream, in ms: agents and proxies end a request without a head (F10). */
export const SLOW_MS = 5_000
/** Interval of keep-alive comments on a stream, in ms: proxies and apps close silent streams. */
const KEEP_ALIVE_MS = 15_000
/** Maximum bytes queued for a slow reader, except its response: log messages, and everything else. */
const MAX_BYTES = { log: 1024 * 1024, other: 64 * 1024 * 1024 } as const
const LOG = 'notifications/message'
/** Key of the message that replaces dropped log messages. */
const GAP = Symbol('gap')
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** A change notification (MCP, `list_changed` and `resources/updated`). */
export type Change = {
  readonly method: string
  readonly params?: JsonObject | undefined
}

/** The response formats that an agent accepts. */
export type Accepted = { readonly json: boolean; readonly events: boolean }

const BOTH: Accepted = { json: true, events: true }

/**
 * The response to one HTTP request (MCP, Streamable HTTP): one JSON message, or a stream of events that begins with the first notification.
 * Events wait for a slow reader in a bounded queue.
 */
export class HttpAnswer {
  readonly accepted: Accepted
  readonly #response: ServerResponse
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

  /** Changes that the reader hasn't received. */
  get unsent(): readonly Change[] {
    return this.#queue?.changes ?? []
  }

  /** Calls `run` once the connection is closed, even after the complete response. */
  onClose(run: () => void): void {
    if (this.#response.closed) run()
    else this.#response.once('close', run)
  }

  header(name: string, value: string): void {
    this.#response.setHeader(name, value)
  }

  /** Sends a result as JSON text, and ends. Bytes are a server's own; their lone surrogates were replaced on arrival. */
  result(id: string, written: string | Buffer): void {
    const body = typeof written === 'string' ? wellFormed(written) : written
    this.#answer(200, `{"jsonrpc":"2.0","id":${id},"result":`, body, '}')
  }

  /** Sends an error, and ends; a started stream ignores the status. */
  error(id: string, error: RequestError, status = 200): void {
    this.#answer(
      status,
      '',
      `{"jsonrpc":"2.0","id":${id},"error":${wellFormed(errorText(error))}}`,
      '',
    )
  }

  empty(status: number): void {
    if (!this.isGone) this.#response.writeHead(status).end()
  }

  /** Begins the stream if the agent accepts one; sends its head immediately. */
  stream(): void {
    const response = this.#response
    if (this.isStream || !this.accepted.events || response.headersSent || this.isGone) return
    this.#queue = new EventQueue()
    response.writeHead(200, STREAM_HEADERS)
    response.flushHeaders()
    response.on('drain', () => this.#flush())
    const keepAlive = setInterval(() => {
      if (!this.#isClogged) response.write(': keepalive\n\n')
    }, KEEP_ALIVE_MS)
    keepAlive.unref()
    response.once('close', () => clearInterval(keepAlive))
  }

  /** Begins the stream once the response is slow, unless it was sent earlier. */
  streamWhenSlow(time: Pick<Timekeeper, 'after'>): void {
    if (!this.accepted.events) return
    const timer = time.after(SLOW_MS, () => this.stream())
    this.onClose(() => timer[Symbol.dispose]())
  }

  /** Sends a notification; does nothing if the agent accepts no stream or has the response. */
  notify(method: string, params?: JsonObject): void {
    this.#write({ method, params })
  }

  /** Sends a request to the agent; returns false if the agent accepts no stream or left. */
  request(id: string, method: string, params: JsonObject): boolean {
    return this.#write({ id, method, params })
  }

  /** Ends the stream after all queued events; a response that hasn't begun has no message (MCP, cancellation). */
  end(): void {
    if (this.isGone) return
    if (this.isStream) {
      this.#isEnding = true
      this.#flush()
    } else this.#response.writeHead(200, STREAM_HEADERS).end()
  }

  /** Ends the stream now; drops events that its reader doesn't take, for example behind a half-open connection. */
  endNow(): void {
    if (this.#isClogged) this.cut()
    else this.end()
  }

  cut(): void {
    this.#response.destroy()
  }

  #write(message: Change & { readonly id?: string }): boolean {
    this.stream()
    if (!this.isStream || this.isGone || this.#isEnding) return false
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#send(wellFormed(text), message.method, message.params)
    return true
  }

  #send(text: string, method?: string, params?: JsonObject): void {
    if (this.isGone || !this.#queue) return
    const event = eventOf(text)
    if (!this.#isClogged) this.#isClogged = !this.#response.write(event)
    else if (!this.#queue.push(event, method, params)) this.cut()
  }

  #flush(): void {
    const queue = this.#queue
    if (!queue) return
    // Node emits `drain` only after a write that filled its buffer.
    this.#isClogged &&= this.#response.writableNeedDrain
    while (!this.#isClogged && !queue.isEmpty)
      this.#isClogged = !this.#response.write(queue.shift())
    if (this.#isEnding && queue.isEmpty) this.#response.end()
  }

  /** Sends the only response as JSON, or as the last event of a stream. */
  #answer(status: number, before: string, body: string | Buffer, after: string): void {
    const response = this.#response
    if (response.destroyed) return
    if (!this.accepted.json && status === 200) this.stream()
    if (this.isStream) {
      this.#send(before + body.toString() + after)
      this.end()
    } else if (body.length < SHORT) {
      const text = before + body.toString() + after
      response.writeHead(status, jsonHeaders(Buffer.byteLength(text))).end(text)
    } else {
      const length = Buffer.byteLength(before) + Buffer.byteLength(body) + after.length
      response.writeHead(status, jsonHeaders(length))
      response.cork()
      if (before !== '') response.write(before)
      response.write(body)
      response.end(after)
      response.uncork()
    }
  }
}

function jsonHeaders(length: number): Record<string, string | number> {
  return { 'content-type': 'application/json', 'content-length': length }
}

type QueuedEvent = {
  readonly event: Buffer
  readonly of: 'answer' | 'log' | 'other'
  readonly change?: Change | undefined
}

/**
 * Events of one stream that wait for a slow reader: all responses and requests in order, and the newest progress and changes. Of logs a
 * bounded part is kept, with a count of the rest.
 */
export class EventQueue {
  readonly #queued = new Map<unknown, QueuedEvent>()
  readonly #bytes = { answer: 0, log: 0, other: 0 }
  #dropped = 0

  get isEmpty(): boolean {
    return this.#queued.size === 0
  }

  get changes(): Change[] {
    return [...this.#queued.values()].flatMap(({ change }) => change ?? [])
  }

  /** Queues the event of a message; a response has no method. Returns false if too much is queued. */
  push(event: Buffer, method?: string, params: JsonObject = {}): boolean {
    if (method === LOG) this.#log(event, params)
    else if (method === 'notifications/progress')
      this.#add(`${method} ${JSON.stringify(params.progressToken)}`, { event, of: 'other' })
    else if (method?.startsWith('notifications/')) {
      const change = { method, params }
      this.#add(changeKey(change), { event, of: 'other', change })
    } else this.#add(Symbol(method), { event, of: method === undefined ? 'answer' : 'other' })
    // Responses don't count: there is one, as long as its server made it.
    return this.#bytes.other <= MAX_BYTES.other
  }

  shift(): Buffer | undefined {
    const [key] = this.#queued.keys()
    if (key === GAP) this.#dropped = 0
    return this.#remove(key)?.event
  }

  /** One message replaces all dropped ones, with the level and logger of the last. */
  #log(event: Buffer, { level, logger }: JsonObject): void {
    if (this.#dropped === 0 && this.#bytes.log + event.length <= MAX_BYTES.log) {
      this.#add(Symbol(LOG), { event, of: 'log' })
      return
    }
    this.#dropped += 1
    const data = `${this.#dropped} messages were dropped because they arrived faster than they were read.`
    const message = { jsonrpc: '2.0', method: LOG, params: { level, logger, data } }
    this.#add(GAP, { event: eventOf(JSON.stringify(message)), of: 'log' })
  }

  #add(key: unknown, queued: QueuedEvent): void {
    this.#remove(key)
    this.#queued.set(key, queued)
    this.#bytes[queued.of] += queued.event.length
  }

  #remove(key: unknown): QueuedEvent | undefined {
    const removed = this.#queued.get(key)
    this.#queued.delete(key)
    if (removed) this.#bytes[removed.of] -= removed.event.length
    return removed
  }
}

/** Returns a key that is equal for equivalent changes. */
export function changeKey({ method, params }: Change): string {
  return `${method} ${String(params?.uri ?? params?.elicitationId)}`
}

/** Returns a message as one event (WHATWG HTML, server-sent events); line breaks between JSON tokens would end the event. */
export function eventOf(json: string): Buffer {
  return Buffer.from(`event: message\ndata: ${json.replaceAll(/[\r\n]+/gu, ' ')}\n\n`)
}

/** Parses an Accept header in any spelling (RFC 9110, 12.5.1); without one the agent accepts both formats. */
export function acceptedForms(accept: string | undefined): Accepted {
  // Spelling of the official SDKs.
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
