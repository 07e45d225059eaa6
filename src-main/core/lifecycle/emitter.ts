import { toDisposable } from './disposables'

/**
 * The private half of an `onDidX` event. A listener that throws does not stop the others; its error
 * goes to `onListenerError`, or, without one, becomes an uncaught exception.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>()
  readonly #onListenerError: (error: unknown) => void
  #disposed = false

  constructor(onListenerError: (error: unknown) => void = throwUncaught) {
    this.#onListenerError = onListenerError
  }

  /** Calls `listener` on every value until the result is disposed. */
  readonly event = (listener: (value: T) => void): Disposable => {
    const entry = { call: listener }
    if (!this.#disposed) this.#listeners.add(entry)
    return toDisposable(() => this.#listeners.delete(entry))
  }

  /** Reaches those who listen now, in the order in which they came; one that leaves meanwhile is left out. */
  emit(value: T): void {
    for (const entry of [...this.#listeners]) {
      if (!this.#listeners.has(entry)) continue
      try {
        entry.call(value)
      } catch (error) {
        this.#onListenerError(error)
      }
    }
  }

  [Symbol.dispose](): void {
    this.#disposed = true
    this.#listeners.clear()
  }
}

function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
