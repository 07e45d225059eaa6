import { setTimeout as delay } from 'node:timers/promises'

/** Settles as `work` does, or as `late` does after so many ms. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const limit = new AbortController()
  const passed = delay(ms, undefined, { signal: limit.signal }).then(late)
  passed.catch(() => undefined) // the work came first
  try {
    return await Promise.race([work, passed])
  } finally {
    limit.abort()
  }
}
