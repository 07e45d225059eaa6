import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import { faultWarnings } from '../failure/describe-failure'
import { Disposables } from '../lifecycle/disposables'
import type { ServerSession } from '../mcp/session'
import { HealthCheck, type HealthOptions } from './recovery/health-check'
import type { ServerStart } from './start/server-start'

export type LiveSessionEvents = {
  /** The status may have changed. */
  readonly onDidChange: () => void
  readonly onHang: () => void
  /** The lists may have changed. */
  readonly onRelisted: () => void
  /** The server has forgotten the session. */
  readonly onExpired: () => void
  /** The session is gone. */
  readonly onLost: (error: unknown) => void
}

/** The session that serves, and the warnings about it. */
export class LiveSession implements Disposable {
  readonly health: HealthCheck
  /** Epoch ms. */
  readonly since: number
  readonly #held = new Disposables()
  /** Why the session that should have replaced it failed, as a sentence. */
  failedSuccessor: string | undefined

  constructor(
    readonly start: ServerStart,
    readonly session: ServerSession,
    context: Omit<HealthOptions, 'onDidChange' | 'onHang'>,
    events: LiveSessionEvents,
  ) {
    this.#held.add(start.faults)
    this.#held.add(session.onDidExpire(events.onExpired))
    this.#held.add(session.onDidClose(() => void reportLoss(session, events.onLost)))
    this.#held.add(session.onDidRelist(events.onRelisted))
    this.#held.add(context.wake.onDidWake(() => session.afterSleep()))
    this.since = context.time.now()
    const { settings, answerMs, time, wake } = context
    const { onDidChange, onHang } = events
    const options = { settings, answerMs, time, wake, onDidChange, onHang }
    this.health = this.#held.add(new HealthCheck(session, options))
  }

  /** Whether the server hangs or has forgotten the session. */
  get isUnusable(): boolean {
    return this.health.isHanging || this.session.hasExpired
  }

  /** Whether no other session can run beside it. */
  get isAlone(): boolean {
    return this.session.connection.isAlone
  }

  get status(): RunStatus {
    const { health, failedSuccessor } = this
    const warnings = [
      ...this.session.capabilities.notices,
      ...faultWarnings(this.start.faults.counts),
    ]
    if (health.warning !== undefined) warnings.push(health.warning)
    if (failedSuccessor !== undefined)
      warnings.push(`Reconnecting failed, so the previous session stays in use. ${failedSuccessor}`)
    return warnings.length > 0 ? { kind: 'degraded', warnings } : { kind: 'ready' }
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]()
  }
}

/** The exit code may come a moment after the end of the session, and the status waits for it; requests don't. */
async function reportLoss(session: ServerSession, onLost: (error: unknown) => void): Promise<void> {
  await session.endKnown()
  onLost(session.endReason('use'))
}
