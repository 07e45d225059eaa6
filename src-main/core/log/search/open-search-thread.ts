import type { Worker, WorkerOptions } from 'node:worker_threads'

import pLimit from 'p-limit'

import { LimitedThread } from '../../lifecycle/limited-thread'
import type { Remote } from '../../lifecycle/thread-ends'
import type { SearchCalls } from './search-calls'

/** A question beyond this is given up with its pattern, in ms. */
const LIMIT_MS = 2_000
const REST_MS = 30_000

/** Where logs are searched: beside the main thread, so that no pattern holds the app up. */
export type SearchThread = AsyncDisposable & {
  /** One question after the other. Rejects with a `TimeLimitError` where one takes too long. */
  ask<T>(question: (remote: Remote<SearchCalls>) => Promise<T>): Promise<T>
}

/** Has the thread start with the first question, and end a while after the last. */
export function openSearchThread(
  createWorker: ((options: WorkerOptions) => Worker) | undefined,
): SearchThread {
  const inTurn = pLimit(1)
  const thread =
    createWorker &&
    new LimitedThread<SearchCalls>({ createWorker, limitMs: LIMIT_MS, restMs: REST_MS })
  return {
    ask: (question) =>
      inTurn(() => {
        if (!thread) throw new Error('there is no thread that searches')
        return thread.call(question)
      }),
    [Symbol.asyncDispose]: async () => {
      await thread?.[Symbol.asyncDispose]()
    },
  }
}
