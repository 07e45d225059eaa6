import { Emitter } from '../lifecycle/emitter'

/** Tells before what is listed may change, and once nothing changes it any more. */
export class CatalogMoves implements Disposable {
  readonly #willChange = new Emitter<undefined>()
  readonly #settled = new Emitter<undefined>()
  /** Works under way that may change what is listed. */
  #count = 0

  readonly onWillChange = this.#willChange.event
  readonly onDidSettle = this.#settled.event

  get isMoving(): boolean {
    return this.#count > 0
  }

  /** Does what may change the list. Rejects as `work` does. */
  async during(work: () => Promise<void>): Promise<void> {
    this.#count += 1
    this.#willChange.emit(undefined)
    try {
      await work()
    } finally {
      this.#count -= 1
      if (this.#count === 0) this.#settled.emit(undefined)
    }
  }

  [Symbol.dispose](): void {
    this.#willChange[Symbol.dispose]()
    this.#settled[Symbol.dispose]()
  }
}
