/** An owner of droppable data. */
export type ByteHolder = {
  readonly bytes: number
  /** Drops its oldest data; false if there is none. */
  dropOldest(): boolean
}

/** A byte limit that all servers share. */
export class SharedByteLimit {
  readonly #holders = new Set<ByteHolder>()

  constructor(private readonly maxBytes: number) {}

  /** Counts a holder's bytes until the result is disposed. */
  add(holder: ByteHolder): Disposable {
    this.#holders.add(holder)
    return { [Symbol.dispose]: () => void this.#holders.delete(holder) }
  }

  /** Lets the largest holder drop its oldest data until the total fits. */
  enforce(): void {
    let total = 0
    for (const { bytes } of this.#holders) total += bytes
    while (total > this.maxBytes) {
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
