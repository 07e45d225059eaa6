/** Waits before what could not be counted is tried again, in ms: a busy computer may need some time for itself. */
const WAITS_MS = [10_000, 30_000, 120_000]

/** Tries again a few times what could not be done as a whole. */
export class Recount implements Disposable {
  #timer: NodeJS.Timeout | undefined
  #tries = 0
  #isDisposed = false

  constructor(
    private readonly again: () => void,
    private readonly waitsMs: readonly number[] = WAITS_MS,
  ) {}

  /** To be told of every end. */
  after({ isWhole }: { readonly isWhole: boolean }): void {
    clearTimeout(this.#timer)
    if (isWhole) this.#tries = 0
    const waitMs = this.waitsMs[this.#tries]
    if (isWhole || waitMs === undefined || this.#isDisposed) return
    this.#tries += 1
    this.#timer = setTimeout(this.again, waitMs).unref()
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    clearTimeout(this.#timer)
  }
}
