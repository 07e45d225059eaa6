import { setTimeout as delay } from 'node:timers/promises'

import { Client } from '@modelcontextprotocol/client'

import { type Capabilities, NO_CAPABILITIES } from '../../../src-shared/domain/capability'
import { Emitter } from '../lifecycle/emitter'
import type { ChildExit, RunningChild } from '../process/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../process/graceful-stop'
import { exitError, messageOf, refusalError, ServerEndedError } from './describe-failure'
import { discover } from './discovery'
import type { Fault } from './pending-requests'
import { isBrokenLine } from './request-failure'
import { type RequestOptions, sendRequest } from './send-request'
import { StdioTransport } from './stdio-transport'

const RETRY_MS = 500
/** The close of a broken line waits 250 ms at most for the exit; this bounds a line that never closes. */
const CLOSE_WAIT_MS = 1_000
/** The phase's own limit comes first, as it names the phase; the SDK's only ends what is left behind. */
const LATER_MS = 1_000
const MOST_WARNINGS = 20
const RELIST_MS = 200
const RELIST_TIMEOUT_MS = 30_000

export type ServerSessionOptions = {
  readonly clientVersion: string
  /** A line on stdout that is no message, without its end. */
  readonly onNoise: (line: Buffer) => void
  readonly onFault: (fault: Fault, detail: string) => void
  readonly onWarning: (message: string) => void
  /** The last stderr lines, oldest first and masked. */
  readonly stderrTail: () => readonly string[]
  /** In bytes. */
  readonly maxMessageBytes?: number | undefined
  /** Deadline of a request that sets none, in ms. */
  readonly requestMs: number
}

/** One running connection to a server over its child: handshake, first listing, end. */
export class ServerSession {
  readonly #child: RunningChild
  readonly #stop: GracefulStop
  readonly #client: Client
  readonly #transport: StdioTransport
  readonly #options: ServerSessionOptions
  readonly #closed = new Emitter<ChildExit | undefined>()
  readonly #relisted = new Emitter<Capabilities>()
  readonly #whenClosed: Promise<void>
  #exit: ChildExit | undefined
  #isClosed = false
  #warnings = 0
  #isRelisting = false
  #isListOutdated = false
  #capabilities = NO_CAPABILITIES

  /** Fires once, when the connection is gone for whatever reason; the exit is known in almost every case. */
  readonly onDidClose = this.#closed.event
  readonly onDidChangeCapabilities = this.#relisted.event

