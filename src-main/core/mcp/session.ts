import { setTimeout as delay } from 'node:timers/promises'

import type { ServerCapabilities } from '@modelcontextprotocol/client'

import type { Capabilities, Tool } from '../../../src-shared/domain/agents/capability'
import { AppError } from '../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import {
  type EndMoment,
  messageOf,
  refusalError,
  ServerEndedError,
} from '../failure/describe-failure'
import { limitWarnings } from '../failure/few-warnings'
import { HttpStatusError } from '../failure/remote-failure'
import { Emitter } from '../lifecycle/emitter'
import { callHeaders, headerProblem } from './connections/parameter-headers'
import { MAX_MESSAGE_BYTES } from './connections/stdio'
import { SessionRequests } from './elicitation/session-requests'
import type { ResultText } from './json/result-text'
import { ServerListing } from './lists/server-listing'
import {
  negotiate,
  type NegotiatedProtocol,
  type ProbedMode,
  type ProtocolMode,
  ProtocolProbe,
} from './negotiate'
import { SessionNotifications } from './notifications'
import { type Connection, ConnectionClosedError } from './peer/connection'
import { Peer } from './peer/peer'
import {
  type EndedRequest,
  failureCode,
  isAgentWork,
  isGivenUp,
  RejectedRequestError,
  requestFailure,
} from './peer/request-failure'
import type { RequestOptions, ServerSessionOptions } from './session-options'

/** Closing a broken connection waits at most 250 ms for the exit and the last lines; this limits one that never closes. */
const CLOSE_WAIT_MS = 1_000
const MAX_INSTRUCTIONS = 64 * 1024
/** Maximum time for which progress can extend one request, in ms. */
const MAX_TOTAL_MS = 24 * 3_600_000

export class ServerSession {
  readonly #options: ServerSessionOptions
  readonly #peer: Peer
  readonly #listing: ServerListing
  readonly #serverRequests: SessionRequests
  readonly #warn: (message: string) => void
  readonly #closed = new Emitter<undefined>()
  readonly #requestEnded = new Emitter<EndedRequest>()
  readonly #expired = new Emitter<undefined>()
  readonly #abortController = new AbortController()
  #protocol: NegotiatedProtocol | undefined
  #inFlight = 0
  #hasAnsweredPing = false
  #checkMethod: string | undefined
  #hasCrashed = false
  /** A requested end causes no warning. */
  #isEnding = false
  /** Why the session was ended, if it knows that better than its connection. */
  #failure: AppError | undefined

  isClosed = false
  /** The server has forgotten the session. */
  hasExpired = false
  readonly probe = new ProtocolProbe()
  readonly notifications: SessionNotifications
  /** Fires once, when the connection is gone for whatever reason; see `endKnown`. */
  readonly onDidClose = this.#closed.event
  /** Fires when any request ends: calls, pings, pages of lists and the handshake. */
  readonly onDidEndRequest = this.#requestEnded.event
  readonly onDidExpire = this.#expired.event

