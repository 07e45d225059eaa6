import {
  NO_FAULTS,
  type ProtocolFaults,
} from '../../../../src-shared/domain/running/protocol-faults'
import type { Fault } from '../../session/messages/pending-requests'

/** Cases of each kind that are told in the log; the others are only counted. */
const MOST_TOLD = 5
/** How often a rising count is shown, in ms: the first case at once, a flood of them once in a while. */
const SHOW_MS = 500

/** Counts what a server does against the protocol, tells the first cases and says when to look again. */
export class FaultTally implements Disposable {
  #counts: ProtocolFaults = NO_FAULTS
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly onTell: (sentence: string) => void,
    private readonly onDidChange: () => void,
  ) {}

  get counts(): ProtocolFaults {
    return this.#counts
  }

  /** Counts one case; `detail` is a sentence about it, missing where the log shows the case itself. */
  add(fault: Fault, detail?: string): void {
    const count = this.#counts[fault] + 1
    this.#counts = { ...this.#counts, [fault]: count }
    if (detail !== undefined && count <= MOST_TOLD) this.onTell(detail)
    // On its own: behind a text that was cut it would hide the cut from the redactor.
    if (detail !== undefined && count === MOST_TOLD)
      this.onTell('More of this kind are only counted.')
    if (count === 1) this.onDidChange()
    else this.#timer ??= setTimeout(() => this.#show(), SHOW_MS)
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
