import type { FetchLike } from '@modelcontextprotocol/client'
import pLimit from 'p-limit'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { disconnectedError, type EndMoment, exitError } from '../../failure/describe-failure'
import { isAboutToken, refusalHeaders } from '../../failure/http-refusal'
import {
  HttpStatusError,
  isSessionExpired,
  isSessionLost,
  remoteFailure,
  SessionExpiredError,
} from '../../failure/remote-failure'
import { within } from '../../lifecycle/time-limit'
import { causesOf, isLostMidway } from '../../network/fetch-failure'
import type { ByteCounts, ChildExit, RunningChild } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop, type StopGrace } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import {
  type Connection,
  ConnectionClosedError,
  type PostOptions,
  type Receiver,
} from '../peer/connection'
import { RejectedRequestError } from '../peer/request-failure'
import { EventReader, type ServerEvent } from './event-reader'
import {
  authorizedFetch,
  bytesOf,
  isCut,
  remoteFetch,
  type SessionAuth,
  startOf,
  withinOrigin,
} from './remote-fetch'

/** Streamable HTTP since 2025-03-26, and HTTP+SSE before. */
export type RemoteTransport = 'streamable-http' | 'sse'

export type RemoteSpec = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly transport: RemoteTransport
}

export type HttpConnectionOptions = {
  /** Uses the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  readonly authProvider?: SessionAuth | undefined
  readonly maxMessageBytes: number
  /** The server no longer knows the session, so a new one is needed (MCP, session management). */
  readonly onExpired: () => void
  /** The child that serves HTTP on this computer; it ends together with its connection. */
  readonly child?: RunningChild
  readonly onWarning?: (message: string) => void
}

export type StringHeaders = Readonly<Record<string, string>>

/** Maximum number of concurrent responses to the server's requests; each takes a connection. */
const MAX_RESPONSES = 16
const RESPONSE_MS = 10_000
const FAREWELL_MS = 1_000
const CUT_WAIT_MS = 1_000
/** A child that serves HTTP doesn't end with stdin, so SIGTERM gets the time for that stage. */
const CHILD_GRACE: StopGrace = {
  ...DEFAULT_STOP_GRACE,
  stdinMs: 0,
  termMs: DEFAULT_STOP_GRACE.stdinMs + DEFAULT_STOP_GRACE.termMs,
}
const NO_MESSAGE = 'A server-sent event is not a JSON-RPC message.'

/** A server over HTTP: a remote one, or a child that serves on this computer. */
export abstract class HttpConnection implements Connection {
  abstract readonly hasRequestStreams: boolean
  readonly pid: number | undefined
  readonly tree: ProcessTree | undefined
  readonly ended: Promise<void>
  readonly isAlone: boolean
  exit: ChildExit | undefined
  byteCounts: ByteCounts = { bytesIn: 0, bytesOut: 0 }
  lastMessageAt = performance.now()
  protected readonly url: URL
  protected readonly over = new AbortController()
  protected version: string | undefined
  readonly #options: HttpConnectionOptions
  readonly #childEnd: GracefulStop | undefined
  readonly #fetch: FetchLike
  readonly #responseSlots = pLimit(MAX_RESPONSES)
  #receiver: Receiver | undefined
  #stopping: Promise<void> | undefined
  #resumed: PromiseWithResolvers<undefined> | undefined
  #hasSession = false
  #hasExpired = false
  #isMoved = false

