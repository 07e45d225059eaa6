import type { ReconnectionScheduler } from '@modelcontextprotocol/client'

/** The first wait where a server wants none, in ms; doubled for each stream that ends soon after it was taken up again. */
const FIRST_MS = 100
const LONGEST_GROWN_MS = 10_000
/** Whatever a server wants. */
const LONGEST_MS = 30_000
/** A stream that lasted this long has worked. */
const CALM_MS = 10_000

/** Says when the streams of one connection are taken up again: as the server wishes (`retry`), within bounds and never hot. */
export class Reconnections implements Disposable {
  readonly #timers = new Set<NodeJS.Timeout>()
  #hasEnded = false
  #inARow = 0
  #lastAt = Number.NEGATIVE_INFINITY

  readonly schedule: ReconnectionScheduler = (reconnect, wishMs) => {
    if (this.#hasEnded) return undefined
    const waitMs = this.#waitMs(wishMs, performance.now())
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      reconnect()
    }, waitMs)
    timer.unref()
    this.#timers.add(timer)
    return () => this.#cancel(timer)
  }

  #waitMs(wishMs: number, now: number): number {
    this.#inARow = now - this.#lastAt > CALM_MS ? 0 : this.#inARow + 1
    const grownMs = Math.min(FIRST_MS * 2 ** this.#inARow, LONGEST_GROWN_MS)
    const waitMs = Math.min(Math.max(wishMs, grownMs), LONGEST_MS)
    this.#lastAt = now + waitMs
    return waitMs
  }

  #cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer)
    this.#timers.delete(timer)
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true
    for (const timer of this.#timers) this.#cancel(timer)
  }
}
