import { AppError } from '../../../src-shared/domain/app-error'
import type { ServerListing } from './lists/server-listing'
import type { Peer } from './peer/peer'

/** Checks whether one server answers. */
export class LivenessCheck {
  readonly #peer: Pick<Peer, 'request' | 'isStateless'>
  readonly #listing: Pick<ServerListing, 'answeredMethod'>
  #hasAnsweredPing = false
  /** The method of a list, for a server that leaves pings unanswered. */
  #method: string | undefined

  constructor(
    peer: Pick<Peer, 'request' | 'isStateless'>,
    listing: Pick<ServerListing, 'answeredMethod'>,
  ) {
    this.#peer = peer
    this.#listing = listing
  }

  /** Settles with any sign of life. A server that never answered a ping gets a request for a list that it gave before. */
  async check(timeoutMs: number): Promise<void> {
    const send = (method: string): Promise<unknown> =>
      this.#peer.request(method, {}, { timeoutMs, isPing: true })
    if (this.#method === undefined)
      try {
        await send(this.#peer.isStateless ? 'server/discover' : 'ping')
        this.#hasAnsweredPing = true
        return
      } catch (error) {
        const isSilent = error instanceof AppError && error.code === 'REQUEST_TIMEOUT'
        const list = isSilent && !this.#hasAnsweredPing ? this.#listing.answeredMethod : undefined
        if (list === undefined) throw error
        this.#method = list
      }
    await send(this.#method)
  }
}
