import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { LogEntry } from '../../../../src-shared/domain/running/log-entry'
import type { PhaseRecord, StartPhase } from '../../../../src-shared/domain/running/run-status'
import type { FailureClues } from '../../failure/describe-failure'
import type { StartPlace } from '../../failure/program-folder'
import type { LogBuffer } from '../../log/log-buffer'
import type { ServerSession } from '../../mcp/session'
import type { ChildSpec } from '../../process/spawn/child-process'
import type { StartActivity } from '../start-watch/start-watch'
import type { EndingSessions } from './ending-sessions'
import { FaultCounter } from './fault-counter'
import type { StartContext } from './start-context'
import { runStart } from './start-sequence'

const TAIL_LINES = 20
/** Lines that are looked through for the cause: a usage text may follow the reason. */
const LINES_READ = 200
/** How long before the end of a session that was Ready its lines may tell why it ended, in ms. */
const LAST_WORDS_MS = 10_000
/** Many programs print their errors on stdout. */
const OF_SERVER: LogEntry['source'][] = ['stderr', 'stdout']

/** How an attempt ended; unless it is `ready`, no process of it is left. */
export type AttemptEnd =
  | { readonly kind: 'ready'; readonly session: ServerSession }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' }

export type AttemptParts = Pick<
  StartContext,
  | 'setUp'
  | 'repairs'
  | 'prepare'
  | 'installer'
  | 'slots'
  | 'log'
  | 'clientVersion'
  | 'serverRequests'
  | 'onInstallLine'
  | 'onSpawned'
  | 'onNoise'
  | 'openTap'
> & {
  readonly leftovers: EndingSessions
  /** The step has changed, or its record, or the faults. */
  readonly onMoved: () => void
}

/** One session that is brought up, be it for a start or beside one that serves; it begins at once and never rejects. */
export class StartAttempt {
  readonly #controller = new AbortController()
  readonly #log: LogBuffer
  readonly #firstSeq: number
  #phase: StartPhase
  #phases: readonly PhaseRecord[] = []
  #session: ServerSession | undefined
  #runner: RunnerName | undefined
  #place: StartPlace | undefined
  #activity: StartActivity = {}
  #isOver = false

  /** Whether its program asked the user to sign in: started again by itself, it would ask again. */
  hasAsked = false
  /** Of the first line after it was Ready. */
  #readySeq: number | undefined

  readonly faults: FaultCounter
  readonly ended: Promise<AttemptEnd>

  constructor(private readonly parts: AttemptParts) {
    this.#log = parts.log
    this.#firstSeq = parts.log.nextSeq
    this.#phase = parts.setUp ? 'setUp' : 'resolve'
    this.faults = new FaultCounter(
      (sentence) => parts.log.append('patchbay', 'warn', sentence),
      parts.onMoved,
      (sentence) => parts.log.redactor(sentence),
    )
    this.ended = this.#run()
  }

  get phase(): StartPhase {
    return this.#phase
  }

  get activity(): StartActivity {
    return this.#activity
  }

  get phases(): readonly PhaseRecord[] {
    return this.#phases
  }

  /** From its spawn on. */
  get session(): ServerSession | undefined {
    return this.#session
  }

  /** What there is to explain a failure of it by, besides the failure. */
  clues(): FailureClues {
    return {
      stderrTail: this.stderrTail(),
      // What fetched the package speaks too.
      saidLines: this.#lastWords(),
      phase: this.#phase,
      runner: this.#runner,
      place: this.#place,
      isRepaired: this.#phases.some(
        ({ phase, outcome }) => phase === 'repair' && outcome === 'done',
      ),
    }
  }

  /** The last lines of the server (on stderr, and on stdout those that are no messages) or of what fetches its package; oldest first and masked. */
  stderrTail(): string[] {
    const read = this.#phase === 'install' ? this.#read('install') : this.#read(...OF_SERVER)
    const tail = read.slice(-TAIL_LINES)
    const first = read.find(({ level }) => level === 'error')
    // The reason often stands before a long usage text.
    const shown = first && !tail.includes(first) ? [first, ...tail.slice(1)] : tail
    return shown.map(({ text }) => text)
  }

  #read(...sources: LogEntry['source'][]): LogEntry[] {
    return this.#log.newest(LINES_READ, this.#firstSeq, sources)
  }

  /** What served for hours was not ended by what it said at its start. */
  #lastWords(): string[] {
    if (this.#readySeq === undefined)
      return this.#read(...OF_SERVER, 'install').map(({ text }) => text)
    const from = Date.now() - LAST_WORDS_MS
    return this.#log
      .newest(TAIL_LINES, this.#readySeq, OF_SERVER)
      .filter(({ at }) => at >= from)
      .map(({ text }) => text)
  }

  /** Gives it up; `ended` settles when its process is gone. */
  cancel(): void {
    this.#controller.abort(new Error('stopped'))
  }

  async #run(): Promise<AttemptEnd> {
    const { parts, faults } = this
    const { signal } = this.#controller
    try {
      // Its owner must know it before it is told of it.
      await Promise.resolve()
      signal.throwIfAborted()
      const { leftovers } = parts
      const session = await runStart({
        ...parts,
        before: leftovers.isEnding ? leftovers.ended() : undefined,
        prepare: async () => {
          const launch = await parts.prepare()
          if (launch.kind === 'command') {
            this.#runner = launch.runner
            this.#place = placeOf(launch.spec)
          }
          return launch
        },
        signal,
        faults,
        stderrTail: () => this.stderrTail(),
        onPhases: (phase, records) => {
          this.#phase = phase
          this.#phases = [...records]
          if (!signal.aborted) parts.onMoved()
        },
        onActivity: (activity) => {
          this.#activity = activity
          this.hasAsked ||= activity.signIn !== undefined
          if (!signal.aborted) parts.onMoved()
        },
        onSpawned: (child) => this.#spawned(child),
      })
      signal.throwIfAborted()
      if (session.isClosed) {
        await session.endKnown()
        throw session.endReason('start')
      }
      this.#readySeq = this.#log.nextSeq
      return { kind: 'ready', session }
    } catch (error) {
      this.#isOver = true
      // B10: the client is closed and the process ended before anybody hears of it.
      await this.#session?.close()
      faults[Symbol.dispose]()
      return signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', error }
    }
  }

  #spawned(session: ServerSession): void {
    this.parts.onSpawned(session)
    // Too late for a start that was cancelled or ran out of time.
    if (this.#isOver || this.#controller.signal.aborted) this.parts.leftovers.end(session)
    else this.#session = session
  }
}

function placeOf({ command, args, cwd, env }: ChildSpec): StartPlace | undefined {
  const home = env.HOME ?? env.USERPROFILE ?? ''
  return cwd === undefined ? undefined : { command, args, cwd, home }
}
