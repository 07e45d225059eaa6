import type { LimitFunction } from 'p-limit'

import {
  NO_FAULTS,
  type ProtocolFaults,
  type ProtocolWarning,
} from '../../../src-shared/domain/running/protocol-faults'
import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../src-shared/domain/state/settings'
import type { PackageInstaller } from '../launch/downloads/package-installer'
import type { NetworkWatch } from '../lifecycle/network-watch'
import type { WakeWatch } from '../lifecycle/wake-watch'
import { levelOf } from '../lines/line-level'
import type { LogBuffer } from '../log/log-buffer'
import type { ServerRequests } from '../mcp/elicitation/server-requests'
import type { MessageTap } from '../mcp/peer/connection'
import type { ServerSession } from '../mcp/session'
import type { Timekeeper } from '../ports'
import { LiveSession } from './live-session'
import { SessionCounts } from './session-counts'
import { EndingSessions } from './start/ending-sessions'
import type { PreparedLaunch } from './start/launch'
import { type AttemptEnd, StartAttempt } from './start/start-attempt'
import type { StartOptions } from './start/start-context'

/** How long requests that are in flight keep a session alive that another has taken the place of, in ms. */
const RETIRE_MS = 5_000

/** What the sessions of one server are made of. */
export type SessionParts = {
  /** Reads the installation anew for every start. */
  readonly prepare: () => Promise<PreparedLaunch>
  readonly installer: PackageInstaller
  readonly slots: LimitFunction
  readonly log: LogBuffer
  /** Where it is counted; of its own where it is missing. */
  readonly counts?: SessionCounts | undefined
  readonly clientVersion: string
  /** Answers the requests of the server; missing where nothing can. */
  readonly serverRequests?: ServerRequests | undefined
  /** Begins to take note of the messages of another session; missing where nobody does. */
  readonly openTap?: (() => MessageTap | undefined) | undefined
  /** Read anew for every decision. */
  readonly settings: () => Settings
  /** How long a health check waits for its answer where it is not the usual time, in ms. */
  readonly answerMs?: number | undefined
  readonly time: Timekeeper
  readonly wake: WakeWatch
  readonly network: NetworkWatch
}

export type SessionEvents = {
  /** The status of a start or of the session that serves may have changed, or what is told of them. */
  readonly onMoved: () => void
  /** What still runs of it although it failed may have changed. */
  readonly onLeftover: () => void
  /** A session serves, of a start or of a reconnect; `before` is the one whose place it took. */
  readonly onReady: (session: ServerSession, before: LiveSession | undefined) => void
  readonly onFailedStart: (error: unknown, attempt: StartAttempt) => void
  /** The session that served is gone. */
  readonly onLost: (error: unknown, lost: LiveSession) => void
  /** A reconnect has failed and the session from before serves on; unless it is hanging and is let go next. */
  readonly onFailedReconnect: (error: unknown, attempt: StartAttempt, serving: LiveSession) => void
  /** The session that serves answers no health check any more. */
  readonly onHang: (serving: LiveSession) => void
  /** The server has forgotten the session that serves. */
  readonly onExpired: (serving: LiveSession) => void
}

/** The processes of one server: at most one, except the new one of a reconnect beside the one that serves. */
export class ServerSessions {
  readonly counts: SessionCounts
  readonly #ending: EndingSessions
  #newest: StartAttempt | undefined
  #start: StartAttempt | undefined
  #live: LiveSession | undefined
  #reconnect: StartAttempt | undefined
  #isStopping = false

