import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** How often a batch leaves, in ms, and the most lines it carries. */
const BATCH_MS = 50
const BATCH_LINES = 200

/**
 * Gathers appended lines into batches, so that a flood costs at most one message every 50 ms for each
 * server. Of a larger burst only the newest 200 lines travel; the gap in `seq` tells the reader to ask.
 */
export class LogBatcher implements Disposable {
  readonly #pending = new Map<string, LogEntry[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly onBatch: (installationId: string, entries: LogEntry[]) => void,
    private readonly batchMs = BATCH_MS,
  ) {}

  add(installationId: string, entry: LogEntry): void {
    const pending = this.#pending.get(installationId) ?? []
    if (pending.length === 0) this.#pending.set(installationId, pending)
    pending.push(entry)
    // Trimmed in steps: one splice for many lines instead of a shift for each.
    if (pending.length >= 2 * BATCH_LINES) pending.splice(0, pending.length - BATCH_LINES)
    this.#timer ??= setTimeout(() => this.flush(), this.batchMs)
  }

  /** Sends what is pending now. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const batches = [...this.#pending]
    this.#pending.clear()
    for (const [installationId, entries] of batches) {
      this.onBatch(installationId, entries.slice(-BATCH_LINES))
    }
  }

  [Symbol.dispose](): void {
    this.flush()
  }
}
