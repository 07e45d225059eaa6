/** Most memory that the lines of all logs take together, in bytes. */
const MOST_BYTES = 256 * 1024 * 1024

/** A log that takes memory. */
export type HeldLog = {
  /** What it takes. */
  readonly bytes: number
  /** Lets its oldest lines go; false when there is none but the newest. */
  dropOldest(): boolean
}

/** What the logs of all servers share: the order of their lines, and the bound of their memory. */
export class LogMemory {
  readonly #stores = new Set<HeldLog>()
  #nextPlace = 0
  #bytes = 0

  constructor(private readonly mostBytes = MOST_BYTES) {}

  /** Of the newest line of all; -1 before the first. */
  get lastPlace(): number {
    return this.#nextPlace - 1
  }

  /** The place of the next line. */
  take(): number {
    this.#nextPlace += 1
    return this.#nextPlace - 1
  }

  add(store: HeldLog): void {
    this.#stores.add(store)
  }

  /** Counts what a log takes more or less. Over the bound, the log that takes most loses its oldest lines. */
  count(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.mostBytes && this.#largest()?.dropOldest() === true);
  }

  /** The log goes with its server. */
  forget(store: HeldLog): void {
    if (this.#stores.delete(store)) this.#bytes -= store.bytes
  }

  #largest(): HeldLog | undefined {
    let largest: HeldLog | undefined
    for (const store of this.#stores) {
      if (!largest || store.bytes > largest.bytes) largest = store
    }
    return largest
  }
}
