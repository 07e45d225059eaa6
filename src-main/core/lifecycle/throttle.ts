/** Runs a function at most once per interval: immediately after a pause, and at the end of the interval for later calls. */
export class Throttle implements Disposable {
  #timer: NodeJS.Timeout | undefined
  #isCalled = false

  constructor(
    private readonly spanMs: number,
    private readonly run: () => void,
  ) {}

  call(): void {
    if (this.#timer) {
      this.#isCalled = true
      return
    }
    this.run()
    this.#timer = setTimeout(() => this.#end(), this.spanMs)
    this.#timer.unref()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isCalled = false
  }

  #end(): void {
    this.#timer = undefined
    if (!this.#isCalled) return
    this.#isCalled = false
    this.call()
  }
}
