/** What `withTimeLimit` rejects with: nothing came within `limitMs`. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'

  constructor(readonly limitMs: number) {
    super(`No response within ${seconds(limitMs)}`)
  }
}

/** Settles as `work` does, or rejects with a `TimeLimitError`; the work itself goes on. A synchronous throw is a rejection. */
export async function withTimeLimit<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(limitMs)), limitMs)
  })
  try {
    return await Promise.race([work(), limit])
  } finally {
    clearTimeout(timer)
  }
}

/** "4 seconds", "0.2 seconds". */
export function seconds(ms: number): string {
  return ms === 1_000 ? '1 second' : `${ms / 1_000} seconds`
}