  constructor(child: RunningChild, options: ServerSessionOptions) {
    this.#child = child
    this.#options = options
    this.#stop = new GracefulStop(child, DEFAULT_STOP_GRACE, options.onWarning)
    this.#transport = new StdioTransport(child, {
      onNoise: options.onNoise,
      onFault: options.onFault,
      stop: () => this.#stop.stop(),
      maxMessageBytes: options.maxMessageBytes,
    })
    this.#client = new Client({
      name: 'patchbay',
      title: 'Patchbay',
      version: options.clientVersion,
    })
    this.#whenClosed = new Promise((resolve) => {
      this.#client.onclose = () => {
        this.#onClose()
        resolve()
      }
    })
    this.#client.onerror = (error) => this.#warn(error.message)
    void child.exited.then((exit) => (this.#exit = exit))
  }

  get pid(): number {
    return this.#child.pid
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get exit(): ChildExit | undefined {
    return this.#exit
  }

  get capabilities(): Capabilities {
    return this.#capabilities
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion()
  }

  get serverVersion(): string | undefined {
    return this.#client.getServerVersion()?.version
  }

  /** The MCP handshake; rejects when the server refuses, ends, or lets `timeoutMs` pass. */
  async connect(timeoutMs: number): Promise<void> {
    try {
      await this.#client.connect(this.#transport, { timeout: timeoutMs + LATER_MS })
    } catch (error) {
      throw await this.#explain(error, 'handshake')
    }
    for (const list of ['tools', 'resources', 'prompts'] as const) {
      this.#client.setNotificationHandler(`notifications/${list}/list_changed`, () =>
        this.#relistSoon(),
      )
    }
  }

  /** The first listing (B5): a failure is tried again every 500 ms until `budgetMs` has passed. */
  async discover(budgetMs: number): Promise<void> {
    // Not the time of day: that may jump.
    const deadline = performance.now() + budgetMs
    for (;;) {
      const left = deadline - performance.now()
      try {
        this.#capabilities = await discover(this.#client, { timeout: Math.max(left, 0) + LATER_MS })
        return
      } catch (error) {
        if (this.#isClosed || deadline - performance.now() < RETRY_MS) {
          throw await this.#explain(error, 'discover')
        }
        this.#options.onWarning(`The first listing failed and is tried again: ${messageOf(error)}`)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  /**
   * Sends one request and resolves to the result as the server wrote it. Rejects with an `AppError`:
   * REQUEST_TIMEOUT, REQUEST_CANCELLED, REQUEST_REFUSED, INVALID_ANSWER, MESSAGE_TOO_LARGE,
   * SERVER_NOT_READING, or a `ServerEndedError` at once when the server ends (B3, B7).
   */
  async request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions = {},
  ): Promise<unknown> {
    try {
      const timeoutMs = options.timeoutMs ?? this.#options.requestMs
      return await sendRequest(this.#client, method, params, { ...options, timeoutMs })
    } catch (error) {
      if (!isBrokenLine(error)) throw error
      throw await this.#endedError(`while it worked on ${method}`)
    }
  }

  /** Ends the connection and the whole process tree, staged (B6); every call shares one promise. */
  close(): Promise<void> {
    return this.#stop.stop()
  }

  /** Goes to the next stage of a stop at once. */
  escalate(): void {
    void this.#stop.escalate()
  }

  /** A connection that broke because the server ended is explained by how it ended. */
  async #explain(error: unknown, phase: 'handshake' | 'discover'): Promise<unknown> {
    // The SDK closes after a refusal too: that exit explains nothing.
    if (!isBrokenLine(error)) return refusalError(phase, error)
    return this.#endedError(
      phase === 'handshake' ? 'before it answered' : 'while it listed its tools',
    )
  }

  /** How the server ended; the close of a line that broke waits for exit code and last lines. */
  async #endedError(when: string): Promise<ServerEndedError> {
    await Promise.race([this.#whenClosed, delay(CLOSE_WAIT_MS, undefined, { ref: false })])
    const { exit } = this
    return new ServerEndedError(exitError(exit, when), exit, this.#options.stderrTail())
  }

  /** What the SDK says of a server may come as fast as the server likes. */
  #warn(message: string): void {
    this.#warnings += 1
    if (this.#warnings <= MOST_WARNINGS) this.#options.onWarning(messageOf(message))
    if (this.#warnings === MOST_WARNINGS) this.#options.onWarning('More of this is not shown.')
  }

  #onClose(): void {
    this.#isClosed = true
    this.#closed.emit(this.#exit)
  }

  /** One listing at a time, so that an older answer never replaces a newer one. */
  #relistSoon(): void {
    this.#isListOutdated = true
    if (this.#isRelisting) return
    this.#isRelisting = true
    setTimeout(() => {
      if (this.#isClosed) return
      this.#isListOutdated = false
      void this.#relist().then(() => {
        this.#isRelisting = false
        if (this.#isListOutdated) this.#relistSoon()
      })
    }, RELIST_MS)
  }

  async #relist(): Promise<void> {
    try {
      this.#capabilities = await discover(this.#client, { timeout: RELIST_TIMEOUT_MS })
      this.#relisted.emit(this.#capabilities)
    } catch (error) {
      if (!this.#isClosed)
        this.#options.onWarning(`A changed list could not be read: ${messageOf(error)}`)
    }
  }
}
