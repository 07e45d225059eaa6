import type { Settings } from '../../../../src-shared/domain/state/settings'
import type { WakeWatch } from '../../lifecycle/wake-watch'
import type { Timekeeper } from '../../ports'

/** How long an answer to a check may take where nothing else is set, in ms: however often it is asked, one that is slow lives. */
const ANSWER_MS = 10_000
/** How often it is looked whether a server that missed a check has said something since, in ms. */
const WARNED_LOOK_MS = 1_000
/** Checks in a row without an answer after which a server counts as hanging. */
const MOST_MISSES = 3

/** What is asked whether it still answers. */
export type HealthTarget = {
  /** How many requests that it works on wait for their answer. */
  readonly inFlight: number
  /** When it last said anything, by the monotonic time. */
  readonly lastMessageAt: number
  /** False when nothing came within `limitMs`; rejects when the connection is gone. */
  ping(limitMs: number): Promise<boolean>
}

export type HealthOptions = {
  /** Read anew for each check. */
  readonly settings: () => Pick<Settings, 'healthChecks' | 'healthMs'>
  /** How long an answer may take, in ms. */
  readonly answerMs?: number | undefined
  readonly time: Timekeeper
  readonly wake: Pick<WakeWatch, 'isRecent' | 'onDidWake'>
  /** `warning` may have changed. */
  readonly onDidChange: () => void
  /** It hangs; called at each further miss too. */
  readonly onHang: () => void
}

/** Asks a session that is idle whether it still answers (B11); whatever it says is a sign of life. */
export class HealthCheck implements Disposable {
  readonly #waking: Disposable
  #timer: Disposable | undefined
  #askedAt = -Infinity
  #misses = 0
  #isAsking = false
  #isDisposed = false

  constructor(
    private readonly asked: HealthTarget,
    private readonly options: HealthOptions,
  ) {
    // A sleep breaks connections silently: one that is gone is noticed now, not at its next use.
    this.#waking = options.wake.onDidWake(() => this.#probe())
    this.#arm()
  }

  /** Whether so many checks in a row had no answer that nothing more is expected of it. */
  get isHanging(): boolean {
    return this.#misses >= MOST_MISSES
  }

  /** For how many ms one that hangs has said nothing; otherwise 0. */
  get quietMs(): number {
    return this.isHanging
      ? Math.max(this.options.time.monotonic() - this.asked.lastMessageAt, 0)
      : 0
  }

  /** A sentence while it does not answer. */
  get warning(): string | undefined {
    if (this.#misses === 0) return undefined
    return this.#misses === 1
      ? 'No response to the last health check.'
      : `No response to the last ${String(this.#misses)} health checks.`
  }

  /** A changed setting counts at once. */
  settingsChanged(): void {
    if (!this.options.settings().healthChecks) this.#setMisses(0)
    if (!this.#isAsking) this.#arm()
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    const { healthChecks, healthMs } = this.options.settings()
    if (!healthChecks || this.#isDisposed) return
    const { time } = this.options
    const quietSince = Math.max(this.asked.lastMessageAt, this.#askedAt)
    const waitMs = Math.ceil(Math.max(quietSince + healthMs - time.monotonic(), 0)) + 1
    // A warning is to go soon after it is no longer true.
    const longestMs = this.#misses === 0 ? Infinity : WARNED_LOOK_MS
    this.#timer = time.after(Math.min(waitMs, longestMs), () => this.#look())
  }

  #probe(): void {
    const { settings, time } = this.options
    if (!settings().healthChecks || this.#isAsking || this.asked.inFlight > 0) return
    this.#askedAt = time.monotonic()
    void this.#ask()
  }

  #look(): void {
    const now = this.options.time.monotonic()
    const { lastMessageAt, inFlight } = this.asked
    // Who talks is never idle, so nothing else would take the miss back.
    if (lastMessageAt > this.#askedAt) this.#setMisses(0)
    const isDue = now - Math.max(lastMessageAt, this.#askedAt) >= this.options.settings().healthMs
    if (isDue) this.#askedAt = now
    // A server that works on something may answer nothing else meanwhile; the call has a deadline of its own.
    if (isDue && inFlight === 0) void this.#ask()
    else this.#arm()
  }

  async #ask(): Promise<void> {
    const { settings, wake, onHang, answerMs = ANSWER_MS } = this.options
    this.#isAsking = true
    // Undefined: the connection is gone, which is told as a loss.
    const answered = await this.asked.ping(answerMs).catch(() => undefined)
    this.#isAsking = false
    if (this.#isDisposed || answered === undefined) return
    const isAlive = answered || this.asked.lastMessageAt > this.#askedAt
    const isExcused = this.asked.inFlight > 0 || wake.isRecent || !settings().healthChecks
    if (isAlive) this.#setMisses(0)
    else if (!isExcused) {
      this.#setMisses(this.#misses + 1)
      if (this.isHanging) onHang()
    }
    this.#arm()
  }

  #setMisses(misses: number): void {
    if (misses === this.#misses) return
    this.#misses = misses
    this.options.onDidChange()
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#waking[Symbol.dispose]()
    this.#timer?.[Symbol.dispose]()
  }
}
