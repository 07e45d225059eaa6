/** Who holds something that may be let go of. */
export type ByteHolder = {
  readonly bytes: number
  /** Whether there was anything. */
  dropOldest(): boolean
}

/** The room that what is held for all servers shares, in bytes. */
export class SharedByteLimit {
  readonly #holders = new Set<ByteHolder>()

  constructor(private readonly mostBytes: number) {}

  /** Counts what one more holds until that is disposed. */
  add(holder: ByteHolder): Disposable {
    this.#holders.add(holder)
    return { [Symbol.dispose]: () => void this.#holders.delete(holder) }
  }

  /** Has whoever holds the most let go of its oldest until there is room. */
  settle(): void {
    let total = 0
    for (const { bytes } of this.#holders) total += bytes
    while (total > this.mostBytes) {
      const largest = this.#largest()
      const before = largest?.bytes ?? 0
      if (!largest?.dropOldest()) return
      total -= before - largest.bytes
    }
  }

  #largest(): ByteHolder | undefined {
    let largest: ByteHolder | undefined
    for (const holder of this.#holders) if (holder.bytes > (largest?.bytes ?? 0)) largest = holder
    return largest
  }
}
