import { setTimeout as delay } from 'node:timers/promises'

/** Settles with the work, or when so many ms are over; rejects as the work does. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController()
  try {
    await Promise.race([
      work,
      delay(ms, undefined, { signal: limit.signal }).catch(() => undefined), // aborted: nobody waits
    ])
  } finally {
    limit.abort()
  }
}
