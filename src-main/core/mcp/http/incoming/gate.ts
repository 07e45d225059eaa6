/** Holds back those who come while it is closed. */
export class Gate {
  #opening: PromiseWithResolvers<void> | undefined

  /** Settles when it opens; undefined while it is open. */
  get opening(): Promise<void> | undefined {
    return this.#opening?.promise
  }

  set(isOpen: boolean): void {
    if (!isOpen) {
      this.#opening ??= Promise.withResolvers()
      return
    }
    this.#opening?.resolve()
    this.#opening = undefined
  }
}
