/** Longest that lines are worked on before other work gets its turn, in ms. */
const SLICE_MS = 8
/** The share of the time that lines may take in the long run, and in a torrent, which nobody could read anyway. */
const SHARE = 0.6
const SHARE_OF_A_TORRENT = 0.05
/** What is dropped again so soon is a torrent, which is over so long after the last, in ms. */
const TORRENT_MS = 50
/** What may be saved up for a burst, in ms. */
const BURST_MS = 60

/** Work that comes in pieces: does some of it until `isTimeUp`, and returns whether more is left. */
export type PacedWork = (isTimeUp: () => boolean) => boolean

/**
 * Rations the time that is spent on lines, over all streams that share it: what comes now and then is done at once, a burst
 * within turns of 8 ms, and a flood gets three fifths of the time. A torrent, of which little can be kept, gets a twentieth.
 */
export class WorkPace {
  readonly #waiting: PacedWork[] = []
  #credit = BURST_MS
  #creditedAt: number
  #turnLeft = SLICE_MS
  #isArmed = false
  #isFlooded = false
  #droppedAt = -Infinity
  #torrentEnds = -Infinity

  /** `now` counts ms and never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.#creditedAt = now()
  }

  /** Whether more comes than there is time for, and has for a while: what waits may have to be dropped. */
  get isFlooded(): boolean {
    this.#earn()
    return this.#isFlooded
  }

  /** Tells that what waited was dropped for want of time. */
  drop(): void {
    const now = this.now()
    if (now - this.#droppedAt < TORRENT_MS) this.#torrentEnds = now + TORRENT_MS
    this.#droppedAt = now
  }

  /** Does the work now where it may, and what is left of it when its turn comes. */
  do(work: PacedWork): void {
    if (this.#waiting.length === 0 && this.#slice(work)) return
    this.#waiting.push(work)
    this.#arm()
  }

  /** Does all of it now, whatever it takes. */
  doAll(work: PacedWork): void {
    const startedAt = this.now()
    let isLeft = true
    while (isLeft) isLeft = work(() => false)
    this.#spend(startedAt)
  }

  /** Returns whether the work is done. */
  #slice(work: PacedWork): boolean {
    this.#earn()
    if (this.#turnLeft <= 0 || this.#credit <= 0) return false
    const startedAt = this.now()
    const until = startedAt + this.#turnLeft
    const isLeft = work(() => this.now() >= until)
    this.#spend(startedAt)
    return !isLeft
  }

  get #share(): number {
    return this.now() < this.#torrentEnds ? SHARE_OF_A_TORRENT : SHARE
  }

  #earn(): void {
    const now = this.now()
    this.#credit = Math.min(BURST_MS, this.#credit + (now - this.#creditedAt) * this.#share)
    this.#creditedAt = now
    // A flood earns a little between its turns, too; only when it is over there is a lot.
    if (this.#credit > BURST_MS / 2) this.#isFlooded = false
  }

  #spend(startedAt: number): void {
    const spent = this.now() - startedAt
    this.#earn()
    this.#credit -= spent
    if (this.#credit <= 0) this.#isFlooded = true
    this.#turnLeft -= spent
    this.#arm()
  }

  /** The next turn: at once, or when enough is earned for a slice. */
  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    if (this.#credit > 0) setImmediate(this.#turn)
    else setTimeout(this.#turn, (SLICE_MS - this.#credit) / this.#share)
  }

  readonly #turn = (): void => {
    this.#isArmed = false
    this.#turnLeft = SLICE_MS
    // Each of them once at most; who is not done goes to the end, so that none starves.
    for (let count = this.#waiting.length; count > 0 && this.#turnLeft > 0; count -= 1) {
      const work = this.#waiting.shift()
      if (work && !this.#slice(work)) this.#waiting.push(work)
    }
    if (this.#waiting.length > 0) this.#arm()
  }
}
