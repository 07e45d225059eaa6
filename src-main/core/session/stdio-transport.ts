import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import type { RunningChild } from '../process/child-process'
import { MessageFraming, type OversizedMessage } from '../process/message-framing'
import { type Fault, PendingRequests, refusal } from './pending-requests'
import { readEnvelope } from './read-envelope'
import { readMessages } from './read-message'

/** Largest message taken from a server where none is set, in bytes (B2). */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

/** Longest wait for exit code and last lines of a server that is going, in ms (B7). */
const DRAIN_MS = 250
/** Requests and notifications that are handed on in one turn; a server that asks without end gets no more of the app's time. */
const CALLS_A_TURN = 100
/** Messages that may wait for their turn before no more is read; a server that floods is held back by its pipe. */
const MAX_WAITING = 1_000
/** A server that asks and does not read our answers is heard again once it has read half of these. */
const MAX_UNREAD_ANSWERS = 1_000
/** A server that leaves this many bytes unread is asked nothing more. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

export type StdioTransportOptions = {
  /** A line on stdout that is no JSON-RPC message (B4), without its end. */
  readonly onNoise: (line: Buffer) => void
  /** Something against the protocol (B3), with a sentence about this one case. */
  readonly onFault: (fault: Fault, detail: string) => void
  /** Ends the child, staged (B6); called by the SDK's `close`. */
  readonly stop: () => Promise<void>
  readonly maxMessageBytes?: number | undefined
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

  readonly #framing: MessageFraming
  readonly #pending: PendingRequests
  readonly #maxBytes: number
  /** Messages behind a notification, waiting for their turn; see `#drain`. */
  #waiting: JSONRPCMessage[] = []
  /** Those before it were delivered; taking each out of a long array would move all the others. */
  #next = 0
  #isTurnOver = false
  #unreadAnswers = 0
  /** The next message is a request, and too many answers wait to be read. */
  #isHeld = false
  #closed = false

  constructor(
    private readonly child: Pick<RunningChild, 'stdin' | 'stdout' | 'exited' | 'drainStderr'>,
    private readonly options: StdioTransportOptions,
  ) {
    this.#maxBytes = options.maxMessageBytes ?? MAX_MESSAGE_BYTES
    this.#pending = new PendingRequests(options.onFault)
    this.#framing = new MessageFraming(
      this.#maxBytes,
      (line) => this.#read(line),
      (message) => this.#onOversized(message),
    )
  }

  start(): Promise<void> {
    const { stdin, stdout, exited } = this.child
    stdout.on('data', (chunk: Buffer) => this.#framing.push(chunk))
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
  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.child
    if (!stdin.writable) throw sendError()
    if (stdin.writableLength > MAX_UNREAD_BYTES) throw unreadError()
    const line = encode(message)
    this.#pending.sent(message)
    const isAnswer = !('method' in message)
    if (isAnswer) this.#unreadAnswers += 1
    await new Promise<void>((resolve, reject) => {
      stdin.write(line, (error) => {
        if (isAnswer) this.#onAnswerRead()
        if (error) reject(sendError(error))
        else resolve()
      })
    })
  }

  async close(): Promise<void> {
    await this.options.stop()
    this.#close()
  }

  /** Waits for the other of the two ends and for stderr a moment, so that last answers and the reason arrive. */
  async #closeAfter(
    cut: Promise<void>,
    ended: Promise<void>,
    exited: Promise<unknown>,
  ): Promise<void> {
    await Promise.race([cut, exited])
    const limit = new AbortController()
    await Promise.race([
      Promise.all([ended, exited, this.child.drainStderr()]),
      delay(DRAIN_MS, undefined, { signal: limit.signal }).catch(() => undefined), // aborted: nobody waits
    ])
    limit.abort()
    // A timer comes before what is there to be read: two turns, so that it is read.
    await nextTurn()
    await nextTurn()
    // Bounded, as a server that only stopped reading may flood on.
    for (let turn = 0; this.#waiting.length > 0 && turn < MAX_WAITING; turn += 1) await nextTurn()
    this.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }

  #read(line: Buffer): void {
    const read = readMessages(line)
    if (read === undefined) {
      this.options.onNoise(line)
      return
    }
    if (read.decorated) {
      const detail = 'A message that had to be freed of a byte order mark or of colours first.'
      this.options.onFault('decoratedLines', detail)
    }
    for (const message of read.messages) this.#waiting.push(message)
    if (this.#isTurnOver) this.#holdBack()
    else this.#drain()
  }

  #onOversized(message: OversizedMessage): void {
    const told = `${megabytes(message.bytes)} MB, the limit is ${megabytes(this.#maxBytes)} MB`
    const failure = new AppError(
      'MESSAGE_TOO_LARGE',
      `The server’s message is too large: ${told}.`,
      {
        hint: 'Ask for less at a time, or raise the limit in Settings.',
      },
    )
    const envelope = readEnvelope(message)
    const owner = envelope === undefined ? 'It cannot be told whose it is' : `Id ${envelope.id}`
    this.options.onFault('oversizedMessages', `A message was let go: ${told}. ${owner}.`)
    if (envelope?.kind === 'request') {
      this.#sendBack(refusal(envelope.id, failure.message))
      return
    }
    const failed = envelope && this.#pending.failOversized(envelope.id, failure)
    if (failed) this.#hand(failed)
  }

  /**
   * The SDK handles a response at once but a notification a microtask later, so a last progress that
   * shares a chunk with its answer would come after it: what is no notification waits one turn behind one.
   * What asks for work comes in turns, so that others get theirs.
   */
  #drain(): void {
    this.#isTurnOver = false
    let isBehind = false
    let calls = 0
    for (let message = this.#waiting[this.#next]; message; message = this.#waiting[this.#next]) {
      const isNotification = !('id' in message)
      if ((isBehind && !isNotification) || calls === CALLS_A_TURN) break
      if (this.#mustWait(message)) break
      isBehind ||= isNotification
      if ('method' in message) calls += 1
      this.#next += 1
      this.#deliver(message)
    }
    if (this.#next * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    this.#holdBack()
    if (!isBehind && this.#waiting.length === 0) return
    this.#isTurnOver = true
    if (!this.#isHeld) setImmediate(() => this.#drain())
  }

  #mustWait(message: JSONRPCMessage): boolean {
    const isRequest = 'id' in message && 'method' in message
    this.#isHeld = isRequest && this.#unreadAnswers >= MAX_UNREAD_ANSWERS
    return this.#isHeld
  }

  #onAnswerRead(): void {
    this.#unreadAnswers -= 1
    if (!this.#isHeld || this.#unreadAnswers > MAX_UNREAD_ANSWERS / 2) return
    this.#isHeld = false
    setImmediate(() => this.#drain())
  }

  #holdBack(): void {
    const { stdout } = this.child
    if (this.#waiting.length - this.#next > MAX_WAITING) stdout.pause()
    else if (stdout.isPaused()) stdout.resume()
  }

  #deliver(message: JSONRPCMessage): void {
    const verdict = this.#pending.judge(message)
    switch (verdict.kind) {
      case 'deliver':
        this.#hand(verdict.message)
        return
      case 'refuse':
        this.#sendBack(verdict.answer)
        return
      case 'drop':
    }
  }

  #hand(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message)
    } catch (error) {
      // Thrown on, it would reach the stream and end the app.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #sendBack(answer: JSONRPCMessage): void {
    this.send(answer).catch((error: unknown) => {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    })
  }
}

function encode(message: JSONRPCMessage): string {
  try {
    return `${JSON.stringify(message)}\n`
  } catch (cause) {
    // V8's longest string: about 512 MB.
    throw new AppError('MESSAGE_TOO_LARGE', 'This request is too large to be sent.', {
      cause,
      hint: 'Send less at a time.',
    })
  }
}

function megabytes(bytes: number): string {
  return String(Math.ceil((bytes / 1024 / 1024) * 10) / 10)
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
