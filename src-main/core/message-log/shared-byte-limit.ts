/** The room that the texts of all servers share, in bytes. */
export class SharedByteLimit {
  readonly #holders = new Set<TextHolder>()

  constructor(private readonly mostBytes: number) {}

  /** Counts the texts of one more until that is disposed. */
  add(holder: TextHolder): Disposable {
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
      if (!largest?.letGoOldest()) return
      total -= before - largest.bytes
    }
  }

  #largest(): TextHolder | undefined {
    let largest: TextHolder | undefined
    for (const holder of this.#holders) if (holder.bytes > (largest?.bytes ?? 0)) largest = holder
    return largest
  }
}

/** Who holds texts that may be let go of. */
export type TextHolder = {
  readonly bytes: number
  /** Whether there was anything. */
  letGoOldest(): boolean
}
