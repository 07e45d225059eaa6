import { reportFailure } from './background'
import { toDisposable } from './disposables'

/** The private half of an `onDidX` event. A listener that throws doesn't stop the others; its error is logged. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>()
  /** The same as a list, until a listener is added or removed. */
  #list: readonly { readonly call: (value: T) => void }[] | undefined
  #disposed = false

  /** Calls `listener` with every value until the result is disposed. */
  readonly event = (listener: (value: T) => void): Disposable => {
    const entry = { call: listener }
    if (!this.#disposed) this.#listeners.add(entry)
    this.#list = undefined
    return toDisposable(() => {
      this.#listeners.delete(entry)
      this.#list = undefined
    })
  }

  /** Calls the current listeners in order; skips those disposed meanwhile. */
  emit(value: T): void {
    const list = (this.#list ??= [...this.#listeners])
    for (const entry of list) {
      if (this.#list !== list && !this.#listeners.has(entry)) continue
      try {
        entry.call(value)
      } catch (error) {
        reportFailure('a listener failed', error)
      }
    }
  }

  [Symbol.dispose](): void {
    this.#disposed = true
    this.#listeners.clear()
    this.#list = undefined
  }
}
