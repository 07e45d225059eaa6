import { setImmediate as nextTurn } from 'node:timers/promises'

import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { MessageFraming } from '../../lines/message-framing'
import type { RunningChild } from '../../process/spawn/child-process'
import { readMessages } from '../json/read-message'
import { oversizedMessage, tooDeepMessage, type UnreadMessage } from '../json/unread-message'
import { OwnRequests } from '../messages/own-requests'
import { type Fault, PendingRequests, refusal } from '../messages/pending-requests'
import { tellLine } from '../messages/tell-line'
import { withOwnMethod } from '../messages/unread-method'
import type { MessageTap } from '../peer/message-tap'
import { MessageTurns } from '../peer/message-turns'
import { within } from '../peer/within'

/** Largest message taken from a server where none is set, in bytes (B2). */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

/** Longest wait for exit code and last lines of a server that is going, in ms (B7). */
const DRAIN_MS = 250
/** Turns that are given to what still waits when the server is gone. */
const MOST_LAST_TURNS = 1_000
/** A server that leaves this many bytes unread is asked nothing more. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

const METHOD_NOT_FOUND = -32_601
/** Messages kept for a client that is not attached yet. */
const MOST_EARLY = 1_000

export type StdioTransportOptions = {
  /** A line on stdout that is no JSON-RPC message (B4), without its end. */
  readonly onNoise: (line: Buffer) => void
  /** Something against the protocol (B3), with a sentence about this one case. */
  readonly onFault: (fault: Fault, detail: string) => void
  /** Ends the child, staged (B6); called by the SDK's `close`. */
  readonly stop: () => Promise<void>
  readonly maxMessageBytes?: number | undefined
  /** Takes note of every message. */
  readonly tap?: MessageTap | undefined
}

/**
 * MCP's stdio transport (one JSON-RPC message a line) over a child that already runs, behind the SDK's
 * `Transport`. Framing is linear in the bytes; noise is set aside and the protocol goes on; the end of
 * stdout or of the child closes the connection at once, whoever else holds the pipe (B7).
 */
export class StdioTransport implements Transport {
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']

