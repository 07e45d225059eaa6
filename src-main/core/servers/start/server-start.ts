import type { LimitFunction } from 'p-limit'

import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { LogEntry } from '../../../../src-shared/domain/running/log-entry'
import {
  NO_FAULTS,
  type ProtocolFaults,
  type ProtocolWarning,
} from '../../../../src-shared/domain/running/protocol-faults'
import type { PhaseRecord, StartPhase } from '../../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { type FailureText, failureText } from '../../failure/describe-failure'
import type { StartPlace } from '../../failure/program-folder'
import type { StartKind } from '../../installation/draft'
import type { PackageInstaller } from '../../launch/downloads/package-installer'
import { keepNewest } from '../../lifecycle/keep-newest'
import type { NetworkWatch } from '../../lifecycle/network-watch'
import { Throttle } from '../../lifecycle/throttle'
import type { WakeWatch } from '../../lifecycle/wake-watch'
import type { LogBuffer } from '../../log/log-buffer'
import type { ServerRequests } from '../../mcp/elicitation/server-requests'
import type { Connection, Fault, MessageTap } from '../../mcp/peer/connection'
import { ServerSession } from '../../mcp/session'
import type { KnownServer, SessionReports } from '../../mcp/session-options'
import type { Timekeeper } from '../../ports'
import type { ChildSpec } from '../../process/spawn/child-process'
import type { StartActivity } from '../start-watch/start-watch'
import type { EndingSessions, SessionCounts } from './ending-sessions'
import { chosenMode, type PreparedLaunch } from './launch'
import { StartTimeline } from './start-timeline'

const TAIL_LINES = 20
/** Lines that are searched for the cause: a usage text may follow the reason. */
const LINES_READ = 200
/** How long before the end of a Ready session its lines may tell why it ended, in ms. */
const LAST_LINES_MS = 10_000
/** Many programs print their errors on stdout. */
const OF_SERVER: LogEntry['source'][] = ['stderr', 'stdout']

/** What servers need from the rest of the app. */
export type ServerContext = {
  /** Read for every decision. */
  readonly settings: () => Settings
  readonly clientVersion: string
  readonly installationOf: (installationId: string) => Installation | undefined
  /** Reads the installation for every start. */
  readonly prepare: (
    installationId: string,
    log: LogBuffer,
    kind: StartKind,
  ) => Promise<PreparedLaunch>
  /** Begins to record the messages of another session; missing where nobody does. */
  readonly openTap?: ((installationId: string) => MessageTap | undefined) | undefined
  /** Reasons why a change is not in use yet. `prepare` forgets them; a reconnect that fails notes them again. */
  readonly unapplied?:
    | {
        of(installationId: string): readonly string[]
        note(installationId: string, reason: string): void
      }
    | undefined
}

/** What all servers share. */
export type SharedByServers = {
  readonly installer: PackageInstaller
  /** Held while spawning only, so that servers that hang or download delay no other (B9). */
  readonly slots: LimitFunction
  readonly time: Timekeeper
  readonly wake: WakeWatch
  readonly network: NetworkWatch
  /** How long a health check waits for its answer where it is not the usual time, in ms. */
  readonly answerMs?: number | undefined
}

/** A runner to install before the start, which the user agreed to. */
export type SetUp = {
  readonly limitMs: number
  /** Once `signal` is aborted it rejects when no process of it is left. */
  readonly run: (onLine: (line: string) => void, signal: AbortSignal) => Promise<void>
}

/** What a start does before its usual phases; `repairs`: it deletes the package copy that the runner keeps. */
export type StartOptions = { readonly setUp?: SetUp; readonly repairs?: boolean }

/** One server, or an instance of it. */
export type ServerIdentity = {
  readonly installationId: string
  readonly log: LogBuffer
  /** Answers its requests; missing where nothing can. */
  readonly serverRequests?: ServerRequests | undefined
  /** Set for an instance: where its server counts, and when there is room for it. */
  readonly instance?: { readonly counts: SessionCounts; readonly room: Promise<void> } | undefined
}

