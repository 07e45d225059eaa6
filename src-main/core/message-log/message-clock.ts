import type { Moment } from './entry-page'

/** How long the two clocks are taken to go alike, in ms: a look at one costs a third of what is done with a message. */
const ALIKE_MS = 100

/** When messages cross a line. */
export class MessageClock implements Moment {
  at = 0
  time = 0
  #offset = 0
  #checkedAt = -Infinity

  /** Looks at the clocks; it is itself what it tells, until it looks again. */
  look(): Moment {
    const time = performance.now()
    if (time - this.#checkedAt > ALIKE_MS) {
      this.#offset = Date.now() - time
      this.#checkedAt = time
    }
    this.time = time
    this.at = time + this.#offset
    return this
  }
}
