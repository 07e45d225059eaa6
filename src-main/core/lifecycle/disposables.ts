/** Makes a `Disposable` of a function; it runs once, however often it is disposed. */
export function toDisposable(dispose: () => void): Disposable {
  return new Once(dispose)
}

/** A class, as V8 takes some 5 µs for a literal with a symbol as its key, and every call needs several. */
class Once implements Disposable {
  #pending: (() => void) | undefined

  constructor(dispose: () => void) {
    this.#pending = dispose
  }

  [Symbol.dispose](): void {
    const run = this.#pending
    this.#pending = undefined
    run?.()
  }
}

/**
 * Holds what lives as long as its owner and ends it newest first. Every one of them is ended even when
 * another throws; what was thrown is thrown after the last. Adding to an ended one ends the newcomer immediately.
 */
export class Disposables implements Disposable {
  #stack: DisposableStack | undefined = new DisposableStack()

  get disposed(): boolean {
    return this.#stack === undefined
  }

  /** Takes over `disposable` and hands it back. */
  add<T extends Disposable>(disposable: T): T {
    if (this.#stack) this.#stack.use(disposable)
    else disposable[Symbol.dispose]()
    return disposable
  }

  [Symbol.dispose](): void {
    const stack = this.#stack
    this.#stack = undefined
    stack?.dispose()
  }
}
