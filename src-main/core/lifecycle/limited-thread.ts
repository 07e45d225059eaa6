import type { Worker, WorkerOptions } from 'node:worker_threads'

import { background } from './background'
import { type Remote, ThreadEnd } from './thread-ends'
import { withTimeLimit } from './time-limit'

export type LimitedThreadOptions = {
  readonly createWorker: (options: WorkerOptions) => Worker
  /** How long nobody asks anything before the thread ends and gives its memory back, in ms. */
  readonly restMs?: number
  /** Beyond this a question is given up and its thread ended, in ms. */
  readonly limitMs?: number
}

type Thread<Calls extends object> = {
  readonly worker: Worker
  readonly remote: Remote<Calls>
  /** Settles when it runs, or has ended. */
  readonly isThere: Promise<void>
}

const REST_MS = 3_000
const LIMIT_MS = 15_000
/** A busy computer takes its time to start one, which says nothing of the question. */
const START_LIMIT_MS = 15_000
/** No limit for the whole: V8 may end the app and not only the thread that crosses one. What it is sent is bounded. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8 }

/** A thread for work that may take too long: it starts with a question and ends a while after the last, or with one that nobody waits for any more. */
export class LimitedThread<Calls extends object> implements AsyncDisposable {
  #thread: Thread<Calls> | undefined
  #rest: NodeJS.Timeout | undefined

  constructor(private readonly options: LimitedThreadOptions) {}

  /** One question at a time. Rejects when the thread cannot be had, crashes or takes too long (`TimeLimitError`); the next call has another. */
  async call<T>(ask: (remote: Remote<Calls>) => Promise<T>): Promise<T> {
    clearTimeout(this.#rest)
    const { restMs = REST_MS, limitMs = LIMIT_MS } = this.options
    try {
      this.#thread ??= this.#start()
      const { remote, isThere } = this.#thread
      await withTimeLimit(START_LIMIT_MS, () => isThere)
      const answer = await withTimeLimit(limitMs, () => ask(remote))
      this.#rest = setTimeout(
        () => background(this.#end(), 'ending an idle thread'),
        restMs,
      ).unref()
      return answer
    } catch (error) {
      await this.#end()
      throw error
    }
  }

  /** Ends the thread, whatever it does; what waits for it rejects, and nothing may be asked any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#rest)
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
