import { setTimeout as delay } from 'node:timers/promises'

import type { FailedStatus } from '../../../../src-shared/domain/running/run-status'
import type { ServerSession } from '../../mcp/session'

type Leftover = FailedStatus['leftover']

/** A faster end isn't shown, in ms. */
const SLOW_MS = 400

/** What a failed server leaves: sessions until none of their processes is left, and a download. */
export class EndingSessions {
  readonly #ends = new Map<ServerSession, Promise<void>>()
  readonly #slow = new Set<ServerSession>()

  /** `download` settles when the running download has ended; `onDidChange`: `shown()` may have changed. */
  constructor(
    private readonly download: () => Promise<void> | undefined,
    private readonly onDidChange: () => void,
  ) {}

  get isEnding(): boolean {
    return this.#ends.size > 0
  }

  /** What takes so long that the user may want to end it. */
  shown(): Leftover {
    if (this.#slow.size > 0) return 'processes'
    const download = this.download()
    void download?.then(() => this.onDidChange())
    return download && 'download'
  }

  /** Ends a session in stages, once it is idle or `graceMs` have passed. */
  end(session: ServerSession, graceMs = 0): void {
    const timer = setTimeout(() => {
      this.#slow.add(session)
      this.onDidChange()
    }, SLOW_MS)
    const end = closeWhenIdle(session, graceMs).finally(() => {
      clearTimeout(timer)
      this.#ends.delete(session)
      if (this.#slow.delete(session)) this.onDidChange()
    })
    this.#ends.set(session, end)
  }

  /** Closes sessions without waiting until they are idle. */
  closeNow(): void {
    for (const session of this.#ends.keys()) void session.close()
  }

  /** Moves each stop to its next stage immediately. */
  escalate(): void {
    for (const session of this.#ends.keys()) session.escalate()
  }

  /** Settles when all ending sessions have ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#ends.values())
  }
}

/** Closes a session once it has no request in flight, after `graceMs` at the latest. */
async function closeWhenIdle(session: ServerSession, graceMs: number): Promise<void> {
  if (session.inFlight === 0) return session.close()
  const limit = new AbortController()
  const waiting = delay(graceMs, undefined, { signal: limit.signal }).catch(() => undefined) // aborted: the session is idle
  const idle = session.onDidEndRequest(() => session.inFlight === 0 && limit.abort())
  await waiting
  idle[Symbol.dispose]()
  return session.close()
}