  constructor(
    readonly connection: Connection,
    options: ServerSessionOptions,
  ) {
    this.#options = options
    const { reports, limits, serverRequests } = options
    const { onFault = () => undefined, onText, tap } = reports
    this.#warn = limitWarnings(reports.onWarning)
    this.#peer = new Peer(
      connection,
      {
        onRequest: (request) => this.#serverRequests.answer(request),
        onNotification: (method, params) => {
          if (method === 'notifications/elicitation/complete')
            serverRequests?.completed(String(params.elicitationId))
          else if (!this.#listing.handle(method)) this.notifications.handle(method, params)
        },
        onClosed: () => this.#onClosed(),
      },
      {
        ...{ onFault, onText, tap },
        maxMessageBytes: limits.maxMessageBytes ?? MAX_MESSAGE_BYTES,
        onWarning: (error) => this.#isEnding || this.#warn(messageOf(error)),
      },
    )
    this.#serverRequests = new SessionRequests(this.#peer, serverRequests)
    const declared = (): ServerCapabilities | undefined => this.#protocol?.capabilities
    this.notifications = new SessionNotifications(this.#peer, {
      request: (method, params) => this.request(method, params),
      declared,
      signal: this.#abortController.signal,
      onWarning: this.#warn,
    })
    this.#listing = new ServerListing({
      peer: this.#peer,
      declared,
      counted: (method, send) => this.#count(method, send),
      hasEnded: () => this.isClosed || this.hasExpired,
      problemOf: ({ inputSchema }: Tool) =>
        this.#hasParameterHeaders ? headerProblem(inputSchema) : undefined,
      onRepair: (repair) => onFault('repairs', `Repaired: ${repair}.`),
    })
  }

  get pid(): number | undefined {
    return this.connection.pid
  }

  get capabilities(): Capabilities {
    return this.#listing.capabilities
  }

  get listedAt(): number | undefined {
    return this.#listing.readAt
  }

  get onDidRelist(): ServerListing['onDidChange'] {
    return this.#listing.onDidChange
  }

  /** Number of calls and list pages that wait for a response, and of the server's requests that wait for a user. */
  get inFlight(): number {
    return this.#inFlight + this.#serverRequests.open
  }

  get lastMessageAt(): number {
    return this.connection.lastMessageAt
  }

  get protocolVersion(): string | undefined {
    return this.#protocol?.protocolVersion
  }

  get protocolMode(): ProtocolMode | undefined {
    return this.#protocol?.protocolMode
  }

  /** The kind of protocol for the next start; a guess if the probe failed or may still be answered. */
  get probedMode(): ProbedMode {
    return this.probe.found(this.protocolMode)
  }

  get serverVersion(): string | undefined {
    const version = this.#protocol?.serverInfo?.version
    return version === '' ? undefined : version
  }

  /** The server's own instructions, at most 64 K characters; untrusted. */
  get instructions(): string | undefined {
    return this.#protocol?.instructions?.slice(0, MAX_INSTRUCTIONS)
  }

  /** Version of the started package, which may differ from the installed one. */
  get packageVersion(): string | undefined {
    return this.#options.known?.packageVersion
  }

  get #hasParameterHeaders(): boolean {
    return this.#peer.isStateless && this.connection.hasRequestStreams
  }

  /** Settles when `endReason` is final; a status may wait for that, but no request (B7). */
  readonly endKnown = (): Promise<void> | undefined => this.connection.endKnown?.()

  endReason(moment: EndMoment): AppError {
    return this.#failure ?? this.connection.endReason(moment)
  }

  /** Negotiates the protocol. `patienceMs`: time limit of its requests, if `limitMs` may be extended. */
  async connect(limitMs: number, patienceMs = limitMs): Promise<void> {
    const { clientVersion, serverRequests, known } = this.#options
    const options = {
      ...{ version: clientVersion, answersRequests: serverRequests !== undefined },
      ...{ limitMs, patienceMs },
      protocolMode: known?.protocolMode,
      isModeChosen: known?.isModeChosen,
      probe: this.connection.hasRequestStreams ? this.probe : undefined,
      diagnoseSilence: () => this.connection.diagnoseSilence?.(),
    }
    try {
      this.#protocol = await this.#count('initialize', () => negotiate(this.#peer, options))
    } catch (error) {
      if (this.isClosed) await this.endKnown()
      const isGone = this.connection.exit !== undefined && this.#hasCrashed
      this.probe.isFatal = isGone && this.probe.probeProblem === 'failed'
      throw await this.#explain(error, 'handshake')
    }
    if (this.#peer.isStateless) void this.notifications.followLists(() => this.#listing.refresh())
  }

  /** Reads the server's lists for the first time; `onWait` gets the reason and the end of a delay, as a few words. */
  async discover(budgetMs: number, onWait?: (activity: string) => void): Promise<void> {
    const explain = (failure: unknown): AppError | undefined => this.connection.explain(failure)
    try {
      await this.#listing.readFirst(budgetMs, explain, ({ brief, warning }) => {
        onWait?.(brief)
        this.#options.reports.onWarning(warning)
      })
    } catch (error) {
      throw await this.#explain(error, 'discover')
    }
  }

  /** Resolves to the result of one request; rejects with an `AppError`, or a `ServerEndedError` once the server ends (B3, B7). */
  async request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<unknown> {
    return (await this.requestText(method, params, options)).result
  }

  /** Like `request`, and also resolves to the result as JSON text, as the server wrote it if possible. */
  requestText(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<ResultText> {
    return this.#count(method, () => this.#send(method, params, options))
  }

  /** Resolves to whether the server responds within `limitMs`; errors count. Rejects when the connection is gone. */
  async ping(limitMs: number): Promise<boolean> {
    try {
      await this.#count('ping', () => this.#check(limitMs), false)
      return true
    } catch (error) {
      if (error instanceof ConnectionClosedError) throw error
      const reason = this.connection.explain(error)
      // A status below 500 is the server's own: a proxy in front of a dead one sends others.
      if (reason?.code !== 'SIGN_IN_NEEDED')
        return error instanceof HttpStatusError && error.status < 500
      // Every further check would fail until the user has signed in.
      this.#failure = reason
      void this.connection.close()
      throw reason
    }
  }

  /** Handles a sleep of the computer: notifications may have been lost, and streams may be dead. */
  afterSleep(): void {
    if (!this.connection.renewStreams) return
    this.connection.renewStreams()
    this.notifications.renew()
    const { tools, resources, prompts } = this.notifications.declared ?? {}
    if ([tools, resources, prompts].some((one) => one?.listChanged)) this.#listing.refresh()
  }

  expire(): void {
    this.hasExpired = true
    this.#expired.emit(undefined)
  }

  /** Ends the connection and the whole process tree in stages (B6); all calls share one promise. */
  close(): Promise<void> {
    this.#isEnding = true
    return this.connection.stop()
  }

  escalate(): void {
    this.connection.escalate()
  }

  async #send(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
    isRetry = false,
  ): Promise<ResultText> {
    const { requestOrigin, signal, onProgress = () => undefined } = options
    const { requestMs, callMs } = this.#options.limits
    const { timeoutMs = isAgentWork(method) ? callMs : requestMs } = options
    const maxTotalMs = Math.max(options.maxTotalMs ?? MAX_TOTAL_MS, timeoutMs)
    const sentParams = this.#requiresTask(method, params) ? { ...params, task: {} } : params
    const { tools } = this.capabilities
    try {
      return await this.#serverRequests.send({
        ...{ method, requestOrigin, signal, onProgress, timeoutMs, maxTotalMs },
        params: this.notifications.withLevel(sentParams),
        headersOf: (sent, next) =>
          sent === 'tools/call' && this.#hasParameterHeaders ? callHeaders(tools, next) : undefined,
      })
    } catch (error) {
      const isRenewed = await this.#renews(error)
      if (isRenewed && !isRetry) return this.#send(method, params, options, true)
      throw await this.#failureOf(method, error)
    }
  }

  /** Resolves to whether a retry has another token. A server that rejects every token is useless until the user signs in (F3). */
  async #renews(error: unknown): Promise<boolean> {
    try {
      return (await this.connection.renews?.(error)) ?? false
    } catch (reason) {
      if (reason instanceof AppError) this.#failure = reason
      void this.connection.close()
      throw reason
    }
  }

  async #failureOf(method: string, error: unknown): Promise<AppError> {
    if (error instanceof ConnectionClosedError) return this.#endedError('request')
    if (!isGivenUp(error)) return this.connection.explain(error) ?? requestFailure(method, error)
    const failure = requestFailure(method, error)
    if (!this.#isEnding) this.#options.reports.onGiveUp?.(failure)
    return failure
  }

  /** Whether a call has to request a task, because its tool requires one (MCP 2025-11-25, tasks). */
  #requiresTask(method: string, { name }: Record<string, unknown>): boolean {
    if (method !== 'tools/call' || this.#peer.isStateless) return false
    if (this.notifications.declared?.tasks === undefined) return false
    const execution = this.capabilities.tools.find((tool) => tool.name === name)?.execution
    return isJsonObject(execution) && execution.taskSupport === 'required'
  }

  /** Settles with any sign of life. A server that never answered a ping gets a list request that it answered before. */
  async #check(timeoutMs: number): Promise<void> {
    const send = (method: string): Promise<unknown> =>
      this.#peer.request(method, {}, { timeoutMs, isPing: true })
    if (this.#checkMethod === undefined)
      try {
        await send(this.#peer.isStateless ? 'server/discover' : 'ping')
        this.#hasAnsweredPing = true
        return
      } catch (error) {
        const isSilent = error instanceof AppError && error.code === 'REQUEST_TIMEOUT'
        const isUnused = isSilent && !this.#hasAnsweredPing
        this.#checkMethod = isUnused ? this.#listing.readableMethod : undefined
        if (this.#checkMethod === undefined) throw error
      }
    await send(this.#checkMethod)
  }

  async #count<T>(method: string, send: () => Promise<T>, isWork = true): Promise<T> {
    const from = performance.now()
    const work = isWork ? 1 : 0
    let failure: string | undefined
    this.#inFlight += work
    try {
      return await send()
    } catch (error) {
      failure = failureCode(error)
      throw error
    } finally {
      this.#inFlight -= work
      this.#requestEnded.emit({ method, ms: performance.now() - from, failure })
    }
  }

  async #explain(error: unknown, phase: 'handshake' | 'discover'): Promise<unknown> {
    const reason = this.connection.explain(error)
    if (reason) return reason
    if (error instanceof RejectedRequestError) return refusalError(phase, error.cause)
    if (error instanceof AppError) return error
    if (!(error instanceof ConnectionClosedError) && !this.probe.isFatal)
      return refusalError(phase, error)
    return this.#endedError(phase === 'handshake' ? 'start' : 'listing', this.endKnown)
  }

  /** Returns how the server ended; a broken connection waits a moment for exit code and last lines. */
  async #endedError(
    moment: EndMoment,
    known?: ServerSession['endKnown'],
  ): Promise<ServerEndedError> {
    const { signal } = this.#abortController
    await delay(CLOSE_WAIT_MS, undefined, { ref: false, signal }).catch(() => undefined) // Aborted: the connection is closed.
    await known?.()
    const { exit } = this.connection
    return new ServerEndedError(this.endReason(moment), exit, this.#options.stderrTail())
  }

  #onClosed(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#abortController.abort()
    this.#serverRequests[Symbol.dispose]()
    this.#listing[Symbol.dispose]()
    this.#hasCrashed = !this.connection.isStopping
    this.#closed.emit(undefined)
  }
}
