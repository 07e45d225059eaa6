import { readFile, readlink } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { type EndMoment, exitError } from '../../failure/describe-failure'
import { within } from '../../lifecycle/time-limit'
import { MessageFraming } from '../../lines/message-framing'
import type { ByteCounts, ChildExit, RunningChild } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import { readText } from '../json/json-rpc'
import {
  type Connection,
  ConnectionClosedError,
  type PostOptions,
  type Receiver,
} from '../peer/connection'

/** Default maximum message size from a server, in bytes (B2). */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024
/** Time to wait for the exit of a child whose pipes are closed, in ms: a busy computer is slow. */
const EXIT_MS = 2_000
const DRAIN_MS = 250
/** A server that leaves this many bytes unread gets no more messages. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
/** Pause between messages if each has its own write, in ms. */
const WRITE_PAUSE_MS = 50
const MAX_STRAY_BYTES = 64 * 1024
/** Programs that start others and read no messages themselves. */
const STARTERS = /^(?:ba|da|a|z|k|mk)?sh$|^(?:busybox|tini|dumb-init|env)$/u
const SPREAD = 'Repaired: a message is spread over several lines.'
const HEADERS =
  'The server’s messages have Content-Length headers, as in LSP. MCP uses one message per line.'

export type StdioOptions = {
  /** A line on stdout that is no JSON-RPC message (B4), without line ending. */
  readonly onNoise: (line: Buffer) => void
  readonly onWarning: (message: string) => void
  readonly maxMessageBytes?: number | undefined
  /** Sends each message in its own write, with a pause, for a server that reads one message per chunk. */
  readonly singleWrites?: boolean | undefined
}

/** MCP's stdio transport over a child. Closes at the end of stdout or of the child, even if another process holds the pipe (B7). */
export class StdioConnection implements Connection {
  readonly isAlone = false
  readonly hasRequestStreams = false
  readonly pid: number
  readonly tree: ProcessTree
  readonly ended: Promise<void>
  exit: ChildExit | undefined
  isStopping = false
  lastMessageAt = performance.now()
  readonly #child: RunningChild
  readonly #options: StdioOptions
  readonly #stop: GracefulStop
  readonly #framing: MessageFraming
  #receiver: Receiver | undefined
  #exitMoment: Promise<unknown> | undefined
  readonly #joiner = new LineJoiner()
  #hasExitedUnasked = false
  #hasEnded = false
  /** Settles when the next message may be written, if each has its own write. */
  #written: Promise<void> = Promise.resolve()
  /** A request timed out: a server that reads only the first message of a write gets each in its own. */
  #writesSingly = false

  constructor(child: RunningChild, options: StdioOptions) {
    this.#child = child
    this.pid = child.pid
    this.tree = child.tree
    this.#options = options
    this.#stop = new GracefulStop(child, DEFAULT_STOP_GRACE, options.onWarning)
    this.#framing = new MessageFraming(
      options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      (line) => this.#read(line),
      (message) => this.#receiver?.oversized(message),
      { onHeader: () => this.#receiver?.report('decoratedLines', HEADERS) },
    )
    void child.exited.then((exit) => {
      this.exit = exit
      this.#hasExitedUnasked = !this.isStopping
    })
    this.ended = new Promise((resolve) => void child.stdout.once('close', () => resolve()))
  }

  get byteCounts(): ByteCounts {
    return this.#child.byteCounts()
  }

  /** The last line on stdout without a line ending, such as a prompt. */
  get unfinished(): string {
    return (
      this.#framing.unfinished
        .toString()
        .split('\r')
        .findLast((text) => text !== '') ?? ''
    )
  }

  attach(receiver: Receiver): void {
    this.#receiver = receiver
  }

