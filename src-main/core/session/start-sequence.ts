import type { LimitFunction } from 'p-limit'

import type { PhaseRecord, StartPhase } from '../../../src-shared/domain/run-status'
import type { PackageInstaller } from '../launch/package-installer'
import type { LogBuffer } from '../log/log-buffer'
import { levelOf } from '../log/log-level'
import type { ChildSpec } from '../process/child-process'
import { spawnChild } from '../process/child-process'
import type { FaultTally } from './fault-tally'
import { ServerSession } from './server-session'
import { withinBudget } from './time-budget'

/** What the resolve phase makes of an installation: all that a start needs, nothing left to ask. */
export type PreparedLaunch = {
  readonly spec: ChildSpec
  readonly install: ChildSpec | undefined
  /** In ms. */
  readonly budgets: Readonly<
    Record<'installMs' | 'handshakeMs' | 'discoverMs' | 'requestMs', number>
  >
  readonly maxMessageBytes: number
  /** The command line for the log, secrets masked. */
  readonly shown: string
}

const NOISE_PREVIEW = 2_000
const RESOLVE_BUDGET_MS = 20_000
const SPAWN_BUDGET_MS = 10_000

export type StartContext = {
  readonly prepare: () => Promise<PreparedLaunch>
  readonly installer: PackageInstaller
  /** Held while installing and spawning only, so that servers that hang delay no other (B9). */
  readonly slots: LimitFunction
  readonly log: LogBuffer
  readonly signal: AbortSignal
  readonly clientVersion: string
  /** Called on each change of the newest start's steps. */
  readonly onPhases: (phase: StartPhase, records: readonly PhaseRecord[]) => void
  /** The same function for every start, so that a download of before is joined and heard once. */
  readonly onInstallLine: (line: string) => void
  readonly faults: FaultTally
  /** The last stderr lines of this start, oldest first. */
  readonly stderrTail: () => readonly string[]
  /** The child runs; from here on its owner must close the session. */
  readonly onSpawned: (session: ServerSession) => void
}

/**
 * Runs resolve, install, spawn, handshake and discover, each within its own budget. Rejects with the
 * reason of the first that fails; closing what was spawned is the caller's.
 */
export async function runStart(context: StartContext): Promise<ServerSession> {
  const { signal } = context
  const track = new PhaseTrack(context)
  const launch = await track.run('resolve', RESOLVE_BUDGET_MS, context.prepare)
  context.onPhases('install', track.records)
  // A cancelled start must not wait for its turn, and its turn must then do nothing.
  const turn = context.slots(async () => {
    signal.throwIfAborted()
    return installAndSpawn(context, track, launch)
  })
  const session = await untilAborted(turn, signal)
  const { handshakeMs, discoverMs } = launch.budgets
  await track.run('handshake', handshakeMs, () => session.connect(handshakeMs))
  await track.run('discover', discoverMs, () => session.discover(discoverMs))
  return session
}

async function installAndSpawn(
  context: StartContext,
  track: PhaseTrack,
  launch: PreparedLaunch,
): Promise<ServerSession> {
  const { installer, log } = context
  const { install, spec } = launch
  if (!install || installer.isInstalled(install)) track.skip('install', launch.budgets.installMs)
  else {
    await track.run('install', launch.budgets.installMs, () =>
      installer.install(install, context.onInstallLine, context.signal, (line) => log.redact(line)),
    )
  }
  log.append('patchbay', 'debug', launch.shown)
  return track.run('spawn', SPAWN_BUDGET_MS, async () => {
    const child = await spawnChild(spec, (line) => log.append('stderr', levelOf(line), line))
    const session = new ServerSession(child, {
      clientVersion: context.clientVersion,
      onNoise: (line) => {
        log.append('stdout', 'warn', line.toString('utf8', 0, NOISE_PREVIEW))
        context.faults.add('noiseLines')
      },
      onFault: (fault, detail) => context.faults.add(fault, detail),
      onWarning: (message) => log.append('patchbay', 'warn', message),
      stderrTail: context.stderrTail,
      maxMessageBytes: launch.maxMessageBytes,
      requestMs: launch.budgets.requestMs,
    })
    context.onSpawned(session)
    return session
  })
}

/** Keeps the record of each step while it runs. */
class PhaseTrack {
  readonly records: PhaseRecord[] = []

  constructor(private readonly context: StartContext) {}

  async run<T>(phase: StartPhase, budgetMs: number, work: () => Promise<T>): Promise<T> {
    const { signal, onPhases } = this.context
    const record: PhaseRecord = { phase, startedAt: Date.now(), budgetMs, outcome: 'running' }
    this.records.push(record)
    onPhases(phase, this.records)
    try {
      const result = await withinBudget(phase, budgetMs, signal, work())
      record.outcome = 'done'
      return result
    } catch (error) {
      record.outcome = signal.aborted ? 'cancelled' : 'failed'
      throw error
    } finally {
      record.endedAt = Date.now()
      onPhases(phase, this.records)
    }
  }

  skip(phase: StartPhase, budgetMs: number): void {
    const now = Date.now()
    this.records.push({ phase, startedAt: now, endedAt: now, budgetMs, outcome: 'skipped' })
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(new Error('cancelled'))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  return Promise.race([work, aborted])
}
