import type { AppError } from '../../../../src-shared/domain/app-error'
import type { PhaseRecord, StartPhase } from '../../../../src-shared/domain/running/run-status'
import { timeoutError } from '../../failure/describe-failure'
import { SignInNeededError } from '../../failure/remote-failure'
import { untilAborted } from '../../lifecycle/time-limit'

/** Decides whether a phase may go on at its limit. */
type Patience = {
  /** When `more` is called first, in ms; no later than the limit of the phase. */
  readonly firstMs: number
  readonly more: () => Promise<number | AppError | undefined>
  /** The limit that then holds, from the begin of the phase on, in ms. */
  readonly limitMs: number
}

/** When a phase begins, and its notes. */
export type RunOptions = {
  /** Settles when the phase may begin; until then its budget does not run. */
  readonly turn?: Promise<void> | undefined
  /** The reason of the wait, as a few words without full stop. */
  readonly waitNote?: string | undefined
  /** A note on the phase, as a few words without full stop. */
  readonly note?: string | undefined
  /** Observations so far, as sentences, for a phase that takes too long. */
  readonly facts?: (() => string | undefined) | undefined
  readonly patience?: Patience | undefined
}

/** Runs the phases of one start, each within its budget, and keeps the record of each. */
export class StartTimeline {
  readonly #records: PhaseRecord[] = []

  constructor(
    private readonly signal: AbortSignal,
    private readonly onPhases: (phase: StartPhase, records: readonly PhaseRecord[]) => void,
  ) {}

  /** Rejects with PHASE_TIMEOUT, with the reason of the signal, or as `work` does; `work` begins at its turn. */
  async run<T>(
    phase: StartPhase,
    budgetMs: number,
    work: () => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const { turn, waitNote, note } = options
    const record: PhaseRecord = { phase, startedAt: Date.now(), budgetMs, outcome: 'running' }
    this.#records.push(record)
    try {
      if (turn) await this.#wait(record, turn, waitNote)
      record.note = note
      this.#emit(phase)
      this.signal.throwIfAborted()
      const result = await this.#within(record, work(), options)
      record.outcome = 'done'
      record.note = note
      return result
    } catch (error) {
      this.#end(record, error)
      throw error
    } finally {
      record.endedAt = Date.now()
      this.#emit(phase)
    }
  }

  /** As `run`, for a phase that the start can go on without; `onFailure` gives the note of a failed one. */
  async attempt(
    phase: StartPhase,
    budgetMs: number,
    work: () => Promise<void>,
    { onFailure, ...options }: RunOptions & { readonly onFailure: (error: unknown) => string },
  ): Promise<void> {
    const index = this.#records.length
    try {
      await this.run(phase, budgetMs, work, options)
    } catch (error) {
      const record = this.#records[index]
      if (this.signal.aborted || !record) throw error
      record.outcome = 'skipped'
      record.note = onFailure(error)
      this.#emit(phase)
    }
  }

  skip(phase: StartPhase, budgetMs: number): void {
    const now = Date.now()
    this.#records.push({ phase, startedAt: now, endedAt: now, budgetMs, outcome: 'skipped' })
  }

  /** Sets the note of the running phase, as a few words without full stop. */
  note(words: string): void {
    const record = this.#records.at(-1)
    if (record?.outcome !== 'running') return
    record.note = words
    this.#emit(record.phase)
  }

  /** Settles as `work` does. Rejects with PHASE_TIMEOUT or as `patience` says when that takes too long, or with the reason of the signal. */
  async #within<T>(
    record: PhaseRecord,
    work: Promise<T>,
    { facts, patience }: RunOptions,
  ): Promise<T> {
    const { phase, budgetMs } = record
    const limit = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    let spentMs = patience?.firstMs ?? budgetMs
    const wait = (ms: number): void => {
      timer = setTimeout(() => void decide().catch(limit.reject), ms)
    }
    const decide = async (): Promise<void> => {
      const decision = await patience?.more()
      if (isOver) return
      if (patience && typeof decision === 'number') {
        record.budgetMs = Math.max(record.budgetMs, patience.limitMs)
        this.#emit(phase)
        spentMs += decision
        wait(decision)
        return
      }
      // A deviation of less than the limit is not worth showing.
      const wholeMs = Math.round(spentMs / 1_000) * 1_000
      const shownMs = spentMs < 2 * budgetMs ? budgetMs : wholeMs
      limit.reject(decision ?? timeoutError(phase, shownMs, facts?.()))
    }
    wait(spentMs)
    try {
      return await untilAborted(this.signal, Promise.race([work, limit.promise]))
    } finally {
      isOver = true
      clearTimeout(timer)
    }
  }

  /** A server that needs a sign-in has answered, so its phase has not failed. */
  #end(record: PhaseRecord, error: unknown): void {
    record.outcome = this.signal.aborted ? 'cancelled' : 'failed'
    if (record.outcome === 'cancelled' || !(error instanceof SignInNeededError)) return
    record.outcome = 'done'
    record.note = 'sign-in needed'
  }

  async #wait(record: PhaseRecord, turn: Promise<void>, note: string | undefined): Promise<void> {
    record.isWaiting = true
    record.note = note
    this.#emit(record.phase)
    try {
      await untilAborted(this.signal, turn)
    } finally {
      record.isWaiting = false
      record.startedAt = Date.now()
    }
  }

  #emit(phase: StartPhase): void {
    this.onPhases(phase, this.#records)
  }
}