  constructor(
    private readonly parts: SessionParts,
    private readonly events: SessionEvents,
  ) {
    this.counts = parts.counts ?? new SessionCounts()
    const download = (): Promise<void> | undefined => parts.installer.waitedFor(this.#onInstallLine)
    this.#ending = new EndingSessions(download, events.onLeftover)
  }

  /** The start under way. */
  get start(): StartAttempt | undefined {
    return this.#start
  }

  get serving(): LiveSession | undefined {
    return this.#live
  }

  /** What is brought up beside the session that serves. */
  get reconnect(): StartAttempt | undefined {
    return this.#reconnect
  }

  /** The newest start or reconnect, also when it is over. */
  get newest(): StartAttempt | undefined {
    return this.#newest
  }

  /** Since when the session that serves has, epoch ms. */
  get upSince(): number | undefined {
    return this.#isStopping ? undefined : this.#live?.since
  }

  get faults(): ProtocolFaults {
    return (this.#live?.attempt ?? this.#newest)?.faults.counts ?? NO_FAULTS
  }

  get protocolWarnings(): readonly ProtocolWarning[] {
    return (this.#live?.attempt ?? this.#newest)?.faults.warnings ?? []
  }

  /** The status while a start is under way or a session serves. */
  get status(): RunStatus | undefined {
    if (this.#isStopping) return undefined
    return this.#start ? startStatus(this.#start) : this.#live?.status
  }

  /** What takes so long to end after a failure that a person may want to end it. */
  get leftover(): ReturnType<EndingSessions['tell']> {
    return this.#ending.tell()
  }

  /** Begins a start; never while one is under way or a session serves. */
  beginStart(startOptions: StartOptions): void {
    this.#start = this.#bringUp(startOptions)
  }

  /** Begins a reconnect; only while a session serves and no other is under way. */
  beginReconnect(): void {
    this.#reconnect = this.#bringUp()
  }

  /** Whether the reconnect under way is now the start, as the session that served is gone. */
  takeReconnectAsStart(): boolean {
    if (!this.#reconnect) return false
    this.#start = this.#reconnect
    this.#reconnect = undefined
    return true
  }

  /** Lets go of the session that serves, as if it had ended. */
  lose(serving: LiveSession, error: unknown): void {
    if (this.#live !== serving || this.#isStopping) return
    this.#live = undefined
    serving[Symbol.dispose]()
    this.counts.losses += 1
    // What the server started may outlive it.
    this.#ending.end(serving.session)
    this.events.onLost(error, serving)
  }

  /** Goes to the next stage of each stop at once. */
  escalate(): void {
    for (const one of [this.#live, this.#start, this.#reconnect]) one?.session?.escalate()
    this.#ending.escalate()
  }

  /** Ends all of them; `onBegin` is called when there is anything to end. Settles when no process is left. */
  async stop(onBegin: () => void): Promise<void> {
    const { installer } = this.parts
    // Also the download of a start that failed by time, which goes on.
    const isDownloading = installer.waitedFor(this.#onInstallLine) !== undefined
    const released = installer.release(this.#onInstallLine)
    const serving = this.#live
    const attempt = this.#start ?? this.#reconnect
    this.#isStopping = true
    if (serving || attempt || this.#ending.isEnding || isDownloading) onBegin()
    serving?.[Symbol.dispose]()
    this.#ending.hurry()
    attempt?.cancel()
    await Promise.all([serving?.session.close(), attempt && endOf(attempt)])
    await Promise.all([this.#ending.ended(), released])
    this.#start = this.#live = this.#reconnect = undefined
    this.#isStopping = false
  }

  #bringUp(startOptions: StartOptions = {}): StartAttempt {
    const attempt = new StartAttempt({
      ...this.parts,
      ...startOptions,
      leftovers: this.#ending,
      onInstallLine: this.#onInstallLine,
      onSpawned: (session) => this.counts.add(session),
      onNoise: () => (this.counts.noiseLines += 1),
      onMoved: this.events.onMoved,
    })
    this.#newest = attempt
    void attempt.ended.then((end) => this.#onEnded(attempt, end))
    return attempt
  }

  #onEnded(attempt: StartAttempt, end: AttemptEnd): void {
    // A stop ends all of them, and what is told then is its business.
    if (this.#isStopping || end.kind === 'cancelled') return
    const isStart = attempt === this.#start
    if (isStart) this.#start = undefined
    else this.#reconnect = undefined
    if (end.kind === 'ready') this.#serve(attempt, end.session)
    else if (isStart) this.events.onFailedStart(end.error, attempt)
    else if (this.#live) this.events.onFailedReconnect(end.error, attempt, this.#live)
  }

  /** The session takes over; the one that served before finishes what it is at. */
  #serve(attempt: StartAttempt, session: ServerSession): void {
    const before = this.#live
    const serving: LiveSession = new LiveSession(attempt, session, {
      ...this.parts,
      onDidChange: this.events.onMoved,
      onRelisted: () => {
        this.counts.listings += 1
        this.events.onMoved()
      },
      onHang: () => this.events.onHang(serving),
      onExpired: () => this.events.onExpired(serving),
      onLost: (error) => this.lose(serving, error),
    })
    this.#live = serving
    this.counts.listings += 1
    if (before) {
      before[Symbol.dispose]()
      this.#ending.end(before.session, RETIRE_MS)
    }
    this.events.onReady(session, before)
    // It may have been forgotten before anybody listened.
    if (serving.hasExpired) this.events.onExpired(serving)
  }

  readonly #onInstallLine = (line: string): void =>
    this.parts.log.append('install', levelOf(line), line)
}

function startStatus({ phase, activity: { label, signIn } }: StartAttempt): RunStatus {
  if (phase !== 'handshake') return { kind: 'starting', phase }
  return signIn
    ? { kind: 'awaitingSignIn', phase, ...signIn }
    : { kind: 'starting', phase, activity: label }
}

/** A cancelled attempt may have become Ready a moment before. */
async function endOf(attempt: StartAttempt): Promise<void> {
  await attempt.ended
  await attempt.session?.close()
}
