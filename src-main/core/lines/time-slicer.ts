/** Maximum time for lines before other work gets its turn, in ms. */
const SLICE_MS = 8
/** Time between the starts of two slices, in ms. Doubles while lines are dropped: of a flood little can be kept anyway. */
const PERIOD_MS = 13
const MAX_PERIOD_MS = 160
/** Number of consecutive full slices that count as a flood, until a pause. */
const FLOOD_SLICES = 12

/** Work in pieces: runs until `isTimeUp`, and returns whether some is left. */
export type SlicedTask = (isTimeUp: () => boolean) => boolean

/** Limits the CPU time for lines over all streams that share it: occasional work runs immediately, the rest in slices. */
export class TimeSlicer {
  readonly #queue: SlicedTask[] = []
  #remainingMs = SLICE_MS
  #periodMs = PERIOD_MS
  #hasDropped = false
  #fullSlices = 0
  #isArmed = false

  /** `now` returns monotonic ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether more work arrives than there is time for, and has for a while, so that queued data may have to be dropped. */
  get isFlooded(): boolean {
    return this.#fullSlices >= FLOOD_SLICES
  }

  /** Reports that queued data was dropped for lack of time. */
  drop(): void {
    this.#hasDropped = true
  }

  /** Runs the work now if possible, and the rest in later slices. */
  schedule(task: SlicedTask): void {
    if (!this.#isArmed) this.#fullSlices = 0
    if (this.#queue.length > 0 || this.#runSlice(task)) this.#queue.push(task)
  }

  #runSlice(task: SlicedTask): boolean {
    if (!this.#isArmed) setTimeout(this.#nextSlice, this.#periodMs)
    this.#isArmed = true
    if (this.#remainingMs <= 0) return true
    const from = this.now()
    const until = from + this.#remainingMs
    const isLeft = task(() => this.now() >= until)
    this.#remainingMs -= this.now() - from
    return isLeft
  }

  readonly #nextSlice = (): void => {
    this.#isArmed = false
    this.#fullSlices = this.#remainingMs <= 0 ? this.#fullSlices + 1 : 0
    this.#periodMs = this.#hasDropped ? Math.min(2 * this.#periodMs, MAX_PERIOD_MS) : PERIOD_MS
    this.#hasDropped = false
    this.#remainingMs = SLICE_MS
    // Each runs at most once; unfinished work goes to the end, so that none starves.
    for (let count = this.#queue.length; count > 0 && this.#remainingMs > 0; count -= 1) {
      const task = this.#queue.shift()
      if (task && this.#runSlice(task)) this.#queue.push(task)
    }
  }
}
