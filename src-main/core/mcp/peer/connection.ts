import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { AppError } from '../../../../src-shared/domain/app-error'
import type { JsonObject } from '../../../../src-shared/domain/json-object'
import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import type { EndMoment } from '../../failure/describe-failure'
import type { OversizedMessage } from '../../lines/message-framing'
import type { ByteCounts, ChildExit } from '../../process/spawn/child-process'
import type { ProcessTree } from '../../process/tree/process-tree'
import type { ReadText } from '../json/json-rpc'

/** The first protocol version without sessions (MCP 2026-07-28). */
export const STATELESS_VERSION = '2026-07-28'

export type Fault = keyof ProtocolFaults
/** Gets a protocol violation (B3), with a sentence about this case. */
export type OnFault = (fault: Fault, detail: string) => void

/** Records the messages of one session. Called for each message, so it has to be fast. */
export type MessageTap = {
  sent(message: JSONRPCMessage, text: string): void
  /** `text`: the received bytes of all messages; immutable. */
  received(read: ReadText, text: Buffer): void
}

/** The error for a message that wasn't sent or can't be answered, because the connection is gone. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError'

  constructor(message = 'The connection is closed.', options?: ErrorOptions) {
    super(message, options)
  }
}

/** The receiver of a connection's reports, implemented by the peer. */
export type Receiver = {
  readonly pendingCount: number
  /** Reads a line, body or event; `id`: the request that it should answer. Returns false if it has no message. */
  read(text: Buffer, id?: number): boolean
  oversized(message: OversizedMessage, id?: number): void
  isPending(id: number): boolean
  /** Fails a request that can't be answered; does nothing if it was answered. */
  fail(id: number, error: unknown): void
  /** Like `fail`, for a request whose connection was cut while the server may be processing it: asks the server to cancel it. */
  cut(id: number, host: string, cause?: unknown): void
  /** Reports a message from an unexpected channel, named by `channel`. */
  stray(text: Buffer, channel: string): void
  warn(error: unknown): void
  closed(): void
  report: OnFault
}

export type PostOptions = {
  /** Called once: the other side has received the message, or it couldn't be sent. */
  readonly onDone: (error?: unknown) => void
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Transports JSON-RPC messages to and from one server, and owns everything that has to end with it. */
export type Connection = {
  /** Members of the child, if any; `tree`: all processes it started; `exit`: set once it has exited. */
  readonly pid: number | undefined
  readonly tree: ProcessTree | undefined
  readonly exit: ChildExit | undefined
  /** Time of the server's last message, by `performance.now()`. */
  readonly lastMessageAt: number
  readonly byteCounts: ByteCounts
  /** Whether it holds an exclusive resource, such as a port. */
  readonly isAlone: boolean
  /** Whether each request has its own response stream (Streamable HTTP). */
  readonly hasRequestStreams: boolean
  readonly isStopping: boolean
  /** Settles when no more messages will be counted. */
  readonly ended: Promise<void>
  /** Sets the receiver of all reports; has to be called once, first. */
  attach(receiver: Receiver): void
  open(): Promise<void>
  /** Sends one message; `text` is its JSON. Never throws. */
  post(message: JsonObject, text: string, options: PostOptions): void
  /** Gives up the response to a request; `isLost`: it timed out. */
  abandon(id: number, isLost: boolean): void
  /** Reopens the streams: their far side may be silently gone, for example after a sleep. */
  renewStreams?(): void
  setPaused(isPaused: boolean): void
  setProtocolVersion?(version: string): void
  /** Closes the connection without ending the session. */
  close(): Promise<void>
  /** Stops in stages (B6); all calls share one promise. */
  stop(): Promise<void>
  escalate(): void
  /** If the exit may follow a broken connection: settles with it, or once it is no longer expected. */
  endKnown?(): Promise<void>
  /** Why the connection is gone, as far as known. */
  endReason(moment: EndMoment): AppError
  /** What a failed request says about the connection; undefined if nothing. */
  explain(error: unknown): AppError | undefined
  /**
   * Whether a server's own error rejected a request for its token, and another token is available for one retry. Rejects if the user has to
   * sign in.
   */
  renews?(error: unknown): Promise<boolean>
  /** Why the server can't send anything, if that can be determined. */
  diagnoseSilence?(): Promise<AppError | undefined>
}
