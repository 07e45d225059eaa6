/** The time for lines in each window, in ms: three fifths of it, and a twentieth while lines have to be dropped anyway. */
const WINDOW_MS = 20
const BUDGET_MS = 12
const FLOOD_BUDGET_MS = 1
/** How long after a drop the budget is that of a flood, in ms. */
const FLOOD_MS = 50
/** Windows in a row that were used up, after which no stream is held back any more. */
const MAX_BUSY = 8

/** Work that comes in pieces: does some of it until `isTimeUp`, and returns whether more is left. */
export type PacedWork = (isTimeUp: () => boolean) => boolean

/** Rations the time that is spent on lines, over all streams that share it, so that a flood leaves time to everything else. */
export class WorkPace {
  readonly #waiting: PacedWork[] = []
  #windowEnds = -Infinity
  #leftMs = 0
  #busyWindows = 0
  #floodEnds = -Infinity
  #isArmed = false

  /** `now` counts ms and never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether more comes than there is time for, and has for a while: what waits may have to be dropped. */
  get isFlooded(): boolean {
    this.#startWindow()
    return this.#busyWindows >= MAX_BUSY
  }

  /** Records that what waited was dropped for want of time. */
  drop(): void {
    this.#floodEnds = this.now() + FLOOD_MS
  }

  /** Does the work now where there is time, and what is left of it in the next windows. */
  do(work: PacedWork): void {
    if (this.#waiting.length === 0 && this.#isDone(work)) return
    this.#waiting.push(work)
    this.#arm()
  }

  #isDone(work: PacedWork): boolean {
    this.#startWindow()
    if (this.#leftMs <= 0) return false
    const startedAt = this.now()
    const until = startedAt + this.#leftMs
    const isLeft = work(() => this.now() >= until)
    this.#leftMs -= this.now() - startedAt
    return !isLeft
  }

  #startWindow(): void {
    const now = this.now()
    if (now < this.#windowEnds) return
    const isBusy = this.#leftMs <= 0 && now < this.#windowEnds + WINDOW_MS
    this.#busyWindows = isBusy ? this.#busyWindows + 1 : 0
    this.#leftMs = now < this.#floodEnds ? FLOOD_BUDGET_MS : BUDGET_MS
    this.#windowEnds = now + WINDOW_MS
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setTimeout(() => this.#turn(), this.#windowEnds - this.now())
  }

  /** Gives each its turn; what is not done goes to the end, so that none starves. */
  #turn(): void {
    this.#isArmed = false
    this.#startWindow()
    for (let count = this.#waiting.length; count > 0 && this.#leftMs > 0; count -= 1) {
      const work = this.#waiting.shift()
      if (work && !this.#isDone(work)) this.#waiting.push(work)
    }
    if (this.#waiting.length > 0) this.#arm()
  }
}
