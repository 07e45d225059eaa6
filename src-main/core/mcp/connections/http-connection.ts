import type { FetchLike } from '@modelcontextprotocol/client'
import pLimit from 'p-limit'

import { AppError } from '../../../../src-shared/domain/app-error'
import {
  HttpStatusError,
  isSessionExpired,
  isSessionLost,
  NotMcpError,
  remoteFailure,
  SessionExpiredError,
} from '../../failure/remote-failure'
import type { Traffic } from '../../process/spawn/child-process'
import type { JsonObject } from '../json/json-rpc'
import {
  type Connection,
  ConnectionClosedError,
  type PostOptions,
  type Receiver,
} from '../peer/connection'
import { RefusedRequestError } from '../peer/request-failure'
import { type EventFields, EventReader } from './event-reader'
import { authorizedFetch, type SessionAuth } from './http-auth'
import { remoteFetch, withinOrigin } from './remote-fetch'

/** The two ways in which MCP goes over HTTP: the one since 2025-03-26 and the one before, with its stream of events. */
export type RemoteTransport = 'streamable-http' | 'sse'

export type RemoteSpec = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly transport: RemoteTransport
}

export type HttpConnectionOptions = {
  /** Goes by the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** Gives the token of a signed-in user, where there is one. */
  readonly authProvider?: SessionAuth | undefined
  /** Of one message or event. */
  readonly maxMessageBytes: number
  /** The longest that one answer may take, in ms. */
  readonly maxTotalMs: number
  /** The server no longer knows the session: a new one is needed (MCP, session management). */
  readonly onExpired: () => void
}

/** One HTTP request to the server. */
type HttpRequest = {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** It names a session, which the server may have forgotten. */
  readonly hasSession?: boolean
}

/** Answers to requests of the server that are on their way at a time; each has a connection of its own. */
const MAX_ANSWERS = 16
/** How long a server may take to take one, in ms. */
const ANSWER_MS = 10_000
/** How long a server has to take note of the end of a session, in ms. */
const FAREWELL_MS = 1_000
/** Bytes that are read of a refusal. */
const MAX_REFUSAL = 64 * 1024

/** A remote server over HTTP; ending it ends nothing but the connection. */
export abstract class HttpConnection implements Connection {
  readonly pid = undefined
  readonly tree = undefined
  readonly exit = undefined
  readonly isAlone = false
  abstract readonly hasRequestStreams: boolean
  readonly ended: Promise<void>
  protected readonly url: URL
  protected readonly over = new AbortController()
  protected version: string | undefined
  readonly #options: HttpConnectionOptions
  readonly #fetch: FetchLike
  readonly #answers = pLimit(MAX_ANSWERS)
  readonly #end = Promise.withResolvers<undefined>()
  #receiver: Receiver | undefined
  #traffic: Traffic = { bytesIn: 0, bytesOut: 0 }
  #heardAt = performance.now()
  #stopping: Promise<void> | undefined
  #resumed: PromiseWithResolvers<undefined> | undefined
  #hasSession = false
  #hasExpired = false

  constructor({ url, headers }: Omit<RemoteSpec, 'transport'>, options: HttpConnectionOptions) {
    this.url = url
    this.#options = options
    const bounded = remoteFetch({
      ...options,
      url,
      headers,
      onSent: (bytes) => this.#count(0, bytes),
      onReceived: (bytes, { ok }) => {
        // A refusal is no sign of life: a proxy before a dead server refuses too.
        if (ok) this.#heardAt = performance.now()
        this.#count(bytes, 0)
      },
    })
    this.#fetch = authorizedFetch(withinOrigin(bounded), url, options.authProvider)
    this.ended = this.#end.promise
  }

  get heardAt(): number {
    return this.#heardAt
  }

