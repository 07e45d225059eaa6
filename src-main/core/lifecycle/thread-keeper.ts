import type { Worker } from 'node:worker_threads'

import { AppError } from '../../../src-shared/domain/app-error'
import { reportFailure } from './background'
import { type Remote, remoteBy, ThreadEnd } from './thread-ends'
import { TimeLimitError, withTimeLimit } from './time-limit'

/** What a thread answers; `close` ends what is under way. */
export type ThreadCalls = { close(): void | Promise<void> }

export type ThreadKeeperOptions = {
  /** What the thread does, for errors: "The catalog". */
  readonly what: string
  readonly start: () => Worker
  /** What the thread may ask. */
  readonly hostCalls: object
  /** How long nobody asks anything before the thread ends and gives its memory back, in ms. */
  readonly restMs: number
  /** A thread crashed for this reason, and another runs in its place. */
  readonly onRestart?: (error: Error) => void
}

type Thread<Calls extends ThreadCalls> = {
  readonly worker: Worker
  readonly remote: Remote<Calls>
}

/** Beyond this a thread is stuck, and is ended. */
const CLOSE_LIMIT_MS = 5_000
/** A thread that ends more often than this within a minute is not started again automatically. */
const MOST_RESTARTS = 3
const MINUTE_MS = 60_000

/** Keeps a thread that calls are sent to: starts it for the first call, again when it crashed, and lets it end while nobody asks. */
export class ThreadKeeper<Calls extends ThreadCalls> implements AsyncDisposable {
  /** Its functions; each starts the thread where it does not run, and rejects as `call` does. */
  readonly remote: Remote<Calls> = remoteBy((name, args) =>
    this.call(async (remote) =>
      (remote as Record<string, (...all: unknown[]) => Promise<unknown>>)[name]?.(...args),
    ),
  )
  readonly #crashes: number[] = []
  #thread: Thread<Calls> | undefined
  /** The end of a thread that goes to rest: until then the file is its own. */
  #ending: Promise<void> | undefined
  #calls = 0
  #rest: NodeJS.Timeout | undefined
  #isDown = false
  #isDisposed = false

  constructor(private readonly options: ThreadKeeperOptions) {}

  /** Rejects as `work` does, and with an AppError when the thread crashes meanwhile or cannot be had. */
  async call<T>(work: (remote: Remote<Calls>) => Promise<T>): Promise<T> {
    this.#calls += 1
    clearTimeout(this.#rest)
    try {
      await this.#ending
      return await work(this.#awake().remote)
    } finally {
      this.#calls -= 1
      if (this.#calls === 0) this.#armRest()
    }
  }

  /** Ends what is under way and the thread; nothing starts it again. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    clearTimeout(this.#rest)
    await this.#ending
    await this.#end()
  }

  #awake(): Thread<Calls> {
    if (this.#isDisposed) throw this.#stopped('Patchbay is closing')
    if (this.#isDown) throw this.#stopped('it crashed repeatedly')
    this.#thread ??= this.#start()
    return this.#thread
  }

  #armRest(): void {
    if (this.#isDisposed || !this.#thread) return
    this.#rest = setTimeout(() => {
      // Nobody waits for this, and the next call gets a new thread all the same.
      this.#ending = this.#end()
        .catch((error: unknown) => reportFailure(`${this.options.what} at rest`, error))
        .finally(() => (this.#ending = undefined))
    }, this.options.restMs)
    this.#rest.unref()
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (!thread) return
    try {
      await withTimeLimit(CLOSE_LIMIT_MS, async () => await thread.remote.close())
    } catch (error) {
      if (!(error instanceof TimeLimitError) && !(error instanceof AppError)) throw error
    } finally {
      await thread.worker.terminate()
    }
  }

  #start(): Thread<Calls> {
    const { start, hostCalls } = this.options
    const worker = start()
    const end = new ThreadEnd<Calls>(worker).serve(hostCalls)
    const thread = { worker, remote: end.remote }
    let reason: Error | undefined
    worker.on('error', (error) => {
      reason = error instanceof Error ? error : new Error(String(error))
    })
    worker.on('exit', (code) => {
      const error = this.#stopped(reason ?? `exit code ${code}`)
      end.close(error)
      if (this.#thread === thread) this.#onCrash(error)
    })
    return thread
  }

  #onCrash(error: Error): void {
    this.#thread = undefined
    const now = Date.now()
    this.#crashes.push(now)
    this.#isDown = this.#crashes.filter((time) => now - time < MINUTE_MS).length > MOST_RESTARTS
    if (this.#isDown) return
    this.#thread = this.#start()
    this.options.onRestart?.(error)
  }

  #stopped(cause: Error | string): AppError {
    const reason = typeof cause === 'string' ? cause : cause.message
    return new AppError('INTERNAL', `${this.options.what} stopped working: ${reason}.`, {
      cause,
      hint: 'Try again. If this happens again, restart Patchbay.',
    })
  }
}
