/** The calls of another thread that can be called off, by the id that it gave them. */
export class CallsUnderWay {
  readonly #calls = new Map<number, AbortController>()

  /** Does `work` with a signal that `cancel` of the same id aborts. */
  async run<T>(id: number, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const controller = new AbortController()
    this.#calls.set(id, controller)
    try {
      return await work(controller.signal)
    } finally {
      this.#calls.delete(id)
    }
  }

  /** Does nothing for a call that is over. */
  cancel(id: number): void {
    this.#calls.get(id)?.abort()
  }

  cancelAll(): void {
    for (const controller of this.#calls.values()) controller.abort()
  }
}