  constructor({ url, headers }: Omit<RemoteSpec, 'transport'>, options: HttpConnectionOptions) {
    const { child, onWarning, authProvider } = options
    this.url = url
    this.#options = options
    this.pid = child?.pid
    this.tree = child?.tree
    this.isAlone = child !== undefined
    const bounded = remoteFetch({
      ...options,
      ...{ url, headers },
      count: {
        sent: (bytes) => this.#count(0, bytes),
        received: (bytes, { ok }) => {
          // A rejection is no sign of life: a proxy in front of a dead server rejects, too.
          if (ok) this.lastMessageAt = performance.now()
          this.#count(bytes, 0)
        },
      },
    })
    const onMoved = ({ href }: URL): void => {
      if (this.#isMoved) return
      this.#isMoved = true
      onWarning?.(`${url.host} redirects to itself by another name. Requests go to ${href}.`)
    }
    this.#fetch = authorizedFetch(withinOrigin(bounded, onMoved), url, authProvider)
    this.#childEnd = child && new GracefulStop(child, CHILD_GRACE, onWarning)
    const closed = Promise.withResolvers<undefined>()
    this.over.signal.addEventListener('abort', () => closed.resolve(undefined))
    this.ended = child ? this.#closeWith(child) : closed.promise
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

  post(message: JsonObject, text: string, { headers = {}, onDone }: PostOptions): void {
    const send = (): Promise<void> => this.deliver(message, text, headers)
    const rejectLate = (): never => {
      throw new Error('The response was not accepted.')
    }
    const isResponse = message.method === undefined
    const sent = isResponse
      ? this.#responseSlots(() => within(RESPONSE_MS, send(), rejectLate))
      : send()
    const { id, method } = message
    const fail = (error: unknown): void => {
      if (method !== undefined && typeof id === 'number' && isLostMidway(error))
        this.receiver.cut(id, this.url.host, causesOf(error)[0])
      onDone(error)
    }
    sent.then(
      () => onDone(),
      (error: unknown) => this.afterCut(error).then(() => fail(error)),
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
    if (!this.over.signal.aborted) {
      this.over.abort(new ConnectionClosedError())
      this.setPaused(false)
      this.#receiver?.closed()
    }
    return Promise.resolve()
  }

  stop(): Promise<void> {
    // The child may exit only after its session was ended.
    this.#stopping ??= Promise.all([this.#farewell(), this.#childEnd?.stop()]).then(() => undefined)
    return this.#stopping
  }

  escalate(): void {
    void this.close()
    void this.#childEnd?.escalate()
  }

  endReason(moment: EndMoment): AppError {
    if (this.exit) return exitError(this.exit, moment)
    if (this.#hasExpired) return new SessionExpiredError(this.url)
    return disconnectedError(this.url.host, moment)
  }

  explain(error: unknown): AppError | undefined {
    if (this.exit) return exitError(this.exit, 'use')
    const isRefusal = error instanceof RejectedRequestError
    const cause = isRefusal ? error.cause : error
    if (isRefusal && this.#hasSession && isSessionExpired(cause)) this.#expire()
    if (this.#hasExpired && isSessionExpired(cause)) return new SessionExpiredError(this.url)
    if (isRefusal) return undefined
    return error instanceof AppError ? error : remoteFailure(error, this.url)
  }

  /** Whether a server's own error was about the request's token, and another token is available for a retry. */
  async renews(error: unknown): Promise<boolean> {
    const { authProvider } = this.#options
    if (!authProvider || !(error instanceof RejectedRequestError)) return false
    return isAboutToken(error.refusal.message) && (await authProvider.renew())
  }

  abstract open(): Promise<void>
  abstract abandon(id: number): void
  /** Sends one message; settles once the server has it, and for a request once its response is complete. */
  protected abstract deliver(
    message: JsonObject,
    text: string,
    headers: StringHeaders,
  ): Promise<void>
  /** Ends the session at a server that has one. */
  protected abstract endSession(): Promise<unknown>

  /** A cut may mean that the child is exiting, which is the more useful reason. */
  protected async afterCut(error: unknown): Promise<void> {
    const { child } = this.#options
    if (child && !this.over.signal.aborted && isCut(error))
      await within(CUT_WAIT_MS, child.exited, () => undefined)
  }

  /** Resolves to an accepted response; rejects with a `HttpStatusError` for any other. `hasSession`: the request has a session ID. */
  protected async send(
    method: 'POST' | 'GET' | 'DELETE',
    headers: StringHeaders,
    more: {
      readonly body?: string
      readonly signal?: AbortSignal
      readonly address?: URL | undefined
      readonly hasSession?: boolean
    } = {},
  ): Promise<Response> {
    const { signal = this.over.signal, address = this.url, hasSession = false, ...body } = more
    this.#hasSession ||= hasSession
    const response = await this.#fetch(address, { method, headers, signal, ...body })
    if (response.ok) {
      this.lastMessageAt = performance.now()
      return response
    }
    const text = await startOf(response)
    // Not for the server's own stream (GET) or the end of the session (DELETE), which some servers don't support.
    if (method === 'POST' && hasSession && isSessionLost(response.status, text)) this.#expire()
    throw new HttpStatusError(
      response.status,
      text,
      refusalHeaders(response.headers, address, Date.now()),
    )
  }

  /** Yields the events of a stream until it ends; throws if it breaks. */
  protected async *events(response: Response): AsyncGenerator<ServerEvent> {
    const reader = new EventReader(this.#options.maxMessageBytes)
    for await (const { buffer, byteOffset, byteLength } of bytesOf(response)) {
      yield* reader.push(Buffer.from(buffer, byteOffset, byteLength))
      await this.#resumed?.promise
    }
  }

  /** Handles the message of an event; returns false if it has none. */
  protected acceptEvent({ event = 'message', data, oversized }: ServerEvent, id?: number): boolean {
    if (oversized) this.receiver.oversized(oversized, id)
    if (!data?.length || (event !== '' && event !== 'message')) return true
    const isMessage = this.receiver.read(data, id)
    if (!isMessage) this.receiver.report('malformedMessages', NO_MESSAGE)
    return isMessage
  }

  async #farewell(): Promise<void> {
    // A server that doesn't support ending sessions (405) or is gone needs no DELETE.
    const farewell = this.#hasExpired ? undefined : this.endSession().catch(() => undefined)
    if (farewell) await within(FAREWELL_MS, farewell, () => undefined)
    await this.close()
  }

  async #closeWith(child: RunningChild): Promise<void> {
    this.exit = await child.exited
    await child.drainStderr()
    await this.close()
  }

  #expire(): void {
    if (this.#hasExpired || this.isStopping) return
    this.#hasExpired = true
    this.#options.onExpired()
  }

  #count(bytesIn: number, bytesOut: number): void {
    const before = this.byteCounts
    this.byteCounts = { bytesIn: before.bytesIn + bytesIn, bytesOut: before.bytesOut + bytesOut }
  }
}