  open(): Promise<void> {
    const { stdin, stdout, stderr, exited } = this.#child
    stderr.on('data', (chunk: Buffer) => this.#findStrayResponses(chunk))
    stdout.on('data', (chunk: Buffer) => {
      this.lastMessageAt = performance.now()
      this.#framing.push(chunk)
    })
    const ended = Promise.withResolvers<undefined>()
    // EPIPE of a child that is exiting or no longer reads: it can't get requests.
    const broken = Promise.withResolvers<undefined>()
    for (const [stream, { resolve }] of [
      [stdout, ended],
      [stdin, broken],
    ] as const)
      stream.on('error', (error) => {
        this.#receiver?.warn(error)
        resolve(undefined)
      })
    stdout.once('end', () => {
      this.#hasEnded = true
      this.#framing.end()
      ended.resolve(undefined)
    })
    const cut = Promise.race([ended.promise, broken.promise, exited])
    void this.#closeAfter(cut, Promise.all([exited, ended.promise]))
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

  close(): Promise<void> {
    return this.stop()
  }

  /** Stops the child. With broken pipes it may be about to exit, so its exit code is the reason if it comes within a moment. */
  async stop(): Promise<void> {
    const from = performance.now()
    const { stdin, stdout } = this.#child
    const isBroken = !stdin.writable || stdout.readableEnded || stdout.destroyed
    if (!this.isStopping && isBroken) await this.#untilExit()
    this.isStopping = true
    await this.#stop.stop(performance.now() - from)
    this.#receiver?.closed()
  }

  escalate(): void {
    void this.#stop.escalate()
  }

  async diagnoseSilence(): Promise<AppError | undefined> {
    return this.#child.byteCounts().bytesIn === 0 ? missingStdin(this.#child.tree) : undefined
  }

  async endKnown(): Promise<void> {
    if (this.exit) return
    await this.#untilExit()
    await this.#child.drainStderr()
  }

  endReason(moment: EndMoment): AppError {
    // The exit of a child that was ended because its pipes broke doesn't explain why they broke.
    return exitError(this.#hasExitedUnasked ? this.exit : undefined, moment)
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
    if (!isSingle && stdin.writableCorked === 0 && (this.#receiver?.pendingCount ?? 0) > 1) {
      // Messages of one turn share a write, so that the server wakes up once.
      stdin.cork()
      setImmediate(() => stdin.uncork())
    }
    stdin.write(`${text}\n`, (error) => onDone(error ? closedError(error) : undefined))
  }

  /** Some servers write errors on stderr in place of stdout; floods aren't searched. */
  #findStrayResponses(chunk: Buffer): void {
    const receiver = this.#receiver
    if (!receiver?.pendingCount || chunk.length >= MAX_STRAY_BYTES || !chunk.includes('"jsonrpc"'))
      return
    for (const line of chunk.toString().split('\n'))
      if (line.includes('"jsonrpc"')) receiver.stray(Buffer.from(line), 'stderr')
  }

  #read(line: Buffer): void {
    // An incomplete last line isn't a response: the exit explains the failure.
    const isCut = this.#hasEnded && isCutOff(line)
    try {
      if (!isCut && this.#receiver?.read(line) !== false) this.#joiner.clear()
      else this.#handleNoise(line)
    } catch (error) {
      this.#receiver?.warn(error)
    }
  }

  #handleNoise(line: Buffer): void {
    this.#options.onNoise(line)
    const joined = this.#joiner.add(line)
    if (joined && this.#receiver?.read(joined)) this.#receiver.report('repairs', SPREAD)
  }

  /** Waits a moment for both ends and for stderr, so that last responses and the reason arrive (B7). */
  async #closeAfter(cut: Promise<unknown>, ended: Promise<unknown>): Promise<void> {
    await cut
    const drained = Promise.all([ended, this.#child.drainStderr()])
    await within(DRAIN_MS, drained, () => undefined)
    // Timers run before pending reads; two turns let these happen.
    await nextTurn()
    await nextTurn()
    this.#receiver?.closed()
  }

  #untilExit(): Promise<unknown> {
    this.#exitMoment ??= within(EXIT_MS, this.#child.exited, () => undefined)
    return this.#exitMoment
  }
}

function isCutOff(line: Buffer): boolean {
  const read = readText(line, () => true)
  return 'why' in read && read.why === 'end'
}

function closedError(cause?: Error): ConnectionClosedError {
  return new ConnectionClosedError('The server no longer reads its input.', { cause })
}

function unreadError(): AppError {
  const megabytes = String(MAX_UNREAD_BYTES / 1024 / 1024)
  return new AppError(
    'SERVER_NOT_READING',
    `The server has not read ${megabytes} MB of its input, so Patchbay sends nothing more.`,
    { hint: 'The server is busy or stuck. Wait, or restart it.' },
  )
}

/** Returns the failure of a server whose programs all have /dev/null as stdin (Linux), as a shell gives to background commands. */
async function missingStdin(tree: ProcessTree): Promise<AppError | undefined> {
  if (process.platform !== 'linux') return undefined
  const programs = await Promise.all((await tree.look()).map(({ pid }) => programOf(pid)))
  const readers = programs.filter(({ name }) => name !== undefined && !STARTERS.test(name))
  const [first] = readers
  if (!first || readers.some(({ stdin }) => stdin !== '/dev/null')) return undefined
  return new AppError(
    'HANDSHAKE_FAILED',
    `The program ${first.name ?? ''} can’t read its input: stdin is /dev/null.`,
    {
      hint: 'The start script runs the program in the background. End the script with "exec" and the program, without "&".',
    },
  )
}

async function programOf(
  pid: number,
): Promise<{ readonly name?: string; readonly stdin?: string }> {
  const [name, stdin] = await Promise.allSettled([
    readFile(`/proc/${pid}/comm`, 'utf8'),
    readlink(`/proc/${pid}/fd/0`),
  ])
  return {
    ...(name.status === 'fulfilled' && { name: name.value.trim() }),
    ...(stdin.status === 'fulfilled' && { stdin: stdin.value }),
  }
}

/** Maximum lines and bytes of a message over several lines. */
const MAX_LINES = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const OPENS = /^(\s*)\{\s*$/u
const CLOSES = /^(\s*)\}\s*,?\s*$/u
const MAY_OPEN = 100

/** Finds responses that a server wrote over several lines as pretty-printed JSON (MCP requires one line each). */
export class LineJoiner {
  #lines: Buffer[] = []
  #bytes = 0
  #indent = ''

  /**
   * Adds a line that is no message. Returns the response that ends with it, from the opening brace to the closing one in the same column.
   * Other pretty-printed output is ignored.
   */
  add(line: Buffer): Buffer | undefined {
    const text = line.length < MAY_OPEN ? line.toString() : ''
    const [, opens] = OPENS.exec(text) ?? []
    if (this.#lines.length === 0 && opens === undefined) return undefined
    if (this.#lines.length === 0) this.#indent = opens ?? ''
    this.#lines.push(line)
    this.#bytes += line.length
    const [, closes] = CLOSES.exec(text) ?? []
    if (closes === this.#indent) return this.#finish()
    if (this.#lines.length > MAX_LINES || this.#bytes > MAX_BYTES) this.clear()
    return undefined
  }

  /** Drops the buffered lines because a message came. */
  clear(): void {
    this.#lines = []
    this.#bytes = 0
  }

  #finish(): Buffer | undefined {
    // A space replaces each line ending, which JSON strings can't contain.
    const text = Buffer.concat(this.#lines.flatMap((line) => [line, Buffer.from(' ')]))
    this.clear()
    return isResponse(text) ? text : undefined
  }
}

function isResponse(text: Buffer): boolean {
  const value = jsonIn(text.toString())
  if (!isJsonObject(value) || value.id === undefined || value.method !== undefined) return false
  return value.result !== undefined || value.error !== undefined
}
