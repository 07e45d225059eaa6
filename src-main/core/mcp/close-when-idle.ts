import { setTimeout as delay } from 'node:timers/promises'

import type { ServerSession } from './session'

/** Closes a session once no request of it is in flight, after `graceMs` at the latest. */
export async function closeWhenIdle(session: ServerSession, graceMs: number): Promise<void> {
  if (session.inFlight === 0) return session.close()
  const limit = new AbortController()
  const waiting = delay(graceMs, undefined, { signal: limit.signal }).catch(() => undefined) // aborted: it is idle
  const idle = session.onDidEndRequest(() => session.inFlight === 0 && limit.abort())
  await waiting
  idle[Symbol.dispose]()
  return session.close()
}
