import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** Most characters held, whatever their lines are. */
const MOST_CHARACTERS = 4_000_000

/** The newest entries of a log, bounded in lines and in characters. */
export class EntryRing {
  #entries: LogEntry[] = []
  /** Those before it are gone. */
  #from = 0
  #characters = 0
  /** Of those that are gone. */
  #gone = 0

  constructor(
    private readonly capacity: number,
    private readonly mostCharacters = MOST_CHARACTERS,
  ) {}

  /** The oldest entry that is held. */
  get first(): LogEntry | undefined {
    return this.#entries[this.#from]
  }

  push(entry: LogEntry): void {
    this.#entries.push(entry)
    this.#characters += entry.text.length
    while (this.#isOver()) {
      this.#gone += this.first?.text.length ?? 0
      this.#from += 1
    }
    // Seldom, and many at a time: taking one from the begin of a long array moves all others.
    if (this.#from >= this.capacity || this.#gone > this.mostCharacters / 2) {
      this.#entries = this.#entries.slice(this.#from)
      this.#characters -= this.#gone
      this.#from = 0
      this.#gone = 0
    }
  }

  /** Entries above `seq`, oldest first: the newest `limit` of them. */
  after(seq: number, limit: number): LogEntry[] {
    const start = Math.max(this.#firstAbove(seq), this.#entries.length - limit)
    return this.#entries.slice(start)
  }

  clear(): void {
    this.#entries = []
    this.#from = 0
    this.#characters = 0
    this.#gone = 0
  }

  #isOver(): boolean {
    const count = this.#entries.length - this.#from
    return (
      count > this.capacity || (count > 1 && this.#characters - this.#gone > this.mostCharacters)
    )
  }

  #firstAbove(seq: number): number {
    let low = this.#from
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#entries[middle]?.seq ?? Infinity) > seq) high = middle
      else low = middle + 1
    }
    return low
  }
}
