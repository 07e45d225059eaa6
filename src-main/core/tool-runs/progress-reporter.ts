import { cutProse } from '../failure/describe-failure'
import { Throttle } from '../lifecycle/throttle'
import type { Progress } from '../mcp/peer/pending-requests'

/** At most twenty a second. */
const TELL_EVERY_MS = 50
const LONGEST_MESSAGE = 500

/** Tells of the progress of one run, the newest step at most twenty times a second and the last one in any case. */
export class ProgressReporter implements Disposable {
  #untold: Progress | undefined
  readonly #throttle = new Throttle(TELL_EVERY_MS, () => this.#tellNewest())

  constructor(private readonly tell: (step: Progress) => void) {}

  add(step: Progress): void {
    this.#untold = step
    this.#throttle.call()
  }

  /** Tells of the last step. */
  [Symbol.dispose](): void {
    this.#throttle[Symbol.dispose]()
    this.#tellNewest()
  }

  #tellNewest(): void {
    const step = this.#untold
    this.#untold = undefined
    if (!step) return
    const { progress, total, message } = step
    this.tell({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: cutProse(message, LONGEST_MESSAGE) }),
    })
  }
}
