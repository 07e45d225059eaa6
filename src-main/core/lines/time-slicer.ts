/** Longest that lines are worked on before other work gets its turn, in ms. */
const SLICE_MS = 8
/** From the begin of a slice to that of the next, in ms. It doubles while lines are dropped: of a torrent little can be kept anyway. */
const PERIOD_MS = 13
const MAX_PERIOD_MS = 160
/** So many slices in a row that were used up are a flood, until a pause. */
const FLOOD_SLICES = 12

/** Work that comes in pieces: does some of it until `isTimeUp`, and returns whether more is left. */
export type PacedWork = (isTimeUp: () => boolean) => boolean

/** Rations the time that is spent on lines, over all streams that share it: what comes now and then is done immediately, the rest in slices. */
export class TimeSlicer {
  readonly #waiting: PacedWork[] = []
  #leftMs = SLICE_MS
  #periodMs = PERIOD_MS
  #hasDropped = false
  #fullSlices = 0
  #isArmed = false

  /** `now` counts ms and never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether more comes than there is time for, and has for a while: what waits may have to be dropped. */
  get isFlooded(): boolean {
    return this.#fullSlices >= FLOOD_SLICES
  }

  /** Reports that what waited was dropped for want of time. */
  drop(): void {
    this.#hasDropped = true
  }

  /** Does the work now where it may, and what is left of it in later slices. */
  do(work: PacedWork): void {
    if (!this.#isArmed) this.#fullSlices = 0
    if (this.#waiting.length > 0 || this.#isLeft(work)) this.#waiting.push(work)
  }

  #isLeft(work: PacedWork): boolean {
    if (!this.#isArmed) setTimeout(this.#nextSlice, this.#periodMs)
    this.#isArmed = true
    if (this.#leftMs <= 0) return true
    const from = this.now()
    const until = from + this.#leftMs
    const isLeft = work(() => this.now() >= until)
    this.#leftMs -= this.now() - from
    return isLeft
  }

  readonly #nextSlice = (): void => {
    this.#isArmed = false
    this.#fullSlices = this.#leftMs <= 0 ? this.#fullSlices + 1 : 0
    this.#periodMs = this.#hasDropped ? Math.min(2 * this.#periodMs, MAX_PERIOD_MS) : PERIOD_MS
    this.#hasDropped = false
    this.#leftMs = SLICE_MS
    // Each of them once at most; one that is not done goes to the end, so that none starves.
    for (let count = this.#waiting.length; count > 0 && this.#leftMs > 0; count -= 1) {
      const work = this.#waiting.shift()
      if (work && this.#isLeft(work)) this.#waiting.push(work)
    }
  }
}
