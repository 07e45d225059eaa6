import type { ListKind } from './lists'

/** A list is read again no sooner than this after it was read, in ms. */
const SHORTEST_MS = 60_000
/** What holds longer than a day is told of by then. */
const LONGEST_MS = 86_400_000

/** Tells when a list is no longer what it was read as: one that says for how long it holds (MCP 2026-07-28, `ttlMs`). */
export class ListExpiry implements Disposable {
  readonly #timers = new Map<ListKind['key'], NodeJS.Timeout>()
  readonly #onDue: (list: ListKind) => void
  readonly #shortestMs: number
  #isOver = false

  constructor(onDue: (list: ListKind) => void, shortestMs = SHORTEST_MS) {
    this.#onDue = onDue
    this.#shortestMs = shortestMs
  }

  /** From now on the list holds for `ttlMs`; undefined and 0 are for one that does not say for how long. */
  begin(list: ListKind, ttlMs: number | undefined): void {
    clearTimeout(this.#timers.get(list.key))
    if (this.#isOver || ttlMs === undefined || ttlMs === 0) return
    const waitMs = Math.min(Math.max(ttlMs, this.#shortestMs), LONGEST_MS)
    const timer = setTimeout(() => this.#onDue(list), waitMs)
    timer.unref()
    this.#timers.set(list.key, timer)
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
