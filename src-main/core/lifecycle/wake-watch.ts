import type { Timekeeper } from '../ports'
import { Emitter } from './emitter'

/** Poll interval, in ms; one timer for the whole app. */
const POLL_MS = 5_000
/** A poll this late was delayed by a sleep, in ms. */
const LATE_MS = 5_000
/** If the two clocks drift apart more than this between polls, one was set or slept; in ms. */
const DRIFT_MS = 2_000
/** A failure this soon after a wake may be caused by the sleep, in ms. */
const GRACE_MS = 15_000

/**
 * Detects that the computer slept or its clock was set: wall clock and monotonic clock drift apart, or a poll comes far too late. Both
 * count as a wake.
 */
export class WakeWatch implements Disposable {
  readonly #woke = new Emitter<undefined>()
  #ticker: Disposable
  #checkedAt: { readonly now: number; readonly monotonic: number }
  #wokeAt = -Infinity

  readonly onDidWake = this.#woke.event

  constructor(private readonly time: Timekeeper) {
    this.#checkedAt = this.#read()
    this.#ticker = this.#tick()
  }

  /** Whether the last wake was so recent that it may cause failures; polls first, because a failure may be noticed before the timer. */
  get isRecent(): boolean {
    this.#check()
    return this.time.monotonic() - this.#wokeAt < GRACE_MS
  }

  /** The system reports a wake; ignored if the clocks have already shown it. */
  reportWake(): void {
    if (!this.isRecent) this.#wake()
  }

  #tick(): Disposable {
    return this.time.after(POLL_MS, () => {
      this.#ticker = this.#tick()
      this.#check()
    })
  }

  #check(): void {
    const before = this.#checkedAt
    const at = this.#read()
    this.#checkedAt = at
    const passed = at.monotonic - before.monotonic
    const drift = Math.abs(at.now - before.now - passed)
    if (passed <= POLL_MS + LATE_MS && drift <= DRIFT_MS) return
    this.#wake()
  }

  #wake(): void {
    this.#wokeAt = this.time.monotonic()
    this.#woke.emit(undefined)
  }

  #read(): { now: number; monotonic: number } {
    return { now: this.time.now(), monotonic: this.time.monotonic() }
  }

  [Symbol.dispose](): void {
    this.#ticker[Symbol.dispose]()
    this.#woke[Symbol.dispose]()
  }
}
