import { setTimeout as delay } from 'node:timers/promises'

import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/client'

import type { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { HttpStatusError, NotMcpError } from '../../failure/remote-failure'
import { STATELESS_VERSION } from '../peer/connection'
import { invalidAnswer } from '../peer/request-failure'
import type { ServerEvent } from './event-reader'
import {
  HttpConnection,
  type HttpConnectionOptions,
  type RemoteSpec,
  type StringHeaders,
} from './http-connection'
import { headerText } from './parameter-headers'
import { isEventStream } from './remote-fetch'
import { SseConnection } from './sse'

/** Time limit of a message without its own deadline, in ms. */
const NOTIFICATION_MS = 60_000
/** Time for which a request's stream may stay open after its response, in ms. */
const LINGER_MS = 1_000
/** Delays before a stream is reopened, in ms. They grow while streams keep ending, whatever the server requests. */
const FIRST_WAIT_MS = 100
const MAX_GROWN_MS = 10_000
const MAX_WAIT_MS = 30_000
const CALM_MS = 10_000
const MAX_FAILURES = 3
const ACCEPTED = 202
/** Content types that some servers use for JSON. */
const MAY_BE_JSON = /json|^text\/plain\b/iu
const BAD_REQUEST = 400
const METHOD_NOT_ALLOWED = 405
/** The parameter that a header repeats, by method (MCP 2026-07-28, standard request headers; tasks extension). */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** A request and its response; aborting it releases the connection. */
type Exchange = {
  readonly id: number
  readonly controller: AbortController
  readonly signal: AbortSignal
  hasUnread: boolean
  linger?: NodeJS.Timeout
}

/** MCP's Streamable HTTP, since 2025-03-26: each message is a POST; its response is JSON or an event stream. */
class StreamableHttpConnection extends HttpConnection {
  readonly hasRequestStreams = true
  readonly #exchanges = new Map<number, Exchange>()
  #sessionId: string | undefined
  /** Aborting reopens the stream of the server's own messages. */
  #serverStream = new AbortController()
  #endsInARow = 0
  #lastOpenAt = Number.NEGATIVE_INFINITY

  abandon(id: number): void {
    this.#exchanges.get(id)?.controller.abort()
  }

  renewStreams(): void {
    this.#serverStream.abort()
  }

  async open(): Promise<void> {
    // Each message is a separate request.
  }

  protected async deliver(message: JsonObject, text: string, extra: StringHeaders): Promise<void> {
    const { id, method } = message
    if (method !== undefined && typeof id === 'number') {
      await this.#request(id, message, text, extra)
      return
    }
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(NOTIFICATION_MS)])
    const response = await this.#post(message, text, signal)
    await response.body?.cancel()
    if (method === 'notifications/initialized') void this.#follow()
  }

  protected async endSession(): Promise<void> {
    if (this.#sessionId === undefined) return
    const response = await this.send('DELETE', this.#headers())
    await response.body?.cancel()
  }

  async #request(
    id: number,
    message: JsonObject,
    text: string,
    extra: StringHeaders,
  ): Promise<void> {
    const controller = new AbortController()
    const signal = AbortSignal.any([this.over.signal, controller.signal])
    const exchange: Exchange = { id, controller, signal, hasUnread: false }
    this.#exchanges.set(id, exchange)
    try {
      const response = await this.#post(message, text, signal, extra)
      if (message.method === 'initialize')
        this.#sessionId = response.headers.get('mcp-session-id') ?? undefined
      if (isEventStream(response)) await this.#readStream(response, exchange)
      else await this.#readBody(response, id, message.method === 'server/discover')
    } catch (error) {
      if (!signal.aborted && !this.#readRefusal(id, message, error)) throw error
    } finally {
      clearTimeout(exchange.linger)
      this.#exchanges.delete(id)
    }
  }

  #post(
    message: JsonObject,
    body: string,
    signal?: AbortSignal,
    extra?: StringHeaders,
  ): Promise<Response> {
    const isHandshake = message.method === 'initialize'
    const headers = {
      ...extra,
      ...this.#headers(isHandshake),
      ...headersOf(message),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const hasSession = !isHandshake && this.#sessionId !== undefined
    return this.send('POST', headers, { body, hasSession, ...(signal && { signal }) })
  }

  #get(lastEventId?: string, signal = this.#serverStreamSignal()): Promise<Response> {
    const resumed = lastEventId !== undefined && { 'last-event-id': lastEventId }
    return this.send(
      'GET',
      { ...this.#headers(), accept: 'text/event-stream', ...resumed },
      { signal },
    )
  }

  #serverStreamSignal(): AbortSignal {
    this.#serverStream = new AbortController()
    return AbortSignal.any([this.over.signal, this.#serverStream.signal])
  }

  #headers(isHandshake = false): Record<string, string> {
    return {
      ...(this.#sessionId !== undefined && !isHandshake && { 'mcp-session-id': this.#sessionId }),
      ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
    }
  }

  async #readBody(response: Response, id: number, isProbe: boolean): Promise<void> {
    const type = response.headers.get('content-type')
    const isJson = /^application\/json\s*(?:;|$)/iu.test(type ?? '')
    const isEmpty = response.status === ACCEPTED && !isJson
    if (isEmpty || !MAY_BE_JSON.test(type ?? 'json')) {
      await response.body?.cancel()
      if (!isEmpty) throw new NotMcpError(type)
    } else {
      const isMessage = this.receiver.read(Buffer.from(await response.arrayBuffer()), id)
      if (isMessage && !isJson)
        this.receiver.report('repairs', `Repaired: content-type is ${type ?? 'missing'}.`)
      else if (!isMessage && !isJson) throw new NotMcpError(type)
      else if (!isMessage && !isProbe)
        this.receiver.report('malformedMessages', 'A response is not a JSON-RPC message.')
    }
    this.receiver.fail(id, noAnswerError())
  }

  /** A stateless server rejects a request with both a status and an error (MCP 2026-07-28). */
  #readRefusal(id: number, message: JsonObject, error: unknown): boolean {
    if (!(error instanceof HttpStatusError) || error.status !== BAD_REQUEST) return false
    if (envelopeVersion(message) === undefined || !/^\s*\{/u.test(error.text)) return false
    return this.receiver.read(Buffer.from(error.text), id) && !this.receiver.isPending(id)
  }

  /** Reads the stream of the server's own messages; a server without one answers 405. */
  async #follow(): Promise<void> {
    try {
      await this.#readStream(await this.#get())
    } catch (error) {
      const isNone = error instanceof HttpStatusError && error.status === METHOD_NOT_ALLOWED
      if (!isNone && !this.over.signal.aborted) this.receiver.warn(error)
    }
  }

  /** Reads a stream, and resumes it (`Last-Event-ID`) until the response came or nobody waits for it. */
  async #readStream(first: Response, exchange?: Exchange): Promise<void> {
    const exchangeSignal = exchange?.signal
    const signal = exchangeSignal ?? this.over.signal
    const isFinished = (): boolean =>
      signal.aborted || (exchange !== undefined && !this.receiver.isPending(exchange.id))
    // Since 2026-07-28 streams can't be resumed.
    const isStateless = this.version !== undefined && this.version >= STATELESS_VERSION
    const position: ServerEvent = {}
    let response: Response | undefined = first
    for (let failures = 0; failures < maxFailures(exchange); failures += 1) {
      if (response) {
        await this.#readEvents(response, position, exchange)
        failures = 0
      }
      const { id, retry = '0' } = position
      if (isFinished() || (exchange && (id === undefined || isStateless))) break
      await delay(this.#reconnectDelayMs(Number(retry)), undefined, { signal, ref: false }).catch(
        () => undefined,
      ) // Aborted: the request has ended.
      if (isFinished()) break
      response = await this.#get(id, exchangeSignal).catch((error: unknown) => {
        if (error instanceof HttpStatusError) failures = Infinity
        return undefined
      })
    }
    if (!exchange || signal.aborted) return
    if (exchange.hasUnread) this.receiver.fail(exchange.id, noAnswerError())
    else this.receiver.cut(exchange.id, this.url.host)
  }

  /** Reads a stream to its end; `position` is where it can be resumed. */
  async #readEvents(
    response: Response,
    position: ServerEvent,
    exchange: Exchange | undefined,
  ): Promise<void> {
    try {
      for await (const event of this.events(response)) {
        if (event.id) position.id = event.id
        if (event.retry && /^\d+$/u.test(event.retry)) position.retry = event.retry
        const isMessage = this.acceptEvent(event, exchange?.id)
        if (!exchange) continue
        exchange.hasUnread ||= !isMessage
        if (!this.receiver.isPending(exchange.id))
          exchange.linger ??= setTimeout(() => exchange.controller.abort(), LINGER_MS).unref()
      }
    } catch (error) {
      // Cut or aborted: the caller handles both.
      await this.afterCut(error)
    }
  }

  #reconnectDelayMs(wantedMs: number): number {
    const now = performance.now()
    this.#endsInARow = now - this.#lastOpenAt > CALM_MS ? 0 : this.#endsInARow + 1
    const grownMs = Math.min(FIRST_WAIT_MS * 2 ** this.#endsInARow, MAX_GROWN_MS)
    const waitMs = Math.min(Math.max(wantedMs, grownMs), MAX_WAIT_MS)
    this.#lastOpenAt = now + waitMs
    return waitMs
  }
}

/** The server's own stream is reopened for the whole session, because the network may return. */
function maxFailures(exchange: Exchange | undefined): number {
  return exchange ? MAX_FAILURES : Infinity
}

function envelopeVersion({ params }: JsonObject): string | undefined {
  const meta = isJsonObject(params) ? params._meta : undefined
  const version = isJsonObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined
  return typeof version === 'string' ? version : undefined
}

/** Returns the headers that repeat members of a stateless request. */
function headersOf(message: JsonObject): Record<string, string> {
  const version = envelopeVersion(message)
  if (version === undefined || message.id === undefined) return {}
  const method = String(message.method)
  const key = NAMED_BY[method]
  const name = key !== undefined && isJsonObject(message.params) ? message.params[key] : undefined
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  }
}

/** Opens a connection to a server with the requested transport. */
export function openHttpConnection(
  spec: RemoteSpec,
  options: HttpConnectionOptions,
): HttpConnection {
  const { transport, ...server } = spec
  return transport === 'sse'
    ? new SseConnection(server, options)
    : new StreamableHttpConnection(server, options)
}

function noAnswerError(): AppError {
  return invalidAnswer('The server’s reply contains no response to the request.')
}
