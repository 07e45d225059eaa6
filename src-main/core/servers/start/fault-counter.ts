import {
  NO_FAULTS,
  type ProtocolFaults,
  type ProtocolWarning,
} from '../../../../src-shared/domain/running/protocol-faults'
import type { Fault } from '../../mcp/peer/connection'

/** Cases of each kind that the log shows; the others are only counted. */
const MOST_LOGGED = 5
/** How often a rising count is shown, in ms; the first case is shown immediately. */
const SHOW_MS = 500
/** Warnings of faults whose cases are in the log already. */
const LOGGED: Partial<Record<Fault, string>> = {
  noiseLines: 'Text on stdout that is not a protocol message. See the log.',
}
/** Kinds of warnings that are kept; the one that came last longest ago goes first. */
const MOST_WARNINGS = 50

/** Counts the protocol faults of a session, logs the first cases and announces changes. */
export class FaultCounter implements Disposable {
  #counts: ProtocolFaults = NO_FAULTS
  /** By message; the newest last. */
  readonly #warnings = new Map<string, ProtocolWarning>()
  #timer: NodeJS.Timeout | undefined

  /** `redact` masks the secrets in a sentence. */
  constructor(
    private readonly onLog: (sentence: string) => void,
    private readonly onDidChange: () => void,
    private readonly redact: (sentence: string) => string = (sentence) => sentence,
  ) {}

  /** The kinds of faults and repairs, the newest last. */
  get warnings(): readonly ProtocolWarning[] {
    return [...this.#warnings.values()].map((warning) => ({
      ...warning,
      message: this.redact(warning.message),
    }))
  }

  get counts(): ProtocolFaults {
    return this.#counts
  }

  /** Counts one case; `detail` is a sentence about it, missing where the log shows the case itself. */
  add(fault: Fault, detail?: string): void {
    const count = this.#counts[fault] + 1
    this.#counts = { ...this.#counts, [fault]: count }
    const warning = detail ?? LOGGED[fault]
    if (warning !== undefined) this.#warn(fault, warning)
    if (detail !== undefined && count <= MOST_LOGGED) this.onLog(detail)
    // On its own: behind a text that was cut it would hide the cut from the redactor.
    if (detail !== undefined && count === MOST_LOGGED)
      this.onLog('Further warnings of this kind are only counted.')
    if (count === 1) this.onDidChange()
    else this.#timer ??= setTimeout(() => this.#show(), SHOW_MS)
  }

  #warn(kind: Fault, message: string): void {
    const count = (this.#warnings.get(message)?.count ?? 0) + 1
    this.#warnings.delete(message)
    this.#warnings.set(message, { kind, message, count, lastAt: Date.now() })
    for (const oldest of this.#warnings.keys()) {
      if (this.#warnings.size <= MOST_WARNINGS) break
      this.#warnings.delete(oldest)
    }
  }

  #show(): void {
    this.#timer = undefined
    this.onDidChange()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
