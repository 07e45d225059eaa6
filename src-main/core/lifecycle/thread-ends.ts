import { type MessagePort, parentPort, type Worker } from 'node:worker_threads'

import { background } from './background'

/** The functions of another thread: each returns a promise and may take an `AbortSignal` as its last argument. */
export type Remote<Calls extends object> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

type Message =
  | { readonly kind: 'ask'; id: number; name: string; args: unknown[]; canAbort: boolean }
  | { readonly kind: 'abort'; id: number }
  | { readonly kind: 'answer'; id: number; value?: unknown; error?: unknown }

/** Makes functions of any name from `call`. */
export function remoteBy<Calls extends object>(
  call: (name: string, args: unknown[]) => Promise<unknown>,
): Remote<Calls> {
  const get = (_: object, name: string | symbol) =>
    // Without a `then`, a promise can resolve with it.
    typeof name === 'string' && name !== 'then'
      ? (...args: unknown[]) => call(name, args)
      : undefined
  return new Proxy({}, { get }) as Remote<Calls>
}

/** One end of the channel between two threads. Without a time limit: callers set one, and a sync takes as long as its registry. */
export class ThreadEnd<Calls extends object> {
  readonly remote: Remote<Calls>
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #running = new Map<number, AbortController>()
  #lastId = 0
  #closed: Error | undefined

  constructor(private readonly port: MessagePort | Worker) {
    this.remote = remoteBy((name, args) => this.#call(name, args))
  }

  /** Serves these functions from now on; earlier calls have waited. */
  serve(calls: object): this {
    this.port.on('message', (message: Message) => {
      if (message.kind === 'abort') this.#running.get(message.id)?.abort()
      else if (message.kind === 'ask') background(this.#answer(calls, message), message.name)
      else {
        const waiting = this.#waiting.get(message.id)
        if ('error' in message) waiting?.reject(message.error)
        else waiting?.resolve(message.value)
      }
    })
    return this
  }

  /** Call when the other end is gone: waiting calls reject, and its own calls are aborted. */
  close(error: Error): void {
    this.#closed = error
    for (const { reject } of this.#waiting.values()) reject(error)
    for (const running of this.#running.values()) running.abort()
  }

  async #call(name: string, args: unknown[]): Promise<unknown> {
    if (this.#closed) throw this.#closed
    this.#lastId += 1
    const id = this.#lastId
    const last = args.at(-1)
    const signal = last instanceof AbortSignal ? last : undefined
    const abort = (): void => this.port.postMessage({ kind: 'abort', id } satisfies Message)
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(id, answer)
    try {
      const sent = signal ? args.slice(0, -1) : args
      const canAbort = signal !== undefined
      this.port.postMessage({ kind: 'ask', id, name, args: sent, canAbort } satisfies Message)
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      return await answer.promise
    } finally {
      this.#waiting.delete(id)
      signal?.removeEventListener('abort', abort)
    }
  }

  async #answer(calls: object, { id, name, args, canAbort }: Message & { kind: 'ask' }) {
    const abort = new AbortController()
    this.#running.set(id, abort)
    try {
      const call = (calls as Record<string, (...args: unknown[]) => unknown>)[name]
      const value = await call?.apply(calls, canAbort ? [...args, abort.signal] : args)
      this.port.postMessage({ kind: 'answer', id, value } satisfies Message)
    } catch (error) {
      this.port.postMessage({ kind: 'answer', id, error } satisfies Message)
    } finally {
      this.#running.delete(id)
    }
  }
}

/** The thread's end of the channel, for the entry of a worker thread. */
export function mainEnd<HostCalls extends object>(): ThreadEnd<HostCalls> {
  if (!parentPort) throw new Error('This file is the entry of a worker thread.')
  return new ThreadEnd<HostCalls>(parentPort)
}
