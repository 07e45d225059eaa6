import { addAbortListener } from 'node:events'

/** What `withTimeLimit` rejects with: nothing came within `limitMs`. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'

  constructor(readonly limitMs: number) {
    super(`No response within ${seconds(limitMs)}`)
  }
}

/** Settles as `work` does, or rejects with a `TimeLimitError`; the work itself goes on. A synchronous throw is a rejection. */
export async function withTimeLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  return within(limitMs, work(), () => {
    throw new TimeLimitError(limitMs)
  })
}

/** Settles as `work` does, or as `late` does after `ms`; the work itself goes on. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const passed = Promise.withResolvers<undefined>()
  const timer = setTimeout(passed.resolve, ms, undefined)
  try {
    return await Promise.race([work, passed.promise.then(late)])
  } finally {
    clearTimeout(timer)
  }
}

/** Settles as `work` does, or rejects with the reason of `signal` once that is aborted; the work itself goes on. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  using _listening = addAbortListener(signal, () => reject(signal.reason))
  return await Promise.race([work, promise])
}

/** "4 seconds", "0.2 seconds". */
export function seconds(ms: number): string {
  return ms === 1_000 ? '1 second' : `${ms / 1_000} seconds`
}
