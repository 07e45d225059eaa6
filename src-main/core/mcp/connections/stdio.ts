import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { exitError } from '../../failure/describe-failure'
import { MessageFraming } from '../../lines/message-framing'
import type { ChildExit, RunningChild, Traffic } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import type { JsonObject } from '../json/json-rpc'
import {
  type Connection,
  ConnectionClosedError,
  type PostOptions,
  type Receiver,
} from '../peer/connection'
import { missingStdin } from './missing-stdin'

/** Largest message taken from a server where none is set, in bytes (B2). */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024
/** How long the exit of a child whose pipes are closed is waited for, in ms: a busy computer takes its time, and one that lives on is told apart by this. */
const EXIT_MS = 2_000
/** Longest wait for exit code and last lines of a server that is going, in ms (B7). */
const DRAIN_MS = 250
/** Turns that are given to what still waits when the server is gone. */
const MAX_LAST_TURNS = 1_000
/** A server that leaves this many bytes unread is sent nothing more. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
/** How long a server has to read a message before the next, where each has a write of its own, in ms. */
const WRITE_PAUSE_MS = 50
/** Of a chunk of stderr that may hold an answer. */
const MAX_STRAY_BYTES = 64 * 1024
const HEADERS =
  'The server’s messages have Content-Length headers, as in LSP. MCP uses one message per line.'

export type StdioOptions = {
  /** A line on stdout that is no JSON-RPC message (B4), without its end. */
  readonly onNoise: (line: Buffer) => void
  readonly onWarning: (message: string) => void
  readonly maxMessageBytes?: number | undefined
  /** Each message gets a write of its own, with a pause after it: for a server that reads one message of each chunk. */
  readonly singleWrites?: boolean | undefined
}

/**
 * MCP's stdio transport (one JSON-RPC message a line) over a child that already runs. Framing is linear in the bytes; the
 * end of stdout or of the child closes the connection, whoever else holds the pipe (B7). The child's whole process tree
 * and the connection end together.
 */
export class StdioConnection implements Connection {
  readonly isAlone = false
  readonly hasRequestStreams = false
  readonly ended: Promise<void>
  readonly #child: RunningChild
  readonly #options: StdioOptions
  readonly #stop: GracefulStop
  readonly #framing: MessageFraming
  #receiver: Receiver | undefined
  #exit: ChildExit | undefined
  /** The one wait for it, whoever needs it. */
  #exitMoment: Promise<void> | undefined
  #isStopping = false
  #hasExitedUnasked = false
  #isClosed = false
  /** Settles when the next message may be written, where each has a write of its own. */
  #written: Promise<void> = Promise.resolve()
  /** A request went unanswered: a server that reads only the first message of a write gets each in its own. */
  #writesSingly = false
  #heardAt = performance.now()

