import { addAbortListener } from 'node:events'

/** `withTimeLimit` rejects with this after `limitMs`. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'

  constructor(readonly limitMs: number) {
    super(`No response within ${seconds(limitMs)}`)
  }
}

/** Settles as `work` does, or rejects with a `TimeLimitError`; the work itself continues. A synchronous throw is a rejection. */
export async function withTimeLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  return within(limitMs, work(), () => {
    throw new TimeLimitError(limitMs)
  })
}

/** Settles as `work` does, or with `onTimeout()` after `ms`; the work itself continues. */
export async function within<T, L>(
  ms: number,
  work: Promise<T>,
  onTimeout: () => L,
): Promise<T | L> {
  const passed = Promise.withResolvers<undefined>()
  const timer = setTimeout(passed.resolve, ms, undefined)
  try {
    return await Promise.race([work, passed.promise.then(onTimeout)])
  } finally {
    clearTimeout(timer)
  }
}

/** Settles as `work` does, or rejects with the signal's reason once it is aborted; the work itself continues. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  using _listening = addAbortListener(signal, () => reject(signal.reason))
  return await Promise.race([work, promise])
}

/** "4 seconds", "0.2 seconds". */
export function seconds(ms: number): string {
  return ms === 1_000 ? '1 second' : `${ms / 1_000} seconds`
}
