/** Smaller ones cost no more fresh than kept, in bytes. */
const WORTH_KEEPING = 1024 * 1024
/** How long memory that nobody uses stays, in ms. */
const KEPT_MS = 5_000

/**
 * Puts the parts of a message behind each other. The memory of a large one is used again, as the system
 * takes longer to hand out fresh memory than to fill it: what `join` returns is to be read at once.
 */
export class JoinBuffer {
  #kept: Buffer | undefined
  #release: NodeJS.Timeout | undefined

  /** The parts, of `bytes` in all, as one; above 1 MB it holds only until the next call. */
  join(parts: readonly Buffer[], bytes: number): Buffer {
    if (bytes < WORTH_KEEPING) return Buffer.concat(parts, bytes)
    const buffer = this.#bufferFor(bytes)
    let at = 0
    for (const part of parts) at += part.copy(buffer, at)
    return buffer.subarray(0, bytes)
  }

  #bufferFor(bytes: number): Buffer {
    this.#release ??= setTimeout(() => this.#letGo(), KEPT_MS).unref()
    this.#release.refresh()
    if (this.#kept === undefined || this.#kept.length < bytes)
      this.#kept = Buffer.allocUnsafeSlow(bytes)
    return this.#kept
  }

  #letGo(): void {
    this.#kept = undefined
    this.#release = undefined
  }
}
