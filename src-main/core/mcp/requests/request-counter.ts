import { Emitter } from '../../lifecycle/emitter'
import type { EndedRequest } from '../peer/ended-request'
import { failureCode } from '../peer/request-failure'

/** Counts the requests of one session, and tells of each when it is over. */
export class RequestCounter {
  readonly #ended = new Emitter<EndedRequest>()
  #inFlight = 0

  readonly onDidEnd = this.#ended.event

  /** How many that the server is busy with wait for their answer. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Settles as `send` does; `isWork`: the server is busy with it. */
  async count<T>(method: string, send: () => Promise<T>, isWork = true): Promise<T> {
    const from = performance.now()
    const work = isWork ? 1 : 0
    let failure: string | undefined
    this.#inFlight += work
    try {
      return await send()
    } catch (error) {
      failure = failureCode(error)
      throw error
    } finally {
      this.#inFlight -= work
      this.#ended.emit({ method, ms: performance.now() - from, failure })
    }
  }
}
