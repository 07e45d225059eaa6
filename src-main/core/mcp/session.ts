import { setTimeout as delay } from 'node:timers/promises'

import { type Client, ProtocolError } from '@modelcontextprotocol/client'

import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import { AppError } from '../../../src-shared/domain/app-error'
import { refusalError, ServerEndedError } from '../failure/describe-failure'
import { fewWarnings } from '../failure/few-warnings'
import { Emitter } from '../lifecycle/emitter'
import type { ChildExit, Traffic } from '../process/spawn/child-process'
import type { ProcessTree } from '../process/tree/process-tree'
import type { Era } from './connection/era'
import { EraFinding } from './connection/era-finding'
import { negotiateHttp, negotiateStdio } from './connection/negotiate'
import type { SessionLine } from './connection/session-line'
import type { ServerAsks } from './elicitation/server-asks'
import { SessionAsks } from './elicitation/session-asks'
import { ToolHeaders } from './http/headers/tool-headers'
import { isSignOfLife } from './http/sign-of-life'
import type { ResultText } from './json/result-text'
import { readFirstListing } from './listing/first-listing'
import { followChanges } from './listing/follow-changes'
import { ServerListing } from './lists/server-listing'
import { SessionNews } from './notifications'
import { clientIdentity, openClient } from './open-client'
import { isBrokenLine } from './peer/request-failure'
import { RequestCounter } from './requests/request-counter'
import { type RequestOptions, sendDiscover, sendPing } from './send-request'
import { SessionCalls } from './session-calls'
import { StdioTransport } from './stdio/stdio-transport'

/** The close of a broken line waits 250 ms at most for the exit and the last words; this bounds a line that never closes. */
const CLOSE_WAIT_MS = 1_000
/** The phase's own limit comes first, as it names the phase; the SDK's only ends what is left behind. */
const LATER_MS = 1_000

/** Characters kept of what a server says of its use: more no model should be given. */
const LONGEST_INSTRUCTIONS = 64 * 1024

export type ServerSessionOptions = {
  readonly clientVersion: string
  /** Version of the package that was started, where it names one. */
  readonly packageVersion?: string | undefined
  /** What is known of it from before. */
  readonly era?: Era | undefined
  readonly onWarning: (message: string) => void
  /** Counts and names a repair of what the server sent, as words without full stop. */
  readonly onRepair?: ((repair: string) => void) | undefined
  /** The last stderr lines, oldest first and masked. */
  readonly stderrTail: () => readonly string[]
  /** Deadline of a request that sets none, in ms. */
  readonly requestMs: number
  /** The longest that progress can keep a request alive that sets no limit, in ms (B3). */
  readonly requestTotalMs: number
  /** Answers what the server asks for; where it is missing nothing is offered to be asked for. */
  readonly asks?: ServerAsks | undefined
}

/** One running connection to a server over its line: handshake, first listing, end. */
export class ServerSession {
  readonly #line: SessionLine
  readonly #client: Client
  readonly #options: ServerSessionOptions
  readonly #closed = new Emitter<undefined>()
  readonly #requests = new RequestCounter()
  readonly #listing: ServerListing
  readonly #calls: SessionCalls
  readonly #asks: SessionAsks
  readonly #warn: (message: string) => void
  readonly #ended = new Emitter<undefined>()
  readonly #expired = new Emitter<undefined>()
  readonly #whenClosed: Promise<void>
  readonly #over = new AbortController()
  #isClosed = false
  #endedByItself = false
  /** What the SDK then says of its own end is no news. */
  #isEnding = false
  #hasExpired = false
  /** Why it was ended, where that is known better than by its line. */
  #failure: AppError | undefined

  /** What the handshake tells of its era. */
  readonly eraFinding: EraFinding
  /** What the server says beside its answers. */
  readonly news: SessionNews
  /** Fires once, when the connection is gone for whatever reason; see `endKnown`. */
  readonly onDidClose = this.#closed.event
  /** Fires for every request that is over: calls, pings, pages of lists and the handshake. */
  readonly onDidEndRequest = this.#requests.onDidEnd
  /** Fires once, when `traffic` grows no more. */
  readonly onDidEnd = this.#ended.event
  /** Fires when the server has forgotten the session: another one is needed. */
  readonly onDidExpire = this.#expired.event