/** The server that a start belongs to, as the phases use it. */
export type StartingServer = Pick<ServerIdentity, 'log'> & {
  readonly identity: ServerIdentity
  readonly context: ServerContext & SharedByServers
  readonly counts: SessionCounts
  readonly ending: EndingSessions
  /** The same function for every start, so that a start joins an earlier download and logs it once. */
  readonly onInstallLine: (line: string) => void
  /** The phase of a start, its record or its faults have changed. */
  readonly onDidMove: () => void
}

/** One start or reconnect of a server: how far it is, and what is known of it should it fail. */
export class ServerStart {
  readonly #controller = new AbortController()
  readonly #log: LogBuffer
  readonly #firstSeq: number
  /** Of the first line after Ready. */
  #readySeq: number | undefined
  #phase: StartPhase
  #phases: readonly PhaseRecord[] = []
  #session: ServerSession | undefined
  #runner: RunnerName | undefined
  #place: StartPlace | undefined
  #activity: StartActivity = {}
  #isOver = false

  /** Whether the program asked the user to sign in: an automatic start would ask again. */
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
      (sentence) => log.append('patchbay', 'warn', sentence),
      server.onDidMove,
      (sentence) => log.redactor(sentence),
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

  /** From its spawn on. */
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

  /** Opens the session over a connection; a start that is over by then ends it. */
  openSession(
    connection: Connection,
    launch: PreparedLaunch,
    { onText, ...known }: Omit<KnownServer, 'isModeChosen'> & Pick<SessionReports, 'onText'>,
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
    if (this.#isOver || this.signal.aborted) ending.end(session)
    else this.#session = session
    return session
  }

  becameReady(): void {
    this.#readySeq = this.#log.nextSeq
  }

  /** Settles when no process of a start that failed or was canceled is left. */
  async close(): Promise<void> {
    this.#isOver = true
    await this.#session?.close()
    this.faults[Symbol.dispose]()
  }

  /** The text of a failure, with its cause as far as phase and output tell. */
  explain(error: unknown): FailureText {
    const clues = {
      stderrTail: this.stderrTail(),
      // The lines of the installer count, too.
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

  /** The last lines of the server (on stderr, and on stdout those that are no messages) or of the installer; oldest first and masked. */
  stderrTail(): string[] {
    const read = this.#phase === 'install' ? this.#read('install') : this.#read(...OF_SERVER)
    const tail = read.slice(-TAIL_LINES)
    const first = read.find(({ level }) => level === 'error')
    // The reason often stands before a long usage text.
    const shown = first && !tail.includes(first) ? [first, ...tail.slice(1)] : tail
    return shown.map(({ text }) => text)
  }

  #moved(): void {
    if (!this.signal.aborted) this.server.onDidMove()
  }

  #read(...sources: LogEntry['source'][]): LogEntry[] {
    return this.#log.newest(LINES_READ, this.#firstSeq, sources)
  }

  /** A session that served for hours did not end for what it printed at its start. */
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
  readonly #showing: Throttle

  /** `redact` masks the secrets in a sentence. */
  constructor(
    private readonly onLog: (sentence: string) => void,
    onDidChange: () => void,
    private readonly redact: (sentence: string) => string = (sentence) => sentence,
  ) {
    this.#showing = new Throttle(SHOW_MS, onDidChange)
  }

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
    this.#showing.call()
  }

  #warn(kind: Fault, message: string): void {
    const count = (this.#warnings.get(message)?.count ?? 0) + 1
    const warning = { kind, message, count, lastAt: Date.now() }
    keepNewest(this.#warnings, message, warning, MOST_WARNINGS)
  }

  [Symbol.dispose](): void {
    this.#showing[Symbol.dispose]()
  }
}
