import type { AppError } from '../../../../src-shared/domain/app-error'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { LogEntry } from '../../../../src-shared/domain/running/log-entry'
import type { PhaseRecord, StartPhase } from '../../../../src-shared/domain/running/run-status'
import { type FailureText, failureText, timeoutError } from '../../failure/describe-failure'
import type { StartPlace } from '../../failure/program-folder'
import { SignInNeededError } from '../../failure/remote-failure'
import { untilAborted } from '../../lifecycle/time-limit'
import type { LogBuffer } from '../../log/log-buffer'
import type { Connection } from '../../mcp/peer/connection'
import { ServerSession } from '../../mcp/session'
import type { ServerHints, SessionReports } from '../../mcp/session-options'
import type { ChildSpec } from '../../process/spawn/child-process'
import type { StartActivity } from '../start-watch/start-watch'
import { chosenMode, type PreparedLaunch, type StartingServer, type StartOptions } from './launch'
import { FaultCounter } from './session-counts'

const TAIL_LINES = 20
/** Lines to search for the cause: a usage text may follow the reason. */
const LINES_READ = 200
/** A Ready session's lines of this time before its end may explain the end, in ms. */
const LAST_LINES_MS = 10_000
/** Many programs print errors on stdout. */
const OF_SERVER: LogEntry['source'][] = ['stderr', 'stdout']

/** One start or reconnect of a server: its progress, and the evidence if it fails. */
export class ServerStart {
  readonly #controller = new AbortController()
  readonly #log: LogBuffer
  readonly #firstSeq: number
  /** Number of the first line after Ready. */
  #readySeq: number | undefined
  #phase: StartPhase
  #phases: readonly PhaseRecord[] = []
  #session: ServerSession | undefined
  #runner: RunnerName | undefined
  #place: StartPlace | undefined
  #activity: StartActivity = {}
  #hasEnded = false

  /** Whether the program requested a sign-in: an automatic start would request it again. */
  hasAsked = false
  readonly faults: FaultCounter
  readonly timeline: StartTimeline

  constructor(
    readonly server: StartingServer,
    readonly options: StartOptions,
  ) {
    const { log } = server
    this.#log = log
    this.#firstSeq = log.nextSeq
    this.#phase = options.setUp ? 'setUp' : 'resolve'
    this.faults = new FaultCounter(
      (message) => log.append('patchbay', 'warn', message),
      server.onDidMove,
      (message) => log.redactor(message),
    )
    this.timeline = new StartTimeline(this.signal, (phase, records) => {
      this.#phase = phase
      this.#phases = [...records]
      this.#moved()
    })
  }

  /** Aborted by `cancel`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get phase(): StartPhase {
    return this.#phase
  }

  get phases(): readonly PhaseRecord[] {
    return this.#phases
  }

  get activity(): StartActivity {
    return this.#activity
  }

  /** Set from the spawn on. */
  get session(): ServerSession | undefined {
    return this.#session
  }

  cancel(): void {
    this.#controller.abort(new Error('stopped'))
  }

  async prepare(): Promise<PreparedLaunch> {
    const { identity, context } = this.server
    const { installationId, log, instance } = identity
    await instance?.room
    const launch = await context.prepare(installationId, log, instance ? 'instance' : 'shared')
    if (launch.kind === 'command') {
      this.#runner = launch.runner
      this.#place = placeOf(launch.spec)
    }
    return launch
  }

  setActivity(activity: StartActivity): void {
    this.#activity = activity
    this.hasAsked ||= activity.signIn !== undefined
    this.#moved()
  }

  /** Opens the session over a connection; ends it if the start has ended meanwhile. */
  openSession(
    connection: Connection,
    launch: PreparedLaunch,
    { onText, ...known }: Omit<ServerHints, 'isModeChosen'> & Pick<SessionReports, 'onText'>,
  ): ServerSession {
    const { identity, log, context, counts, ending } = this.server
    const { maxMessageBytes, budgets } = launch
    const session = new ServerSession(connection, {
      clientVersion: context.clientVersion,
      known: { ...known, isModeChosen: chosenMode(launch) !== undefined },
      reports: {
        onWarning: (message) => log.append('patchbay', 'warn', message),
        onGiveUp: ({ code, message }) =>
          log.append('patchbay', code === 'REQUEST_TIMEOUT' ? 'warn' : 'info', message),
        onFault: (fault, detail) => this.faults.add(fault, detail),
        onText,
        tap: context.openTap?.(identity.installationId),
      },
      limits: { maxMessageBytes, requestMs: budgets.requestMs, callMs: budgets.callMs },
      stderrTail: () => this.stderrTail(),
      serverRequests: identity.serverRequests,
    })
    counts.add(session)
    if (this.#hasEnded || this.signal.aborted) ending.end(session)
    else this.#session = session
    return session
  }

  becameReady(): void {
    this.#readySeq = this.#log.nextSeq
  }

  /** Settles when no process of a failed or canceled start is left. */
  async close(): Promise<void> {
    this.#hasEnded = true
    await this.#session?.close()
    this.faults[Symbol.dispose]()
  }

  /** Describes a failure, with its cause if phase and output show it. */
  explain(error: unknown): FailureText {
    const clues = {
      stderrTail: this.stderrTail(),
      // Includes the installer's lines.
      saidLines: this.#lastLines(),
      phase: this.#phase,
      runner: this.#runner,
      place: this.#place,
      isRepaired: this.#phases.some(
        ({ phase, outcome }) => phase === 'repair' && outcome === 'done',
      ),
    }
    return failureText(error, clues, (text) => this.#log.redactor(text))
  }

  /** The last lines of the server (stderr, and stdout lines that aren't messages) or of the installer; oldest first and masked. */
  stderrTail(): string[] {
    const read = this.#phase === 'install' ? this.#read('install') : this.#read(...OF_SERVER)
    const tail = read.slice(-TAIL_LINES)
    const first = read.find(({ level }) => level === 'error')
    // The reason often comes before a long usage text.
    const shown = first && !tail.includes(first) ? [first, ...tail.slice(1)] : tail
    return shown.map(({ text }) => text)
  }

  #moved(): void {
    if (!this.signal.aborted) this.server.onDidMove()
  }

