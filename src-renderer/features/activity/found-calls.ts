import type { ActivityPage, ActivityQuery, Call } from '../../../src-shared/domain/agents/activity'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'

/** What is looked for; the parts are asked for as they come into view. */
export type CallQuestion = Omit<ActivityQuery, 'before' | 'after' | 'limit'>

/** What is known of the calls that are shown; it stays until the answer to another question is there. */
export type FoundCalls = {
  /** Newest first. */
  readonly calls: readonly Call[]
  /** All that fit, those of `fresh` left out; undefined before the first answer. */
  readonly total: number | undefined
  /** How many came since, which are not shown while somebody reads. */
  readonly fresh: number
  /** Nothing older is shown: there is none, or it would be too many. */
  readonly isEnd: boolean
  readonly problem: AppErrorShape | undefined
  /** Grows with each list that takes the place of another. */
  readonly edition: number
}

const NOTHING: FoundCalls = {
  calls: [],
  total: undefined,
  fresh: 0,
  isEnd: false,
  problem: undefined,
  edition: 0,
}

/** Calls of one request. */
const PAGE_SIZE = 100
/** The most that one request may have. */
const LARGEST_PAGE = 500
/** Calls that a window keeps; who looks for older ones narrows the search. */
export const MOST_SHOWN = 10_000

type AskCalls = (query: ActivityQuery) => Promise<ActivityPage>

/**
 * The calls that a question finds, older ones as they come into view. New ones are put before them while it follows, and
 * are counted otherwise, so that nothing moves under who reads.
 */
export class CallList {
  readonly #ask: AskCalls
  readonly #toShape: (thrown: unknown) => AppErrorShape
  readonly #listeners = new Set<() => void>()
  #known = NOTHING
  #question: CallQuestion = { text: '', outcomes: [] }
  /** Grows with each question: answers to an older one are dropped. */
  #run = 0
  /** The newest call that is shown or was looked at, and the newest that was heard of. */
  #newest = 0
  #heard = 0
  /** The newest call when those that wait were counted last. */
  #counted = 0
  #isFollowing = true
  #isLooking = false
  #isReading = false

  constructor(ask: AskCalls, toShape: (thrown: unknown) => AppErrorShape) {
    this.#ask = ask
    this.#toShape = toShape
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): FoundCalls => this.#known

  /** Asks a question, or the same one again. */
  async show(question: CallQuestion): Promise<void> {
    this.#question = question
    const run = (this.#run += 1)
    const page = await this.#page({ limit: PAGE_SIZE }, run)
    if (!page) return
    const { calls, total, newest } = page
    // A file that began again counts from 1 again.
    this.#heard = newest < this.#newest ? newest : Math.max(newest, this.#heard)
    this.#newest = newest
    this.#counted = 0
    const isEnd = calls.length < PAGE_SIZE
    const edition = this.#known.edition + 1
    this.#put({ calls, total, isEnd, edition, fresh: 0, problem: undefined })
    await this.#look()
  }

  /** The newest call is another one, or none is kept any more. */
  async heard(newest: number, kept: number): Promise<void> {
    const { total, calls } = this.#known
    if (total === undefined) return
    const isCleared = kept === 0 && calls.length > 0
    if (isCleared || newest < this.#newest) return this.show(this.#question)
    this.#heard = newest
    await this.#look()
  }

  /** Whether new calls are shown as they come. */
  async follow(isFollowing: boolean): Promise<void> {
    this.#isFollowing = isFollowing
    if (isFollowing && this.#known.fresh > 0) await this.#look(true)
  }

  /** Reads older calls than those that are shown. */
  async more(): Promise<void> {
    const { calls, isEnd } = this.#known
    const last = calls.at(-1)
    if (this.#isReading || isEnd || !last) return
    this.#isReading = true
    const page = await this.#page({ before: last.callId, limit: PAGE_SIZE }, this.#run)
    this.#isReading = false
    if (page) this.#append(page.calls)
  }

  #append(older: readonly Call[]): void {
    const calls = [...this.#known.calls, ...older]
    const isLast = older.length < PAGE_SIZE
    const isEnd = isLast || calls.length >= MOST_SHOWN
    // Older ones may have been forgotten meanwhile.
    const total = isLast ? calls.length : this.#known.total
    this.#put({ ...this.#known, calls, isEnd, total, problem: undefined })
  }

  /** One look at a time; what is heard of meanwhile is looked for afterwards. */
  async #look(isForced = false): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    let isDue = isForced || this.#heard > this.#seen()
    while (isDue) {
      const { edition } = this.#known
      const isTold = await this.#lookOnce()
      // Another list took the place of the one that was asked about.
      const isOther = edition !== this.#known.edition
      isDue = (isTold || isOther) && this.#heard > this.#seen()
    }
    this.#isLooking = false
  }

  /** Up to which call it is known what came. */
  #seen(): number {
    return this.#isFollowing ? this.#newest : Math.max(this.#newest, this.#counted)
  }

  /** False where it cannot be told. */
  async #lookOnce(): Promise<boolean> {
    const isFollowing = this.#isFollowing
    const limit = isFollowing ? LARGEST_PAGE : 1
    const page = await this.#page({ after: this.#newest, limit }, this.#run)
    if (!page) return false
    if (!isFollowing) {
      this.#counted = page.newest
      this.#put({ ...this.#known, fresh: page.total })
    } else if (page.total > page.calls.length) await this.show(this.#question)
    else this.#prepend(page)
    return true
  }

  #prepend({ calls: newer, newest }: ActivityPage): void {
    this.#newest = newest
    const { calls, total = 0, isEnd } = this.#known
    const all = [...newer, ...calls]
    const isFull = all.length > MOST_SHOWN
    this.#put({
      ...this.#known,
      calls: isFull ? all.slice(0, MOST_SHOWN) : all,
      isEnd: isEnd || isFull,
      total: total + newer.length,
      fresh: 0,
      problem: undefined,
    })
  }

  /** Undefined where it fails, which is told, or another question came meanwhile. */
  async #page(
    part: Pick<ActivityQuery, 'before' | 'after' | 'limit'>,
    run: number,
  ): Promise<ActivityPage | undefined> {
    const { edition } = this.#known
    try {
      const page = await this.#ask({ ...this.#question, ...part })
      // A part of a list that another one replaced meanwhile does not fit that one.
      return run === this.#run && edition === this.#known.edition ? page : undefined
    } catch (thrown) {
      if (run === this.#run) this.#put({ ...this.#known, problem: this.#toShape(thrown) })
      return undefined
    }
  }

  #put(known: FoundCalls): void {
    this.#known = known
    for (const listener of this.#listeners) listener()
  }
}
