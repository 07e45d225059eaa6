/**
 * Lets callers share a costly read: each gets a result whose read began after its call, and at most one
 * read runs while one more waits.
 */
export class SharedRead<T> {
  #running: Promise<unknown> = Promise.resolve()
  #waiting: Promise<T> | undefined

  constructor(private readonly read: () => Promise<T>) {}

  next(): Promise<T> {
    this.#waiting ??= this.#begin()
    return this.#waiting
  }

  async #begin(): Promise<T> {
    // Who asks in the same turn of the loop is served together.
    await Promise.all([this.#running, new Promise((resolve) => setImmediate(resolve))])
    this.#waiting = undefined
    const result = this.read()
    this.#running = result.catch(() => undefined) // the error is with those who asked
    return result
  }
}
