/** Syncs the sources of these ids; ends early when it is called off. */
type SyncWork = (ids: ReadonlySet<string>, signal: AbortSignal) => Promise<void>

/** A sync that is under way. */
type SyncRun = {
  readonly ids: ReadonlySet<string>
  readonly calling: AbortController
  readonly ended: Promise<void>
}

/** Lets syncs run one at a time, and knows which sources the next one is owed to. */
export class SyncRuns {
  readonly #work: SyncWork
  readonly #owed = new Set<string>()
  #run: SyncRun | undefined

  constructor(work: SyncWork) {
    this.#work = work
  }

  get isRunning(): boolean {
    return this.#run !== undefined
  }

  /** Syncs these sources, and what is owed; joins a run under way that is for them, and follows any other. Rejects as the work does. */
  begin(ids: readonly string[]): Promise<void> {
    const run = this.#run ?? this.#begin(new Set([...this.#owed, ...ids]))
    return ids.every((id) => run.ids.has(id)) ? run.ended : this.beginAnew(ids)
  }

  /** Syncs these sources as they are now: where a run is under way, another follows. Rejects as that one's work does. */
  async beginAnew(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#owed.add(id)
    // How that one ends is told to those who asked for it.
    await Promise.allSettled([this.#run?.ended])
    // Somebody else may have begun what is owed.
    await (this.#owed.size > 0 ? this.begin([]) : this.#run?.ended)
  }

  /** Ends the run under way. */
  cancel(): void {
    this.#run?.calling.abort()
  }

  /** Ends the run under way, unless somebody cancelled it; what it was for is owed. */
  interrupt(): void {
    if (!this.#run || this.#run.calling.signal.aborted) return
    for (const id of this.#run.ids) this.#owed.add(id)
    this.cancel()
  }

  #begin(ids: ReadonlySet<string>): SyncRun {
    this.#owed.clear()
    const calling = new AbortController()
    const ended = this.#work(ids, calling.signal).finally(() => (this.#run = undefined))
    this.#run = { ids, calling, ended }
    return this.#run
  }
}
