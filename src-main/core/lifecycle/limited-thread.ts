import type { Worker, WorkerOptions } from 'node:worker_threads'

import { background } from './background'
import { type Remote, ThreadEnd } from './thread-ends'
import { withTimeLimit } from './time-limit'

export type LimitedThreadOptions = {
  readonly createWorker: (options: WorkerOptions) => Worker
  /** Idle time before the thread ends and frees its memory, in ms. */
  readonly idleMs?: number
  /** Time limit of a call, after which its thread is ended, in ms. */
  readonly limitMs?: number
}

type Thread<Calls extends object> = {
  readonly worker: Worker
  readonly remote: Remote<Calls>
  /** Settles when the thread runs or has ended. */
  readonly isThere: Promise<void>
}

const IDLE_MS = 3_000
const LIMIT_MS = 15_000
/** Starting a thread takes time on a busy computer, which isn't the call's fault. */
const START_LIMIT_MS = 15_000
/** No limit for the old generation: V8 may end the app instead of the thread. The input is bounded. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 }

/** A worker thread for calls that may take too long. It starts with a call, and ends after an idle time or with a canceled call. */
export class LimitedThread<Calls extends object> implements AsyncDisposable {
  #thread: Thread<Calls> | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(private readonly options: LimitedThreadOptions) {}

  /**
   * Runs one call at a time. Rejects if the thread can't start, crashes or takes too long (`TimeLimitError`); the next call gets a new
   * thread.
   */
  async call<T>(run: (remote: Remote<Calls>) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle)
    const { idleMs = IDLE_MS, limitMs = LIMIT_MS } = this.options
    try {
      this.#thread ??= this.#start()
      const { remote, isThere } = this.#thread
      await withTimeLimit(START_LIMIT_MS, () => isThere)
      const answer = await withTimeLimit(limitMs, () => run(remote))
      this.#idle = setTimeout(
        () => background(this.#end(), 'ending an idle thread'),
        idleMs,
      ).unref()
      return answer
    } catch (error) {
      await this.#end()
      throw error
    }
  }

  /** Ends the thread; waiting calls reject, and further calls are not allowed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.worker.terminate()
  }

  #start(): Thread<Calls> {
    const worker = this.options.createWorker({ resourceLimits: RESOURCE_LIMITS })
    const end = new ThreadEnd<Calls>(worker).serve({})
    const isThere = new Promise<void>((resolve) => {
      worker.once('online', resolve)
      worker.once('exit', () => resolve())
    })
    const thread = { worker, remote: end.remote, isThere }
    let reason: unknown
    worker.on('error', (error: unknown) => {
      reason = error
    })
    worker.on('exit', (code) => {
      end.close(new Error(`The thread ended with ${code}.`, { cause: reason }))
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}
