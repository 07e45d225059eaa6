import { Emitter } from '../../lifecycle/emitter'
import type { EndedRequest } from '../../mcp/peer/request-failure'
import type { ServerSession } from '../../mcp/session'
import type { ByteCounts } from '../../process/spawn/child-process'

/** The counts of a server over all its sessions while the app runs. */
export class SessionCounts {
  readonly #open = new Set<ServerSession>()
  readonly #requestEnded = new Emitter<EndedRequest>()
  #closed: ByteCounts = { bytesIn: 0, bytesOut: 0 }
  /** Starts and reconnects. */
  starts = 0
  /** The automatic ones of `starts`. */
  restarts = 0
  /** Ready sessions that ended although nothing stopped them. */
  losses = 0
  /** First listings of the sessions that served, and their later ones. */
  listings = 0
  /** Lines on stdout that were no messages. */
  noiseLines = 0

  readonly onDidEndRequest = this.#requestEnded.event

  /** Bytes of all sessions, those that ended too. */
  get byteCounts(): ByteCounts {
    return [...this.#open].reduce(
      (sum, { connection }) => added(sum, connection.byteCounts),
      this.#closed,
    )
  }

  /** Counts a start or a reconnect. */
  count(isByItself: boolean): void {
    this.starts += 1
    if (isByItself) this.restarts += 1
  }

  /** Counts a session from its spawn on. */
  add(session: ServerSession): void {
    this.#open.add(session)
    session.onDidEndRequest((request) => this.#requestEnded.emit(request))
    void session.connection.ended.then(() => {
      this.#open.delete(session)
      this.#closed = added(this.#closed, session.connection.byteCounts)
    })
  }
}

function added(one: ByteCounts, other: ByteCounts): ByteCounts {
  return { bytesIn: one.bytesIn + other.bytesIn, bytesOut: one.bytesOut + other.bytesOut }
}
