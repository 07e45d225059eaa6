import { stripVTControlCharacters } from 'node:util'

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

import type { RunningChild } from '../process/child-process'
import { MessageFraming } from '../process/message-framing'

/** Largest message taken from a server, in bytes (B2). */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

const DRAIN_MS = 250
const NOISE_PREVIEW = 2_000

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
  /** Messages behind a notification, waiting for their turn; see `#deliver`. */
  #waiting: JSONRPCMessage[] | undefined
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
    // EPIPE of a child that is going; the write that met it has its own rejection.
    stdin.on('error', (error) => this.onerror?.(error))
    void this.#closeAfter(ended, exited)
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.child
    if (!stdin.writable) return Promise.reject(new Error('The server no longer reads its input.'))
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  async close(): Promise<void> {
    await this.options.stop()
    this.#close()
  }

  /** Waits for the other of the two ends a moment, so that last answers and the exit code arrive. */
  async #closeAfter(ended: Promise<void>, exited: Promise<unknown>): Promise<void> {
    await Promise.race([ended, exited])
    await Promise.race([
      Promise.all([ended, exited]),
      new Promise((resolve) => setTimeout(resolve, DRAIN_MS)),
    ])
    while (this.#waiting) this.#drain()
    this.#close()
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }

  #read(line: Buffer): void {
    const text = line.toString('utf8')
    const value = parseJson(text) ?? parseJson(withoutDecoration(text))
    const messages = Array.isArray(value) ? value : [value]
    if (messages.length > 0 && messages.every(isJsonRpc)) {
      for (const message of messages) this.#deliver(message)
    } else {
      this.options.onNoise(text.slice(0, NOISE_PREVIEW))
    }
  }

  /**
   * The SDK handles a response at once but a notification a microtask later, so a last progress that
   * shares a chunk with its answer would come after it: all behind a notification waits one turn.
   */
  #deliver(message: JSONRPCMessage): void {
    if (this.#waiting) {
      this.#waiting.push(message)
      return
    }
    this.onmessage?.(message)
    if (!('id' in message)) {
      this.#waiting = []
      setImmediate(() => this.#drain())
    }
  }

  #drain(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const message of waiting) this.#deliver(message)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not JSON: the caller sets the line aside
  }
}

function withoutDecoration(text: string): string {
  return stripVTControlCharacters(text.replace(/^\uFEFF/u, '')).trim()
}

function isJsonRpc(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
  )
}
