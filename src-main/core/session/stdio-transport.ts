import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client'

import type { RunningChild } from '../process/child-process'
import { MessageFraming } from '../process/message-framing'
import { readMessages } from './read-message'

/** Largest message taken from a server, in bytes (B2). */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

const DRAIN_MS = 250
const NOISE_PREVIEW = 2_000
/** Messages that may wait for their turn before no more is read; a server that floods is held back by its pipe. */
const MAX_WAITING = 1_000
/** A server that leaves this many bytes unread is asked nothing more. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024

export type StdioTransportOptions = {
  /** A line on stdout that is no JSON-RPC message (B4). */
  readonly onNoise: (line: string) => void
  /** Ends the child, staged (B6); called by the SDK's `close`. */
  readonly stop: () => Promise<void>
  readonly maxMessageBytes?: number
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
  /** Messages behind a notification, waiting for their turn; see `#drain`. */
  readonly #waiting: JSONRPCMessage[] = []
  #isTurnOver = false
  #closed = false

  constructor(
    private readonly child: RunningChild,
    private readonly options: StdioTransportOptions,
  ) {
    this.#framing = new MessageFraming(
      options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      (line) => this.#read(line),
      (bytes) =>
        options.onNoise(`(a message of ${String(bytes)} bytes is over the limit and was dropped)`),
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

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.child
    if (!stdin.writable) return Promise.reject(sendError())
    if (stdin.writableLength > MAX_UNREAD_BYTES)
      return Promise.reject(new Error('The server does not read its input.'))
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) =>
        error ? reject(sendError(error)) : resolve(),
      )
    })
  }

  async close(): Promise<void> {
    await this.options.stop()
    this.#close()
  }

  /** Waits for the other of the two ends a moment, so that last answers and the exit code arrive. */
  async #closeAfter(
    cut: Promise<void>,
    ended: Promise<void>,
    exited: Promise<unknown>,
  ): Promise<void> {
    await Promise.race([cut, exited])
    await Promise.race([
      Promise.all([ended, exited]),
      new Promise((resolve) => setTimeout(resolve, DRAIN_MS)),
    ])
    while (this.#waiting.length > 0) this.#drain()
    this.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }

  #read(line: Buffer): void {
    const messages = readMessages(line)
    if (messages === undefined) {
      this.options.onNoise(line.toString('utf8', 0, NOISE_PREVIEW))
      return
    }
    for (const message of messages) this.#waiting.push(message)
    if (this.#isTurnOver) this.#holdBack()
    else this.#drain()
  }

  /**
   * The SDK handles a response at once but a notification a microtask later, so a last progress that
   * shares a chunk with its answer would come after it: what is no notification waits one turn behind one.
   */
  #drain(): void {
    this.#isTurnOver = false
    let taken = 0
    let isBehind = false
    for (const message of this.#waiting) {
      const isNotification = !('id' in message)
      if (isBehind && !isNotification) break
      isBehind ||= isNotification
      taken += 1
      this.#deliver(message)
    }
    this.#waiting.splice(0, taken)
    this.#holdBack()
    if (!isBehind) return
    this.#isTurnOver = true
    setImmediate(() => this.#drain())
  }

  #holdBack(): void {
    const { stdout } = this.child
    if (this.#waiting.length > MAX_WAITING) stdout.pause()
    else if (stdout.isPaused()) stdout.resume()
  }

  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message)
    } catch (error) {
      // Thrown on, it would reach the stream and end the app.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

function sendError(cause?: Error): SdkError {
  const message = 'The server no longer reads its input.'
  return new SdkError(SdkErrorCode.SendFailed, message, undefined, { cause })
}
