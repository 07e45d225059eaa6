import type { PhaseRecord, StartPhase } from '../../../src-shared/domain/running/run-status'

/** A step of a start that was done, and how long it took. */
export type DonePhase = { readonly phase: StartPhase; readonly ms: number }

/** Measures the steps of starts by a clock that never jumps, as their records hold the time of day. */
export class PhaseWatch {
  readonly #begun = new WeakMap<PhaseRecord, number>()
  readonly #told = new WeakSet<PhaseRecord>()

  /** The steps that were done since the last look; to be called at every change. `monotonic` in ms. */
  look(records: readonly PhaseRecord[], monotonic: number): DonePhase[] {
    const done: DonePhase[] = []
    for (const record of records) {
      const isRunning = record.outcome === 'running' && record.isWaiting !== true
      if (isRunning && !this.#begun.has(record)) this.#begun.set(record, monotonic)
      if (record.outcome !== 'done' || this.#told.has(record)) continue
      this.#told.add(record)
      const from = this.#begun.get(record)
      done.push({ phase: record.phase, ms: from === undefined ? told(record) : monotonic - from })
    }
    return done
  }
}

/** What the record says of one that was over before it was seen. */
function told({ startedAt, endedAt = startedAt }: PhaseRecord): number {
  return Math.max(0, endedAt - startedAt)
}
