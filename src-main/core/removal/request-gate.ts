import { AppError } from '../../../src-shared/domain/app-error'
import { TimeLimitError, withTimeLimit } from '../lifecycle/time-limit'

/** Passes requests until shut, and tracks those in flight. */
export class RequestGate {
  readonly #inFlight = new Set<Promise<unknown>>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Runs the request; rejects with REMOVED if the gate is shut. */
  async pass<T>(request: () => T | Promise<T>): Promise<T> {
    if (this.#isClosed)
      throw new AppError('REMOVED', 'Patchbay is being removed from this computer.', {
        hint: 'Quit Patchbay. The next start begins with empty settings.',
      })
    const response = Promise.resolve().then(request)
    this.#inFlight.add(response)
    try {
      return await response
    } finally {
      this.#inFlight.delete(response)
    }
  }

  /** Rejects further requests. Settles when none is in flight, at the latest after `limitMs`. Never rejects. */
  async close(limitMs: number): Promise<void> {
    this.#isClosed = true
    try {
      await withTimeLimit(limitMs, () => Promise.allSettled(this.#inFlight))
    } catch (error) {
      // A longer request waits for a server or a download, and ends with the servers.
      if (!(error instanceof TimeLimitError)) throw error
    }
  }
}