  constructor(line: SessionLine, options: ServerSessionOptions) {
    this.#line = line
    this.#options = options
    this.#warn = fewWarnings(options.onWarning)
    this.#client = openClient(options)
    this.#asks = new SessionAsks(this.#client, options.asks)
    this.eraFinding = new EraFinding(line, () => this.era)
    const headers = new ToolHeaders(this.#client, line.transport)
    this.#whenClosed = new Promise((resolve) => {
      // Not the client's: it has none while it asks for the era.
      line.transport.onclose = () => {
        this.#onClose()
        resolve()
      }
    })
    this.#client.onerror = (error) => this.#isEnding || this.#warn(error.message)
    void line.ended.then(() => this.#ended.emit(undefined))
    const request: ServerSession['request'] = (...asked) => this.request(...asked)
    const parts = { request, signal: this.#over.signal, onWarning: this.#warn }
    this.news = new SessionNews(this.#client, parts)
    this.#listing = new ServerListing({
      client: this.#client,
      counted: (method, send) => this.#requests.count(method, send),
      isOver: () => this.#isClosed,
      problemOf: headers.problemOf,
      onRepair: options.onRepair,
    })
    this.#calls = new SessionCalls({
      client: this.#client,
      line,
      headers,
      asks: this.#asks,
      news: this.news,
      tools: () => this.capabilities.tools,
      limits: { timeoutMs: options.requestMs, maxTotalMs: options.requestTotalMs },
      endedError: (when) => this.#endedError(when),
    })
  }

  /** Of its child, where it has one. */
  get pid(): number | undefined {
    return this.#line.pid
  }

  /** Its child with all that that started. */
  get tree(): ProcessTree | undefined {
    return this.#line.tree
  }

  /** Whether another session can come after its end only. */
  get isAlone(): boolean {
    return this.#line.isAlone
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get exit(): ChildExit | undefined {
    return this.#line.exit
  }

  get capabilities(): Capabilities {
    return this.#listing.capabilities
  }

  /** When a list of it was last read, epoch ms; undefined before the first. */
  get listedAt(): number | undefined {
    return this.#listing.readAt
  }

  /** Fires when lists were read again, or could not be. */
  get onDidRelist(): ServerListing['onDidChange'] {
    return this.#listing.onDidChange
  }

  /** How many calls and pages of lists wait for their answer, and questions of the server for a person's. */
  get inFlight(): number {
    return this.#requests.inFlight + this.#asks.open
  }

  /** When the server last said anything, by `performance.now()`. */
  get heardAt(): number {
    return this.#line.heardAt
  }

  get traffic(): Traffic {
    return this.#line.traffic
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion()
  }

  /** Known once it is connected. */
  get era(): Era | undefined {
    return this.#client.getProtocolEra()
  }

  /** Whether the server has forgotten it, so that nothing more can be asked of it. */
  get hasExpired(): boolean {
    return this.#hasExpired
  }

  get serverVersion(): string | undefined {
    const version = this.#client.getServerVersion()?.version
    return version === '' ? undefined : version
  }

  /** How to use it, in the server's own words, 64 K characters at most; untrusted. */
  get instructions(): string | undefined {
    return this.#client.getInstructions()?.slice(0, LONGEST_INSTRUCTIONS)
  }

  /** Version of the package that was started, which need not be the one that is installed by now. */
  get packageVersion(): string | undefined {
    return this.#options.packageVersion
  }

  /** Settles when `endReason` tells as much as it ever will; a status may wait for that, and no request (B7). */
  readonly endKnown = (): Promise<void> | undefined => this.#line.endKnown?.()

  /** Why it is gone, as far as that is known yet; `when` completes the sentence, as in "before it answered". */
  endReason(when: string): AppError {
    return this.#failure ?? this.#line.endReason(when)
  }

  /** The MCP handshake; rejects when the server refuses, ends, or lets `timeoutMs` pass. */
  async connect(timeoutMs: number): Promise<void> {
    try {
      await this.#requests.count('initialize', () => this.#negotiate(timeoutMs))
      void followChanges(this.#client, {
        signal: this.#over.signal,
        onMissed: () => this.#listing.readAgain(),
        onWarning: this.#warn,
      })
    } catch (error) {
      if (this.#isClosed) await this.endKnown()
      this.eraFinding.failed(error, this.#endedByItself)
      throw await this.#explain(error, 'handshake')
    }
  }

  #negotiate(limitMs: number): Promise<void> {
    const options = {
      limitMs,
      timeoutMs: limitMs + LATER_MS,
      era: this.#options.era,
      ...clientIdentity(this.#options),
    }
    const { transport } = this.#line
    return transport instanceof StdioTransport
      ? negotiateStdio(this.#client, transport, options)
      : negotiateHttp(this.#client, transport, options)
  }

  /** The first listing (B5): a failure is tried again every 500 ms until `budgetMs` has passed. */
  async discover(budgetMs: number): Promise<void> {
    try {
      await readFirstListing({
        budgetMs,
        read: (withinMs) => this.#listing.readAll(withinMs),
        isOver: () => this.#isClosed || this.#hasExpired,
        explain: (error) => this.#line.explain(error),
        onWarning: this.#options.onWarning,
      })
    } catch (error) {
      throw await this.#explain(error, 'discover')
    }
  }

  /**
   * Sends one request and resolves to the result as the server wrote it. Rejects with an `AppError`:
   * REQUEST_TIMEOUT, REQUEST_CANCELLED, REQUEST_REFUSED, INVALID_ANSWER, MESSAGE_TOO_LARGE,
   * SERVER_NOT_READING, or a `ServerEndedError` at once when the server ends (B3, B7).
   */
  request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<unknown> {
    return this.#requests.count(method, () => this.#calls.send(method, params, options))
  }

  /**
   * As `request`, and resolves to the result as JSON text too: as the server wrote it where the line and the era of the
   * server let it be read apart, else written anew.
   */
  requestText(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<ResultText> {
    return this.#requests.count(method, () => this.#calls.sendText(method, params, options))
  }

  /** Whether the server answers within `limitMs`; that it knows no ping is an answer too (MCP, ping; `server/discover` since 2026-07-28). Rejects when the connection is gone. */
  async ping(limitMs: number): Promise<boolean> {
    try {
      const ask = this.era === 'modern' ? sendDiscover : sendPing
      await this.#requests.count('ping', () => ask(this.#client, limitMs), false)
      return true
    } catch (error) {
      if (isBrokenLine(error)) throw error
      const told = this.#line.explain(error)
      if (told?.code !== 'SIGN_IN_NEEDED') return isSignOfLife(error)
      // No further check could end otherwise before a person has signed in.
      this.#failure = told
      void this.#line.transport.close()
      throw told
    }
  }

  /** The server has forgotten the session. */
  expire(): void {
    this.#hasExpired = true
    this.#expired.emit(undefined)
  }

  /** Ends the connection and the whole process tree, staged (B6); every call shares one promise. */
  close(): Promise<void> {
    this.#isEnding = true
    return this.#line.stop()
  }

  /** Goes to the next stage of a stop at once. */
  escalate(): void {
    this.#line.escalate()
  }

  /** A connection that broke because the server ended is explained by how it ended. */
  async #explain(error: unknown, phase: 'handshake' | 'discover'): Promise<unknown> {
    const told = this.#line.explain(error)
    if (told) return told
    const unusable = error instanceof ProtocolError ? error.data : error
    if (unusable instanceof AppError) return unusable
    // The SDK closes after a refusal too: that exit explains nothing.
    if (!isBrokenLine(error) && !this.eraFinding.isFatal) return refusalError(phase, error)
    const when = phase === 'handshake' ? 'before it answered' : 'while it listed its tools'
    return this.#endedError(when, this.endKnown)
  }

  /** How the server ended; the close of a line that broke waits a moment for exit code and last lines. */
  async #endedError(when: string, known?: ServerSession['endKnown']): Promise<ServerEndedError> {
    await Promise.race([this.#whenClosed, delay(CLOSE_WAIT_MS, undefined, { ref: false })])
    await known?.()
    return new ServerEndedError(this.endReason(when), this.exit, this.#options.stderrTail())
  }

  #onClose(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#over.abort()
    this.#asks[Symbol.dispose]()
    this.#listing[Symbol.dispose]()
    this.#endedByItself = !this.#line.isStopping
    this.#closed.emit(undefined)
  }
}
