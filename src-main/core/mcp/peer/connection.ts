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
/** Gets a departure from the protocol (B3), with a sentence about this one case. */
export type OnFault = (fault: Fault, detail: string) => void

/** Records the messages of one session. Each message calls it, so it has to be quick. */
export type MessageTap = {
  sent(message: JSONRPCMessage, text: string): void
  /** `text`: what came for all of them; nobody changes it any more. */
  received(read: ReadText, text: Buffer): void
}

/** A message was not sent, or can't be answered any more, because the connection is gone. */
export class ConnectionClosedError extends Error {
  override readonly name = 'ConnectionClosedError'

  constructor(message = 'The connection is closed.', options?: ErrorOptions) {
    super(message, options)
  }
}

/** What a connection reports; the peer is the one that implements it. */
export type Receiver = {
  readonly waiting: number
  /** Reads a line, body or event; `id`: the request whose answer it should hold. False where it holds no message. */
  read(text: Buffer, id?: number): boolean
  oversized(message: OversizedMessage, id?: number): void
  isPending(id: number): boolean
  /** A request can't be answered any more; does nothing where it was. */
  fail(id: number, error: unknown): void
  /** As `fail` for a request whose connection was cut while the server may work on it: the server is asked to cancel it. */
  cut(id: number, host: string, cause?: unknown): void
  /** A message came on another way than messages should, named by `way`. */
  stray(text: Buffer, way: string): void
  warn(error: unknown): void
  closed(): void
  report: OnFault
}

export type PostOptions = {
  /** Called once: the other side has taken the message, or it could not be sent. */
  readonly onDone: (error?: unknown) => void
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Carries JSON-RPC messages to one server and back, and owns all that has to end with that. */
export type Connection = {
  /** Of the child, where there is one; `tree`: with all that it started; `exit`: once it has exited. */
  readonly pid: number | undefined
  readonly tree: ProcessTree | undefined
  readonly exit: ChildExit | undefined
  /** When the server last sent anything, by `performance.now()`. */
  readonly lastMessageAt: number
  readonly byteCounts: ByteCounts
  /** Whether it holds what another one would need as well, such as a port. */
  readonly isAlone: boolean
  /** Whether each request has a response stream of its own (Streamable HTTP). */
  readonly hasRequestStreams: boolean
  readonly isStopping: boolean
  /** Settles when the message count grows no more. */
  readonly ended: Promise<void>
  /** Names the one that everything is reported to; call once, before anything else. */
  attach(receiver: Receiver): void
  open(): Promise<void>
  /** Sends one message; `text` is its JSON. Never throws. */
  post(message: JsonObject, text: string, options: PostOptions): void
  /** Nobody waits for the answer to a request any more; `isLost`: it did not come in time. */
  abandon(id: number, isLost: boolean): void
  /** The far side of its streams may be gone without a word, as after a sleep: they are opened again. */
  renewStreams?(): void
  setPaused(isPaused: boolean): void
  setProtocolVersion?(version: string): void
  /** Closes it without a farewell. */
  close(): Promise<void>
  /** Ends it in stages (B6); every call shares one promise. */
  stop(): Promise<void>
  escalate(): void
  /** Where the exit may come a moment after the connection has broken: settles with it, or once it is not to be expected. */
  endKnown?(): Promise<void>
  /** Why it is gone, as far as that is known yet. */
  endReason(moment: EndMoment): AppError
  /** What a failure of a request says about the connection; undefined where it says nothing. */
  explain(error: unknown): AppError | undefined
  /** Whether a server rejected a request for its token, in an error of its own, and another token is there for one more try. Rejects where the user has to sign in. */
  renews?(error: unknown): Promise<boolean>
  /** Why nothing can come, where that can be known. */
  diagnoseSilence?(): Promise<AppError | undefined>
}
