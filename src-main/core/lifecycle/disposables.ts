/** Makes a `Disposable` of a function, which runs at most once. */
export function toDisposable(dispose: () => void): Disposable {
  return new Once(dispose)
}

/** A class: V8 takes some 5 µs for a literal with a symbol key, and every call needs several. */
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
 * Owns disposables and disposes them newest first. All are disposed even if one throws; its error is thrown at the end. Adding to a
 * disposed owner disposes the newcomer.
 */
export class Disposables implements Disposable {
  #stack: DisposableStack | undefined = new DisposableStack()

  get disposed(): boolean {
    return this.#stack === undefined
  }

  /** Takes ownership of `disposable` and returns it. */
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