  /** What is asked beside the SDK. */
  readonly own = new OwnRequests((message, onSent) => this.#post(message, onSent))

  readonly #framing: MessageFraming
  readonly #pending: PendingRequests
  readonly #maxBytes: number
  readonly #turns: MessageTurns
  /** What came before a client was attached. */
  #early: JSONRPCMessage[] = []
  /** The answer to `initialize`, for the client that is attached next. */
  #initialized: Readonly<Record<string, unknown>> | undefined
  #isStarted = false
  #closed = false
  #heardAt = performance.now()

  constructor(
    private readonly child: Pick<RunningChild, 'stdin' | 'stdout' | 'exited' | 'drainStderr'>,
    private readonly options: StdioTransportOptions,
  ) {
    this.#maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    this.#pending = new PendingRequests(options.onFault)
    this.#turns = new MessageTurns({
      deliver: (message) => this.#guard(() => this.#deliver(message)),
      onFull: (isFull) => this.#holdBack(isFull),
    })
    this.#framing = new MessageFraming(
      this.#maxBytes,
      (line) => this.#guard(() => this.#read(line)),
      (message) => this.#guard(() => this.#letGo(oversizedMessage(message, this.#maxBytes))),
    )
  }

  /** When the server last wrote anything, by `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt
  }

  setProtocolVersion(version: string): void {
    this.#pending.speaks(version)
  }

  /** A client that is attached next gets this answer to its `initialize`, which then is not sent again. */
  adoptInitialize(result: Readonly<Record<string, unknown>>): void {
    this.#initialized = result
  }

  /** Hands on what came before a client was attached. */
  deliverEarly(): void {
    for (const message of this.#early.splice(0)) this.#guard(() => this.onmessage?.(message))
  }

  /** Begins to read; a second call does nothing. */
  start(): Promise<void> {
    if (this.#isStarted) return Promise.resolve()
    this.#isStarted = true
    const { stdin, stdout, exited } = this.child
    stdout.on('data', (chunk: Buffer) => {
      this.#heardAt = performance.now()
      this.#framing.push(chunk)
    })
    const ended = new Promise<void>((resolve) => {
      stdout.once('end', () => {
        this.#framing.end()
        resolve()
      })
      stdout.once('error', (error) => {
        this.onerror?.(error)
        resolve()
      })
    })
    // EPIPE of a child that is going, or that reads no more: nothing can be asked of it.
    const broken = new Promise<void>((resolve) => {
      stdin.on('error', (error) => {
        this.onerror?.(error)
        resolve()
      })
    })
    void this.#closeAfter(Promise.race([ended, broken]), ended, exited)
    return Promise.resolve()
  }

  /** Settles when the server's pipe has taken the message, so that a sender feels its pace. */
  send(message: JSONRPCMessage): Promise<void> {
    const result = this.#initialized
    if (result && isInitialize(message)) {
      this.#initialized = undefined
      queueMicrotask(() =>
        this.#guard(() => this.onmessage?.({ jsonrpc: '2.0', id: message.id, result })),
      )
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      this.#post(message, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** `onSent`: the pipe has taken it, or broke. Throws where it cannot be sent at all. */
  #post(message: JSONRPCMessage, onSent: (error?: Error) => void): void {
    const { stdin } = this.child
    const isRequest = 'method' in message && 'id' in message
    // Who gives a request up waits for it no more, also where the server cannot be told so.
    if (!isRequest) this.#pending.sent(message)
    if (!stdin.writable) throw sendError()
    if (stdin.writableLength > MAX_UNREAD_BYTES) throw unreadError()
    const sent = withOwnMethod(message)
    const line = encode(sent)
    if (this.#pending.isWaiting) this.#gather()
    if (isRequest) this.#pending.sent(message)
    const isAnswer = !('method' in message)
    if (isAnswer) this.#turns.answerSent()
    stdin.write(line, (error) => {
      if (isAnswer) this.#turns.answerRead()
      onSent(error ? sendError(error) : undefined)
    })
    // The server may be at work by now.
    this.options.tap?.sent(sent, line)
  }

  /** What is sent in one turn while the server works goes in one write: it wakes up once for all of it. */
  #gather(): void {
    const { stdin } = this.child
    if (stdin.writableCorked > 0) return
    stdin.cork()
    setImmediate(() => stdin.uncork())
  }

  async close(): Promise<void> {
    await this.options.stop()
    this.#close()
  }

  /** Waits for both ends and for stderr a moment, so that last answers and the reason arrive; who waits for an answer waits no longer (B7). */
  async #closeAfter(
    cut: Promise<void>,
    ended: Promise<void>,
    exited: Promise<unknown>,
  ): Promise<void> {
    await Promise.race([cut, exited])
    await within(DRAIN_MS, Promise.all([exited, ended, this.child.drainStderr()]))
    // A timer comes before what is there to be read: two turns, so that it is read.
    await nextTurn()
    await nextTurn()
    // Bounded, as a server that only stopped reading may flood on.
    for (let turn = 0; !this.#turns.isEmpty && turn < MOST_LAST_TURNS; turn += 1) await nextTurn()
    this.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
    this.own.close()
  }

  #read(line: Buffer): void {
    const read = readMessages(line)
    if (read === undefined) {
      this.#setAside(line)
      return
    }
    // Who only takes note keeps nothing from who waits.
    this.#guard(() => tellLine(read, this.options.onFault))
    this.#guard(() => this.options.tap?.received(read, line))
    this.own.note(line, read)
    this.#turns.add(read.messages)
  }

  /** What is nested too deep may be a message all the same, which somebody waits for. */
  #setAside(line: Buffer): void {
    const deep = tooDeepMessage(line)
    if (deep && (deep.envelope || deep.isCall)) this.#letGo(deep)
    else this.options.onNoise(line)
  }

  #letGo({ fault, detail, failure, envelope }: UnreadMessage): void {
    this.options.onFault(fault, detail)
    if (envelope?.kind === 'request') {
      this.#sendBack(refusal(envelope.id, failure.message))
      return
    }
    const failed = envelope && this.#pending.fail(envelope.id, failure)
    if (failed) this.#hand(failed, failed)
  }

  #holdBack(isFull: boolean): void {
    const { stdout } = this.child
    if (isFull) stdout.pause()
    else if (stdout.isPaused()) stdout.resume()
  }

  #deliver(message: JSONRPCMessage): void {
    const verdict = this.#pending.judge(message)
    switch (verdict.kind) {
      case 'deliver':
        this.#hand(verdict.message, message)
        return
      case 'refuse':
        this.#sendBack(verdict.answer)
        return
      case 'drop':
    }
  }

  #hand(judged: JSONRPCMessage, message: JSONRPCMessage): void {
    if (this.own.take(judged, message)) return
    if (this.onmessage) this.onmessage(judged)
    else this.#handEarly(judged)
  }

  /** Before a client is attached a server may ping and log, and request nothing else (MCP, lifecycle). */
  #handEarly(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      const { id, method } = message
      const isPing = method === 'ping'
      this.#sendBack(isPing ? { jsonrpc: '2.0', id, result: {} } : unavailable(id, method))
    } else if (this.#early.length < MOST_EARLY) this.#early.push(message)
  }

  #sendBack(answer: JSONRPCMessage): void {
    this.send(answer).catch((error: unknown) => this.#tell(error))
  }

  /** Does what comes of one message. What that throws is told: thrown on, it would reach the stream and end the app. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#tell(error)
    }
  }

  #tell(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)))
  }
}

function unavailable(id: string | number, method: string): JSONRPCMessage {
  const message = `${method} is not available before initialize`
  return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message } }
}

function isInitialize(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.method === 'initialize'
}

/** JSON has them in its texts as they are, and some servers take them for the end of a line. */
const LINE_SEPARATOR = /[\u2028\u2029]/u
const LINE_SEPARATORS = /[\u2028\u2029]/gu
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16)}`

function encode(message: JSONRPCMessage): string {
  try {
    const text = JSON.stringify(message)
    return `${LINE_SEPARATOR.test(text) ? text.replace(LINE_SEPARATORS, escaped) : text}\n`
  } catch (cause) {
    // V8's longest string: about 512 MB.
    throw new AppError('MESSAGE_TOO_LARGE', 'This request is too large to be sent.', {
      cause,
      hint: 'Send less at a time.',
    })
  }
}

function sendError(cause?: Error): SdkError {
  const message = 'The server no longer reads its input.'
  return new SdkError(SdkErrorCode.SendFailed, message, undefined, { cause })
}

function unreadError(): AppError {
  const held = String(MAX_UNREAD_BYTES / 1024 / 1024)
  return new AppError(
    'SERVER_NOT_READING',
    `The server has left ${held} MB of its input unread, so nothing more is sent to it.`,
    { hint: 'It is busy or stuck. Wait for it, or restart it.' },
  )
}
