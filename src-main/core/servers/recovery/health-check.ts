import type { Settings } from '../../../../src-shared/domain/state/settings'
import type { WakeWatch } from '../../lifecycle/wake-watch'
import type { Timekeeper } from '../../ports'

/** Default time limit of a ping, in ms. A slow server is alive, however often it is pinged. */
const PONG_MS = 10_000
/** Interval in which a server that missed a ping is checked for later messages, in ms. */
const WARNED_PING_MS = 1_000
/** Missed pings in a row after which a server counts as hanging. */
const MAX_MISSES = 3

/** The session to check. */
export type HealthTarget = {
  readonly inFlight: number
  /** Monotonic time of the last message. */
  readonly lastMessageAt: number
  /** False if nothing came within `limitMs`; rejects if the connection is gone. */
  ping(limitMs: number): Promise<boolean>
}

export type HealthOptions = {
  /** Read for each check. */
  readonly settings: () => Pick<Settings, 'healthChecks' | 'healthMs'>
  /** Time limit of a ping, in ms. */
  readonly answerMs?: number | undefined
  readonly time: Timekeeper
  readonly wake: Pick<WakeWatch, 'isRecent' | 'onDidWake'>
  /** `warning` may have changed. */
  readonly onDidChange: () => void
  /** The server hangs; called again at each further miss. */
  readonly onHang: () => void
}

/** Pings an idle session (B11); any message from the server is a sign of life. */
export class HealthCheck implements Disposable {
  readonly #waking: Disposable
  #timer: Disposable | undefined
  #pingedAt = -Infinity
  #misses = 0
  #isPinging = false
  #isDisposed = false

  constructor(
    private readonly target: HealthTarget,
    private readonly options: HealthOptions,
  ) {
    // A sleep breaks connections silently; a ping now finds a broken one before its next use.
    this.#waking = options.wake.onDidWake(() => this.#probe())
    this.#arm()
  }

  /** Whether the server missed so many checks in a row that it counts as hanging. */
  get isHanging(): boolean {
    return this.#misses >= MAX_MISSES
  }

  /** How long a hanging server has sent nothing, in ms; otherwise 0. */
  get quietMs(): number {
    return this.isHanging
      ? Math.max(this.options.time.monotonic() - this.target.lastMessageAt, 0)
      : 0
  }

  /** A warning sentence while pings are missed. */
  get warning(): string | undefined {
    if (this.#misses === 0) return undefined
    return this.#misses === 1
      ? 'No response to the last health check.'
      : `No response to the last ${String(this.#misses)} health checks.`
  }

  /** Applies a changed setting immediately. */
  settingsChanged(): void {
    if (!this.options.settings().healthChecks) this.#setMisses(0)
    if (!this.#isPinging) this.#arm()
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    const { healthChecks, healthMs } = this.options.settings()
    if (!healthChecks || this.#isDisposed) return
    const { time } = this.options
    const quietSince = Math.max(this.target.lastMessageAt, this.#pingedAt)
    const waitMs = Math.ceil(Math.max(quietSince + healthMs - time.monotonic(), 0)) + 1
    // Clear the warning soon after it is no longer true.
    const maxMs = this.#misses === 0 ? Infinity : WARNED_PING_MS
    this.#timer = time.after(Math.min(waitMs, maxMs), () => this.#check())
  }

  #probe(): void {
    const { settings, time } = this.options
    if (!settings().healthChecks || this.#isPinging || this.target.inFlight > 0) return
    this.#pingedAt = time.monotonic()
    void this.#ping()
  }

  #check(): void {
    const now = this.options.time.monotonic()
    const { lastMessageAt, inFlight } = this.target
    // A server that sends messages isn't due for a ping, so its next message has to reset the misses.
    if (lastMessageAt > this.#pingedAt) this.#setMisses(0)
    const isDue = now - Math.max(lastMessageAt, this.#pingedAt) >= this.options.settings().healthMs
    if (isDue) this.#pingedAt = now
    // A busy server may not answer pings; its request has its own deadline.
    if (isDue && inFlight === 0) void this.#ping()
    else this.#arm()
  }

  async #ping(): Promise<void> {
    const { settings, wake, onHang, answerMs = PONG_MS } = this.options
    this.#isPinging = true
    // Undefined: the connection is gone, which the session reports.
    const pong = await this.target.ping(answerMs).catch(() => undefined)
    this.#isPinging = false
    if (this.#isDisposed || pong === undefined) return
    const isAlive = pong || this.target.lastMessageAt > this.#pingedAt
    const isExcused = this.target.inFlight > 0 || wake.isRecent || !settings().healthChecks
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
