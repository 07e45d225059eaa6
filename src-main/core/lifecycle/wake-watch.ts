import type { Timekeeper } from '../ports'
import { Emitter } from './emitter'

/** How often it is looked, in ms: one timer for the whole app. */
const LOOK_MS = 5_000
/** A look that comes later than this was kept from coming, in ms. */
const LATE_MS = 5_000
/** Clocks that drift apart faster than this between two looks were set, or one of them slept; in ms. */
const DRIFT_MS = 2_000
/** What fails this soon after a wake may have been hurt by the sleep, in ms. */
const GRACE_MS = 15_000

/**
 * Notices that the computer slept or that its clock was set: the time of day and the time that never jumps
 * part, or a look comes far too late. Both are reported as a wake.
 */
export class WakeWatch implements Disposable {
  readonly #woke = new Emitter<undefined>()
  #ticker: Disposable
  #lookedAt: { readonly now: number; readonly monotonic: number }
  #wokeAt = -Infinity

  readonly onDidWake = this.#woke.event

  constructor(private readonly time: Timekeeper) {
    this.#lookedAt = this.#read()
    this.#ticker = this.#tick()
  }

  /** Whether a wake was so short a time ago that failures may come of it; looks first, as a failure may be heard before the ticker. */
  get isRecent(): boolean {
    this.#look()
    return this.time.monotonic() - this.#wokeAt < GRACE_MS
  }

  /** The system reports a wake; one that the clocks have shown already is not reported again. */
  reportWake(): void {
    if (!this.isRecent) this.#wake()
  }

  #tick(): Disposable {
    return this.time.after(LOOK_MS, () => {
      this.#ticker = this.#tick()
      this.#look()
    })
  }

  #look(): void {
    const before = this.#lookedAt
    const at = this.#read()
    this.#lookedAt = at
    const passed = at.monotonic - before.monotonic
    const drift = Math.abs(at.now - before.now - passed)
    if (passed <= LOOK_MS + LATE_MS && drift <= DRIFT_MS) return
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
