import type { LimitFunction } from 'p-limit'

import { type Capabilities, NO_CAPABILITIES } from '../../../src-shared/domain/capability'
import type { ProtocolFaults } from '../../../src-shared/domain/protocol-faults'
import type { PhaseRecord, RunStatus } from '../../../src-shared/domain/run-status'
import type { PackageInstaller } from '../launch/package-installer'
import type { LogBuffer } from '../log/log-buffer'
import { levelOf } from '../log/log-level'
import type { ChildExit } from '../process/child-process'
import { errorStatus, exitError } from './describe-failure'
import { faultWarnings } from './describe-faults'
import { FaultTally } from './fault-tally'
import { Leftovers } from './leftovers'
import type { ServerSession } from './server-session'
import type { PreparedLaunch, SetUp } from './start-sequence'
import { runStart } from './start-sequence'

const TAIL_LINES = 20

export type SupervisorOptions = {
  /** Reads the installation anew for every start. */
  readonly prepare: () => Promise<PreparedLaunch>
  readonly installer: PackageInstaller
  readonly slots: LimitFunction
  readonly log: LogBuffer
  readonly clientVersion: string
  readonly onDidChange: () => void
}

type Attempt = { readonly controller: AbortController; readonly done: Promise<void> }

/**
 * The life of one server: starts it in steps, keeps its status, notices its loss, stops it. Nothing
 * here rejects or blocks another server; what goes wrong is a status.
 */