  #read(...sources: LogEntry['source'][]): LogEntry[] {
    return this.#log.newest(LINES_READ, this.#firstSeq, sources)
  }

  /** After hours, a session doesn't end because of its first lines. */
  #lastLines(): string[] {
    if (this.#readySeq === undefined)
      return this.#read(...OF_SERVER, 'install').map(({ text }) => text)
    const from = Date.now() - LAST_LINES_MS
    return this.#log
      .newest(TAIL_LINES, this.#readySeq, OF_SERVER)
      .filter(({ at }) => at >= from)
      .map(({ text }) => text)
  }
}

function placeOf({ command, args, cwd, env }: ChildSpec): StartPlace | undefined {
  const home = env.HOME ?? env.USERPROFILE ?? ''
  return cwd === undefined ? undefined : { command, args, cwd, home }
}

/** Decides whether a phase may continue at its limit. */
type Patience = {
  /** When to call `more` first, in ms; no later than the phase's limit. */
  readonly firstMs: number
  readonly more: () => Promise<number | AppError | undefined>
  /** The new limit, from the phase's beginning on, in ms. */
  readonly limitMs: number
}

/** The start condition of a phase, and its notes. */
export type RunOptions = {
  /** Settles when the phase may begin; its budget starts then. */
  readonly turn?: Promise<void> | undefined
  /** The reason of the wait, in a few words without full stop. */
  readonly waitNote?: string | undefined
  /** A note on the phase, in a few words without full stop. */
  readonly note?: string | undefined
  /** Sentences about what happened so far, for a phase that times out. */
  readonly facts?: (() => string | undefined) | undefined
  readonly patience?: Patience | undefined
}

/** Runs the phases of one start within their budgets, and keeps a record of each. */
export class StartTimeline {
  readonly #records: PhaseRecord[] = []

  constructor(
    private readonly signal: AbortSignal,
    private readonly onPhases: (phase: StartPhase, records: readonly PhaseRecord[]) => void,
  ) {}

  /** Runs `work` at its turn. Rejects with PHASE_TIMEOUT, with the signal's reason, or as `work` does. */
  async run<T>(
    phase: StartPhase,
    budgetMs: number,
    work: () => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    const { turn, waitNote, note } = options
    const record: PhaseRecord = { phase, startedAt: Date.now(), budgetMs, outcome: 'running' }
    this.#records.push(record)
    let startedAt = performance.now()
    try {
      if (turn) {
        await this.#wait(record, turn, waitNote).finally(() => (startedAt = performance.now()))
      }
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
      // Measured by the monotonic clock.
      record.endedAt = record.startedAt + Math.round(performance.now() - startedAt)
      this.#emit(phase)
    }
  }

  /** Like `run`, for a phase that may fail; `onFailure` returns the note of a failed one. */
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

  /** Sets the running phase's note, in a few words without full stop. */
  note(activity: string): void {
    const record = this.#records.at(-1)
    if (record?.outcome !== 'running') return
    record.note = activity
    this.#emit(record.phase)
  }

  /** Settles as `work` does. Rejects with PHASE_TIMEOUT or the error of `patience` after the limit, or with the signal's reason. */
  async #within<T>(
    record: PhaseRecord,
    work: Promise<T>,
    { facts, patience }: RunOptions,
  ): Promise<T> {
    const { phase, budgetMs } = record
    const limit = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    let hasEnded = false
    let spentMs = patience?.firstMs ?? budgetMs
    const wait = (ms: number): void => {
      timer = setTimeout(() => void decide().catch(limit.reject), ms)
    }
    const decide = async (): Promise<void> => {
      const decision = await patience?.more()
      if (hasEnded) return
      if (patience && typeof decision === 'number') {
        record.budgetMs = Math.max(record.budgetMs, patience.limitMs)
        this.#emit(phase)
        spentMs += decision
        wait(decision)
        return
      }
      // Deviations below the limit aren't worth showing.
      const wholeMs = Math.round(spentMs / 1_000) * 1_000
      const shownMs = spentMs < 2 * budgetMs ? budgetMs : wholeMs
      limit.reject(decision ?? timeoutError(phase, shownMs, facts?.()))
    }
    wait(spentMs)
    try {
      return await untilAborted(this.signal, Promise.race([work, limit.promise]))
    } finally {
      hasEnded = true
      clearTimeout(timer)
    }
  }

  /** A server that needs a sign-in has answered, so its phase hasn't failed. */
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
