import type { Worker } from 'node:worker_threads'

import { AppError } from '../../../src-shared/domain/app-error'
import { reportFailure } from './background'
import { type Remote, remoteBy, ThreadEnd } from './thread-ends'
import { TimeLimitError, withTimeLimit } from './time-limit'

/** The functions of a thread; `close` ends running work. */
export type ThreadCalls = { close(): void | Promise<void> }

export type ThreadKeeperOptions = {
  /** The thread's name in errors: "The catalog". */
  readonly what: string
  readonly start: () => Worker
  /** Functions that the thread may call. */
  readonly hostCalls: object
  /** Idle time before the thread ends and frees its memory, in ms. */
  readonly idleMs: number
  /** The thread crashed for this reason and was replaced. */
  readonly onRestart?: (error: Error) => void
}

type Thread<Calls extends ThreadCalls> = {
  readonly worker: Worker
  readonly remote: Remote<Calls>
}

/** Time after which a closing thread is stuck and gets terminated. */
const CLOSE_LIMIT_MS = 5_000
/** A thread that crashes more often than this per minute is not restarted automatically. */
const MAX_RESTARTS = 3
const MINUTE_MS = 60_000

/** Keeps a worker thread: starts it with the first call, restarts it after a crash, and lets it end while idle. */
export class ThreadKeeper<Calls extends ThreadCalls> implements AsyncDisposable {
  /** The thread's functions. Each starts the thread if needed and rejects as `call` does. */
  readonly remote: Remote<Calls> = remoteBy((name, args) =>
    this.call(async (remote) =>
      (remote as Record<string, (...all: unknown[]) => Promise<unknown>>)[name]?.(...args),
    ),
  )
  readonly #crashes: number[] = []
  #thread: Thread<Calls> | undefined
  /** The end of an idle thread, which still has its file open. */
  #ending: Promise<void> | undefined
  #calls = 0
  #idle: NodeJS.Timeout | undefined
  #isDown = false
  #isDisposed = false

  constructor(private readonly options: ThreadKeeperOptions) {}

  /** Rejects as `work` does, and with an AppError if the thread crashes or can't start. */
  async call<T>(work: (remote: Remote<Calls>) => Promise<T>): Promise<T> {
    this.#calls += 1
    clearTimeout(this.#idle)
    try {
      await this.#ending
      return await work(this.#awake().remote)
    } finally {
      this.#calls -= 1
      if (this.#calls === 0) this.#armIdle()
    }
  }

  /** Ends running work and the thread for good. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    clearTimeout(this.#idle)
    await this.#ending
    await this.#end()
  }

  #awake(): Thread<Calls> {
    if (this.#isDisposed) throw this.#stopped('Patchbay is closing')
    if (this.#isDown) throw this.#stopped('it crashed repeatedly')
    this.#thread ??= this.#start()
    return this.#thread
  }

  #armIdle(): void {
    if (this.#isDisposed || !this.#thread) return
    this.#idle = setTimeout(() => {
      // Nobody waits for this; the next call gets a new thread anyway.
      this.#ending = this.#end()
        .catch((error: unknown) => reportFailure(`${this.options.what} at rest`, error))
        .finally(() => (this.#ending = undefined))
    }, this.options.idleMs)
    this.#idle.unref()
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
    this.#isDown = this.#crashes.filter((time) => now - time < MINUTE_MS).length > MAX_RESTARTS
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
