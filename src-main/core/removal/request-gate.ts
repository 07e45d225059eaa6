import { AppError } from '../../../src-shared/domain/app-error'
import { TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'

/** Lets requests through until it is shut; knows which are under way. */
export class RequestGate {
  readonly #underWay = new Set<Promise<unknown>>()
  #isShut = false

  get isShut(): boolean {
    return this.#isShut
  }

  /** Runs the request, or rejects with REMOVED. */
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

  /** Lets nothing through any more; settles when nothing is under way, `limitMs` later at the latest. Never rejects. */
  async shut(limitMs: number): Promise<void> {
    this.#isShut = true
    try {
      await withTimeLimit(limitMs, () => Promise.allSettled(this.#underWay))
    } catch (error) {
      // What takes longer waits for a server or a download, which ends with the servers.
      if (!(error instanceof TimeLimitError)) throw error
    }
  }
}
