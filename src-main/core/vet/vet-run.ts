import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import { errorMessage } from '../../../src-shared/domain/error-message'
import type { JsonObject } from '../../../src-shared/domain/json-object'
import { within } from '../lifecycle/time-limit'
import type { LogBuffer } from '../log/log-buffer'
import type { ReadText } from '../mcp/json/json-rpc'
import type { MessageTap } from '../mcp/peer/connection'
import { RejectedRequestError } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'
import type { PreparedLaunch } from '../servers/start/launch'
import type { ServerStart } from '../servers/start/server-start'

/** Messages kept as evidence, each shortened; a flood drops the oldest. */
const MAX_MESSAGES = 2_000
const MAX_MESSAGE_LENGTH = 16 * 1024
/** Time to wait for the exit of a server that didn't answer, in ms. */
const EXIT_MS = 300
/** Output lines to search. */
const MAX_LINES = 5_000

export type VetMessage = { readonly direction: 'sent' | 'received'; readonly text: string }

/** The server's reply to a request: a result, an error, or none. */
export type Reply =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly text: string }
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly text: string
    }
  | { readonly kind: 'none'; readonly why: string }

/** Records the messages of one run. */
export class MessageRecord implements MessageTap {
  readonly messages: VetMessage[] = []
  sent(_message: JSONRPCMessage, text: string): void {
    this.#record({ direction: 'sent', text: text.slice(0, MAX_MESSAGE_LENGTH) })
  }

  received(_read: ReadText, text: Buffer): void {
    this.#record({ direction: 'received', text: text.subarray(0, MAX_MESSAGE_LENGTH).toString() })
  }

  #record(message: VetMessage): void {
    this.messages.push(message)
    if (this.messages.length > MAX_MESSAGES) this.messages.shift()
  }
}

/** One run of a server for its checks, from its own start to its end. */
export class VetRun {
  readonly #closed = Promise.withResolvers<undefined>()

  constructor(
    readonly start: ServerStart,
    readonly session: ServerSession,
    readonly launch: PreparedLaunch,
    private readonly record: MessageRecord,
    readonly log: LogBuffer,
  ) {
    session.onDidClose(() => this.#closed.resolve(undefined))
  }

  get isAlive(): boolean {
    return !this.session.isClosed
  }

  get messages(): readonly VetMessage[] {
    return this.record.messages
  }

  /** The newest output lines, oldest first; secrets masked. */
  lines(...sources: ('stderr' | 'stdout')[]): string[] {
    return this.log.newest(MAX_LINES, 0, sources).map(({ text }) => text)
  }

  /** Sends a request as any client does. Never rejects while the server runs. */
  async request(method: string, params: JsonObject, limitMs: number): Promise<Reply> {
    try {
      const limits = { timeoutMs: limitMs, maxTotalMs: limitMs }
      const { result, text } = await this.session.requestText(method, params, limits)
      return { kind: 'result', result, text: text.toString() }
    } catch (error) {
      if (error instanceof RejectedRequestError) {
        const { code, message, data } = error.refusal
        return { kind: 'error', code, message, text: JSON.stringify({ code, message, data }) }
      }
      // The exit of a server may be noticed a moment later.
      await within(EXIT_MS, this.#closed.promise, () => undefined)
      return { kind: 'none', why: errorMessage(error) }
    }
  }

  /** Sends a raw line. */
  async post(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.session.connection.post({}, text, { onDone: () => resolve() })
    })
  }

  /** Whether the server still answers a list request that it declares, or a ping. */
  async answers(limitMs: number): Promise<boolean> {
    const { tools, resources, prompts } = this.session.notifications.declared ?? {}
    const listed = tools ? 'tools' : resources ? 'resources' : prompts ? 'prompts' : undefined
    const reply = await this.request(listed === undefined ? 'ping' : `${listed}/list`, {}, limitMs)
    return reply.kind !== 'none'
  }

  /** Settles when no process is left. */
  async end(): Promise<void> {
    await this.session.close()
    await this.start.close()
  }
}
