import { type BirpcReturn, createBirpc } from 'birpc'

import type { JsonCalls } from './json-calls'

/** What the thread answers; see `JsonCalls`. */
export type ThreadCalls = Pick<JsonCalls, keyof JsonCalls>

/** The questions, each answered later. */
export type JsonRemote = BirpcReturn<ThreadCalls>

type Thread = {
  readonly worker: Worker
  readonly remote: JsonRemote
  /** What each user wants to hear when the thread is lost. */
  readonly users: Set<(why: string) => void>
}

/** How long nobody has a text there before the thread ends, in ms. */
const REST_MS = 5_000

const held: { thread?: Thread | undefined } = {}

function start(): Thread {
  const worker = new Worker(new URL('json-worker.ts', import.meta.url), { type: 'module' })
  const remote = createBirpc<ThreadCalls>(
    {},
    {
      post: (message) => worker.postMessage(message),
      on: (listen) =>
        worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => listen(data)),
      timeout: -1,
    },
  )
  const thread = { worker, remote, users: new Set<(why: string) => void>() }
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    end(thread, `Can’t read the text: ${event.message || 'the worker didn’t start'}.`)
  })
  return thread
}

function end(thread: Thread, why: string): void {
  if (held.thread === thread) held.thread = undefined
  thread.worker.terminate()
  thread.remote.$close(new Error(why))
  for (const hear of thread.users) hear(why)
}

/**
 * The thread for long texts: started for the first who borrows it, ended a while after the last has given it back.
 * Where it is lost, all that it held is gone, and `onLost` hears why.
 */
export function borrowThread(onLost: (why: string) => void): {
  readonly remote: JsonRemote
  readonly giveBack: () => void
} {
  const thread = (held.thread ??= start())
  const hear = (why: string): void => onLost(why)
  thread.users.add(hear)
  const giveBack = (): void => {
    thread.users.delete(hear)
    setTimeout(() => {
      if (thread.users.size === 0) end(thread, 'The text was closed.')
    }, REST_MS)
  }
  return { remote: thread.remote, giveBack }
}