export class SessionSupervisor {
  readonly #options: SupervisorOptions
  readonly #leftovers = new Leftovers(
    () => this.#options.installer.waitedFor(this.#onInstallLine),
    () => this.#status.kind === 'error' && this.#setStatus(this.#status),
  )
  #status: RunStatus = { kind: 'stopped' }
  #statusSince = Date.now()
  #phases: readonly PhaseRecord[] = []
  #faults: FaultTally
  #firstSeq = 0
  #attempt: Attempt | undefined
  #session: ServerSession | undefined
  #stopping: Promise<void> | undefined
  /** The newest wish that came during a stop was to start. */
  #startsAgain = false
  #hasEnded = false
  /** How many starts there were while the app runs. */
  #starts = 0

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#faults = this.#newTally()
  }

  get status(): RunStatus {
    return this.#status
  }

  /** Epoch ms of the last change of the status's kind. */
  get statusSince(): number {
    return this.#statusSince
  }

  get phases(): readonly PhaseRecord[] {
    return this.#phases
  }

  get faults(): ProtocolFaults {
    return this.#faults.counts
  }

  get session(): ServerSession | undefined {
    return this.#session
  }

  get capabilities(): Capabilities {
    return this.#session?.capabilities ?? NO_CAPABILITIES
  }

  /**
   * Begins a start, or notes that one follows the stop under way; false when it does nothing: while one is
   * under way or done, after `end`, and with `setUp` during a stop.
   */
  start(setUp?: SetUp): boolean {
    if (this.#hasEnded || (this.#stopping && setUp)) return false
    if (this.#stopping) {
      this.#startsAgain = true
      return true
    }
    if (this.#attempt || this.#session) return false
    const controller = new AbortController()
    this.#faults[Symbol.dispose]()
    this.#faults = this.#newTally()
    this.#phases = []
    this.#firstSeq = this.#options.log.nextSeq
    this.#starts += 1
    this.#options.log.append('patchbay', 'info', `Start ${String(this.#starts)}`)
    this.#setStatus({ kind: 'starting', phase: setUp ? 'setUp' : 'resolve' })
    const done = this.#run(controller.signal, setUp).finally(() => (this.#attempt = undefined))
    this.#attempt = { controller, done }
    return true
  }

  /** Stops, staged; every call shares one stop, and a start that waits for it is given up. Settles when no process is left. */
  stop(): Promise<void> {
    this.#startsAgain = false
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined
      if (this.#startsAgain) this.start()
    })
    return this.#stopping
  }

  /** Stops for good: from now on nothing starts it. */
  end(): Promise<void> {
    this.#hasEnded = true
    return this.stop()
  }

  /** The person's Stop: the second one, while stopping, goes to the next stage at once (B6). */
  stopOrEscalate(): void {
    // During a restart it is the first: it only gives up the start.
    if (this.#stopping && !this.#startsAgain) {
      this.#session?.escalate()
      this.#leftovers.escalate()
    }
    void this.stop()
  }

  restart(): void {
    void this.stop()
    this.start()
  }

  async #stop(): Promise<void> {
    const { log, installer } = this.#options
    // Also the download of a start that failed by time, which goes on.
    const isDownloading = installer.waitedFor(this.#onInstallLine) !== undefined
    const released = installer.release(this.#onInstallLine)
    if (this.#attempt || this.#session || this.#leftovers.isEnding || isDownloading) {
      this.#setStatus({ kind: 'stopping' })
      log.append('patchbay', 'info', 'Stopping')
      this.#attempt?.controller.abort(new Error('stopped'))
      await Promise.all([this.#session?.close(), this.#attempt?.done])
    }
    await Promise.all([this.#leftovers.ended(), released])
    this.#session = undefined
    this.#faults[Symbol.dispose]()
    if (this.#status.kind === 'stopping') log.append('patchbay', 'info', 'Stopped')
    this.#setStatus({ kind: 'stopped' })
  }

  async #run(signal: AbortSignal, setUp: SetUp | undefined): Promise<void> {
    const { log } = this.#options
    let spawned: ServerSession | undefined
    let isOver = false
    try {
      // A process of before may still be going: never two at a time.
      await this.#leftovers.ended()
      signal.throwIfAborted()
      const session = await runStart({
        ...this.#options,
        setUp,
        signal,
        onPhases: (phase, records) => {
          this.#phases = [...records]
          if (!signal.aborted) this.#setStatus({ kind: 'starting', phase })
        },
        onInstallLine: this.#onInstallLine,
        faults: this.#faults,
        stderrTail: () => this.#stderrTail(),
        onSpawned: (child) => {
          // Too late for a start that was cancelled or ran out of time.
          if (isOver || signal.aborted) this.#leftovers.end(child)
          else this.#session = spawned = child
        },
      })
      signal.throwIfAborted()
      if (session.isClosed) throw exitError(session.exit, 'right after its start')
      this.#onReady(session)
    } catch (error) {
      isOver = true
      // B10: the client is closed and the process ended before the status says so.
      await spawned?.close()
      this.#session = undefined
      if (signal.aborted) return
      const status = errorStatus(error, this.#stderrTail(), (text) => log.redact(text))
      if (status.kind === 'error') log.append('patchbay', 'error', status.message)
      this.#setStatus(status)
    }
  }

  readonly #onInstallLine = (line: string): void =>
    this.#options.log.append('install', levelOf(line), line)

  #onReady(session: ServerSession): void {
    const count = session.capabilities.tools.length
    const tools = count === 1 ? '1 tool' : `${String(count)} tools`
    this.#options.log.append('patchbay', 'info', `Ready with ${tools}`)
    session.onDidClose((exit) => this.#onLost(session, exit))
    session.onDidChangeCapabilities(() => this.#setStatus(this.#runningStatus(session)))
    this.#setStatus(this.#runningStatus(session))
  }

  #runningStatus(session: ServerSession): RunStatus {
    const warnings = [...session.capabilities.notices, ...faultWarnings(this.#faults.counts)]
    return warnings.length > 0 ? { kind: 'degraded', warnings } : { kind: 'ready' }
  }

  #newTally(): FaultTally {
    const tally: FaultTally = new FaultTally(
      (sentence) => this.#options.log.append('patchbay', 'warn', sentence),
      () => {
        const isRunning = this.#status.kind === 'ready' || this.#status.kind === 'degraded'
        if (isRunning && this.#session && tally === this.#faults)
          this.#setStatus(this.#runningStatus(this.#session))
      },
    )
    return tally
  }

  #stderrTail(): string[] {
    return this.#options.log.stderrTail(TAIL_LINES, this.#firstSeq)
  }

  #onLost(session: ServerSession, exit: ChildExit | undefined): void {
    if (this.#session !== session || this.#stopping) return
    const { log } = this.#options
    this.#session = undefined
    // What the server started may outlive it.
    this.#leftovers.end(session)
    const error = exitError(exit, 'while it was in use')
    log.append('patchbay', 'error', error.message)
    this.#setStatus(errorStatus(error, this.#stderrTail(), (text) => log.redact(text)))
  }

  #setStatus(status: RunStatus): void {
    if (status.kind !== this.#status.kind) this.#statusSince = Date.now()
    this.#status =
      status.kind === 'error' ? { ...status, leftover: this.#leftovers.tell() } : status
    this.#options.onDidChange()
  }
}
