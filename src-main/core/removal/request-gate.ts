import { AppError } from '../../../src-shared/domain/app-error'
import { TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'

/** Passes requests until shut, and tracks those in flight. */
export class RequestGate {
  readonly #underWay = new Set<Promise<unknown>>()
  #isShut = false

  get isShut(): boolean {
    return this.#isShut
  }

  /** Runs the request; rejects with REMOVED if the gate is shut. */
  async pass<T>(request: () => T | Promise<T>): Promise<T> {
    if (this.#isShut)
      throw new AppError('REMOVED', 'Patchbay is being removed from this computer.', {
        hint: 'Quit Patchbay. The next start begins with empty settings.',
      })
    const answer = Promise.resolve().then(request)
    this.#underWay.add(answer)
    try {
      return await answer
    } finally {
      this.#underWay.delete(answer)
    }
  }

  /** Rejects further requests. Settles when none is in flight, at the latest after `limitMs`. Never rejects. */
  async shut(limitMs: number): Promise<void> {
    this.#isShut = true
    try {
      await withTimeLimit(limitMs, () => Promise.allSettled(this.#underWay))
    } catch (error) {
      // A longer request waits for a server or a download, and ends with the servers.
      if (!(error instanceof TimeLimitError)) throw error
    }
  }
}