  constructor(child: RunningChild, options: StdioOptions) {
    this.#child = child
    this.#options = options
    this.#stop = new GracefulStop(child, DEFAULT_STOP_GRACE, options.onWarning)
    this.#framing = new MessageFraming(
      options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      (line) => this.#read(line),
      (message) => this.#receiver?.oversized(message),
      () => this.#receiver?.report('decoratedLines', HEADERS),
    )
    void child.exited.then((exit) => {
      this.#exit = exit
      this.#hasExitedUnasked = !this.#isStopping
    })
    this.ended = new Promise((resolve) => void child.stdout.once('close', () => resolve()))
  }

  get pid(): number {
    return this.#child.pid
  }

  get tree(): ProcessTree {
    return this.#child.tree
  }

  get exit(): ChildExit | undefined {
    return this.#exit
  }

  get heardAt(): number {
    return this.#heardAt
  }

  get traffic(): Traffic {
    return this.#child.traffic()
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  attach(receiver: Receiver): void {
    this.#receiver = receiver
  }

  open(): Promise<void> {
    const { stdin, stdout, stderr, exited } = this.#child
    stderr.on('data', (chunk: Buffer) => this.#lookForAnswers(chunk))
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
        this.#receiver?.warn(error)
        resolve()
      })
    })
    // EPIPE of a child that is going, or that reads no more: nothing can be asked of it.
    const broken = new Promise<void>((resolve) => {
      stdin.on('error', (error) => {
        this.#receiver?.warn(error)
        resolve()
      })
    })
    void this.#closeAfter(Promise.race([ended, broken]), ended, exited)
    return Promise.resolve()
  }

  post(_message: JsonObject, text: string, { onDone }: PostOptions): void {
    if (!this.#options.singleWrites) this.#write(text, onDone)
    else
      this.#written = this.#written.then(() => {
        this.#write(text, onDone)
        return delay(WRITE_PAUSE_MS, undefined, { ref: false })
      })
  }

  abandon(_id: number, isLost: boolean): void {
    this.#writesSingly ||= isLost
  }

  setPaused(isPaused: boolean): void {
    const { stdout } = this.#child
    if (isPaused) stdout.pause()
    else if (stdout.isPaused()) stdout.resume()
  }

  /** Messages over pipes do not depend on the version. */
  setProtocolVersion(): void {
    return undefined
  }

  close(): Promise<void> {
    return this.stop()
  }

  /** One whose pipes are broken may be about to exit: its exit code is the reason, where it comes within a moment. */
  async stop(): Promise<void> {
    const from = performance.now()
    if (!this.#isStopping && this.#isBroken()) await this.#untilExit()
    this.#isStopping = true
    // A stop takes no longer for it (B6).
    await this.#stop.stop(performance.now() - from)
    this.#close()
  }

  escalate(): void {
    void this.#stop.escalate()
  }

  diagnoseSilence(): Promise<AppError | undefined> {
    return this.#child.traffic().bytesIn === 0
      ? missingStdin(this.#child.tree)
      : Promise.resolve(undefined)
  }

  async endKnown(): Promise<void> {
    if (this.#exit) return
    await this.#untilExit()
    await this.#child.drainStderr()
  }

  endReason(when: string): AppError {
    // The exit of a child that was ended because its pipes broke says nothing of why they broke.
    return exitError(this.#hasExitedUnasked ? this.#exit : undefined, when)
  }

  explain(): undefined {
    return undefined
  }

  #write(text: string, onDone: PostOptions['onDone']): void {
    const { stdin } = this.#child
    if (!stdin.writable) {
      onDone(closedError())
      return
    }
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      onDone(unreadError())
      return
    }
    const isSingle = this.#writesSingly || this.#options.singleWrites
    // One request alone gets its write immediately.
    if (!isSingle && (this.#receiver?.waiting ?? 0) > 1) this.#gather()
    stdin.write(`${text}\n`, (error) => onDone(error ? closedError(error) : undefined))
  }

  /** Some servers write errors on stderr as they would on stdout; floods are not looked through. */
  #lookForAnswers(chunk: Buffer): void {
    const receiver = this.#receiver
    if (!receiver?.waiting || chunk.length >= MAX_STRAY_BYTES || !chunk.includes('"jsonrpc"'))
      return
    for (const line of chunk.toString().split('\n'))
      if (line.includes('"jsonrpc"')) receiver.stray(Buffer.from(line), 'stderr')
  }

  #read(line: Buffer): void {
    try {
      if (this.#receiver?.read(line) === false) this.#options.onNoise(line)
    } catch (error) {
      this.#receiver?.warn(error)
    }
  }

  /** The messages of one turn go in one write while several requests wait, so that the server wakes up once for all. */
  #gather(): void {
    const { stdin } = this.#child
    if (stdin.writableCorked > 0) return
    stdin.cork()
    setImmediate(() => stdin.uncork())
  }

  /** Waits for both ends and for stderr a moment, so that last answers and the reason arrive (B7). */
  async #closeAfter(
    cut: Promise<void>,
    ended: Promise<void>,
    exited: Promise<unknown>,
  ): Promise<void> {
    await Promise.race([cut, exited])
    await within(DRAIN_MS, Promise.all([exited, ended, this.#child.drainStderr()]))
    // A timer comes before what is there to be read: two turns, so that it is read.
    await nextTurn()
    await nextTurn()
    // Bounded, as a server that only stopped reading may flood on.
    for (let turn = 0; this.#receiver?.isIdle === false && turn < MAX_LAST_TURNS; turn += 1)
      await nextTurn()
    this.#close()
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#receiver?.closed()
  }

  #untilExit(): Promise<void> {
    this.#exitMoment ??= within(EXIT_MS, this.#child.exited)
    return this.#exitMoment
  }

  #isBroken(): boolean {
    const { stdin, stdout } = this.#child
    return !stdin.writable || stdout.readableEnded || stdout.destroyed
  }
}

function closedError(cause?: Error): ConnectionClosedError {
  return new ConnectionClosedError('The server no longer reads its input.', { cause })
}

function unreadError(): AppError {
  const held = String(MAX_UNREAD_BYTES / 1024 / 1024)
  return new AppError(
    'SERVER_NOT_READING',
    `The server has not read ${held} MB of its input, so Patchbay sends nothing more.`,
    { hint: 'The server is busy or stuck. Wait, or restart it.' },
  )
}

/** Settles with the work, or when so many ms are over; rejects as the work does. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController()
  try {
    await Promise.race([
      work,
      delay(ms, undefined, { signal: limit.signal }).catch(() => undefined), // aborted: nobody waits
    ])
  } finally {
    limit.abort()
  }
}
