import {
  NO_FAULTS,
  type ProtocolFaults,
  type ProtocolWarning,
} from '../../../../src-shared/domain/running/protocol-faults'
import { Emitter } from '../../lifecycle/emitter'
import { keepNewest } from '../../lifecycle/keep-newest'
import { Throttle } from '../../lifecycle/throttle'
import type { Fault } from '../../mcp/peer/connection'
import type { EndedRequest } from '../../mcp/peer/request-failure'
import type { ServerSession } from '../../mcp/session'
import type { ByteCounts } from '../../process/spawn/child-process'

/** Counts of a server over all its sessions while the app runs. */
export class SessionCounts {
  readonly #open = new Set<ServerSession>()
  readonly #requestEnded = new Emitter<EndedRequest>()
  #closed: ByteCounts = { bytesIn: 0, bytesOut: 0 }
  /** Starts and reconnects. */
  starts = 0
  /** The automatic part of `starts`. */
  restarts = 0
  /** Ready sessions that ended without a stop. */
  losses = 0
  /** First and later listings of all Ready sessions. */
  listings = 0
  /** Lines on stdout that aren't messages. */
  noiseLines = 0

  readonly onDidEndRequest = this.#requestEnded.event

  /** Bytes of all sessions, including ended ones. */
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

/** Logged cases of each kind; further ones are only counted. */
const MAX_LOGGED = 5
/** Interval in which rising counts are shown, in ms; the first case shows immediately. */
const SHOW_MS = 500
/** Warnings for faults whose cases are in the log already. */
const LOGGED: Partial<Record<Fault, string>> = {
  noiseLines: 'Text on stdout that is not a protocol message. See the log.',
}
/** Kept kinds of warnings; the least recent is dropped first. */
const MAX_WARNINGS = 50

/** Counts the protocol faults of a session, logs the first cases and announces changes. */
export class FaultCounter implements Disposable {
  #counts: ProtocolFaults = NO_FAULTS
  /** By message; the newest last. */
  readonly #warnings = new Map<string, ProtocolWarning>()
  readonly #showing: Throttle

  /** `redact` masks the secrets in a sentence. */
  constructor(
    private readonly onLog: (message: string) => void,
    onDidChange: () => void,
    private readonly redact: (message: string) => string = (message) => message,
  ) {
    this.#showing = new Throttle(SHOW_MS, onDidChange)
  }

  /** Kinds of faults and repairs, the newest last. */
  get warnings(): readonly ProtocolWarning[] {
    return [...this.#warnings.values()].map((warning) => ({
      ...warning,
      message: this.redact(warning.message),
    }))
  }

  get counts(): ProtocolFaults {
    return this.#counts
  }

  /** Counts one case; `detail` is a sentence about it, absent if the log shows the case itself. */
  add(fault: Fault, detail?: string): void {
    const count = this.#counts[fault] + 1
    this.#counts = { ...this.#counts, [fault]: count }
    const warning = detail ?? LOGGED[fault]
    if (warning !== undefined) this.#warn(fault, warning)
    if (detail !== undefined && count <= MAX_LOGGED) this.onLog(detail)
    // A line of its own: after a cut text it would hide the cut from the redactor.
    if (detail !== undefined && count === MAX_LOGGED)
      this.onLog('Further warnings of this kind are only counted.')
    this.#showing.call()
  }

  #warn(kind: Fault, message: string): void {
    const count = (this.#warnings.get(message)?.count ?? 0) + 1
    const warning = { kind, message, count, lastAt: Date.now() }
    keepNewest(this.#warnings, message, warning, MAX_WARNINGS)
  }

  [Symbol.dispose](): void {
    this.#showing[Symbol.dispose]()
  }
}
