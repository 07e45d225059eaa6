import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import { faultWarnings } from '../failure/describe-faults'
import { Disposables } from '../lifecycle/disposables'
import type { ServerSession } from '../mcp/session'
import { HealthCheck, type HealthOptions } from './recovery/health-check'
import type { StartAttempt } from './start/start-attempt'

export type LiveSessionOptions = HealthOptions & {
  /** What it offers may be something else now. */
  readonly onRelisted: () => void
  /** The server has forgotten the session. */
  readonly onExpired: () => void
  /** The session is gone. */
  readonly onLost: (error: unknown) => void
}

/** A status may wait a moment for the exit code; who asked the server for something was told. */
async function tellLoss(session: ServerSession, onLost: (error: unknown) => void): Promise<void> {
  await session.endKnown()
  onLost(session.endReason('use'))
}

/** The session that serves, with what there is to warn of. */
export class LiveSession implements Disposable {
  readonly health: HealthCheck
  /** Epoch ms. */
  readonly since: number
  readonly #listeners = new Disposables()
  /** Why the session that should have taken its place failed, as a sentence. */
  #failedSuccessor: string | undefined

  constructor(
    readonly attempt: StartAttempt,
    readonly session: ServerSession,
    options: LiveSessionOptions,
  ) {
    const { onExpired, onLost, onRelisted } = options
    this.#listeners.add(session.onDidExpire(onExpired))
    this.#listeners.add(session.onDidClose(() => void tellLoss(session, onLost)))
    this.#listeners.add(session.onDidRelist(onRelisted))
    this.#listeners.add(options.wake.onDidWake(() => session.afterSleep()))
    this.since = options.time.now()
    this.health = new HealthCheck(session, options)
  }

  /** Whether the server has forgotten the session, so that it can serve nothing more. */
  get hasExpired(): boolean {
    return this.session.hasExpired
  }

  get status(): RunStatus {
    const warnings = [
      ...this.session.capabilities.notices,
      ...faultWarnings(this.attempt.faults.counts),
      ...[this.health.warning, this.#failedSuccessor].filter((one) => one !== undefined),
    ]
    return warnings.length > 0 ? { kind: 'degraded', warnings } : { kind: 'ready' }
  }

  /** It stays, as the one that should have taken its place failed. */
  stayBecause(message: string): void {
    this.#failedSuccessor = `Reconnecting failed, so the previous session stays in use. ${message}`
  }

  [Symbol.dispose](): void {
    this.#listeners[Symbol.dispose]()
    this.health[Symbol.dispose]()
    this.attempt.faults[Symbol.dispose]()
  }
}