  get traffic(): Traffic {
    return this.#traffic
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  protected get receiver(): Receiver {
    if (!this.#receiver) throw new ConnectionClosedError('The connection is not attached.')
    return this.#receiver
  }

  attach(receiver: Receiver): void {
    this.#receiver = receiver
  }

  post(message: JsonObject, text: string, options: PostOptions): void {
    const isAnswer = message.method === undefined
    const send = (): Promise<void> => this.deliver(message, text, options.headers)
    const sent = isAnswer ? this.#answers(() => this.#withinLimit(send)) : send()
    sent.then(
      () => options.onDone(),
      (error: unknown) => options.onDone(error),
    )
  }

  setPaused(isPaused: boolean): void {
    if (isPaused) this.#resumed ??= Promise.withResolvers()
    else {
      this.#resumed?.resolve(undefined)
      this.#resumed = undefined
    }
  }

  setProtocolVersion(version: string): void {
    this.version = version
  }

  close(): Promise<void> {
    if (this.over.signal.aborted) return Promise.resolve()
    this.over.abort(new ConnectionClosedError())
    this.setPaused(false)
    this.#receiver?.closed()
    return Promise.resolve()
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  escalate(): void {
    void this.close()
  }

  endReason(when: string): AppError {
    if (this.#hasExpired) return new SessionExpiredError(this.url)
    const message = `The connection to ${this.url.host} ended ${when}.`
    return new AppError('REMOTE_UNREACHABLE', message, {
      hint: 'The network or the server closed the connection. Try again.',
    })
  }

  explain(error: unknown): AppError | undefined {
    const isRefusal = error instanceof RefusedRequestError
    const cause = isRefusal ? error.cause : error
    if (isRefusal && this.#hasSession && isSessionExpired(cause)) this.#expire()
    if (this.#hasExpired && isSessionExpired(cause)) return new SessionExpiredError(this.url)
    if (isRefusal) return undefined
    return error instanceof AppError ? error : remoteFailure(error, this.url)
  }

  abstract open(): Promise<void>
  abstract abandon(id: number): void
  /** Sends one message; settles once the server has it, and for a request once its response is over. */
  protected abstract deliver(
    message: JsonObject,
    text: string,
    headers: Readonly<Record<string, string>> | undefined,
  ): Promise<void>
  /** Returns the session to a server that keeps one. */
  protected abstract sayFarewell(): Promise<void>

  /** Resolves to an accepted response. Rejects with a `HttpStatusError` for any other. */
  protected async send(request: HttpRequest, address = this.url): Promise<Response> {
    const { hasSession = false, ...init } = request
    this.#hasSession ||= hasSession
    const response = await this.#fetch(address, init)
    if (response.ok) {
      this.#heardAt = performance.now()
      return response
    }
    const text = await startOf(response)
    // Not for the stream of its own (GET) or the end (DELETE), which some servers know nothing of.
    if (request.method === 'POST' && hasSession && isSessionLost(response.status, text))
      this.#expire()
    throw new HttpStatusError(response.status, text)
  }

  /** Reads the events of a stream until it ends; rejects where it breaks. */
  protected async readEvents(
    response: Response,
    onEvent: {
      readonly data: (data: Buffer, fields: EventFields) => void
      readonly empty?: (fields: EventFields) => void
      readonly after?: () => void
    },
    id?: number,
  ): Promise<void> {
    const { receiver } = this
    const reader = new EventReader({
      maxBytes: this.#options.maxMessageBytes,
      onData: onEvent.data,
      onOversized: (message, fields) => {
        onEvent.empty?.(fields)
        receiver.oversized(message, id)
      },
      onEmpty: (fields) => onEvent.empty?.(fields),
    })
    for await (const chunk of bytesOf(response)) {
      reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      onEvent.after?.()
      await this.#resumed?.promise
    }
  }

  #withinLimit(send: () => Promise<void>): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error('The response was not accepted.')),
      ANSWER_MS,
    )
    return Promise.race([send(), late.promise]).finally(() => clearTimeout(timer))
  }

  async #stop(): Promise<void> {
    const limit = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => limit.resolve(undefined), FAREWELL_MS)
    // A server that knows no end of a session (405) or is gone needs no farewell.
    const farewell = this.#hasExpired ? undefined : this.sayFarewell().catch(() => undefined)
    await Promise.race([farewell, limit.promise])
    clearTimeout(timer)
    await this.close()
    this.#end.resolve(undefined)
  }

  #expire(): void {
    if (this.#hasExpired || this.isStopping) return
    this.#hasExpired = true
    this.#options.onExpired()
  }

  #count(bytesIn: number, bytesOut: number): void {
    const before = this.#traffic
    this.#traffic = { bytesIn: before.bytesIn + bytesIn, bytesOut: before.bytesOut + bytesOut }
  }
}

/** Whether a failed check was answered by the server all the same: by a status below 500, which a proxy before a dead one does not give. */
export function isSignOfLife(error: unknown): boolean {
  return error instanceof HttpStatusError && error.status < 500
}

/** Throws a `NotMcpError` for a response that holds no messages. */
export function notMcp(response: Response): NotMcpError {
  return new NotMcpError(response.headers.get('content-type'))
}

function bytesOf({ body }: Response): AsyncIterable<Uint8Array> {
  return (body ?? ReadableStream.from([])) as ReadableStream<Uint8Array>
}

/** The first characters of a refusal; what follows is not read. */
async function startOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of bytesOf(response)) {
      parts.push(part)
      bytes += part.byteLength
      if (bytes >= MAX_REFUSAL) break
    }
  } catch {
    // Cut: what came says enough.
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_REFUSAL)
}
