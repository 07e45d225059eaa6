type Waiting<In, Out> = {
  readonly input: In
  readonly resolve: (value: Out | undefined | Promise<Out | undefined>) => void
}

/**
 * Lets one call run at a time and keeps only the newest of those that wait: whoever types does not want the
 * answers to what stood there before.
 */
export class LatestCall<In, Out> {
  readonly #call: (input: In) => Promise<Out>
  #isBusy = false
  #waiting: Waiting<In, Out> | undefined

  constructor(call: (input: In) => Promise<Out>) {
    this.#call = call
  }

  /** Undefined when a newer one came before the answer did. Rejects as the call does. */
  async run(input: In): Promise<Out | undefined> {
    if (this.#isBusy) return await this.#wait(input)
    this.#isBusy = true
    try {
      const answer = await this.#call(input)
      return this.#waiting === undefined ? answer : undefined
    } finally {
      this.#isBusy = false
      this.#next()
    }
  }

  #wait(input: In): Promise<Out | undefined> {
    this.#waiting?.resolve(undefined)
    return new Promise((resolve) => {
      this.#waiting = { input, resolve }
    })
  }

  #next(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) waiting.resolve(this.run(waiting.input))
  }
}
