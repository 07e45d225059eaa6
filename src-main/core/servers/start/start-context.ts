import type { LimitFunction } from 'p-limit'

import type { PhaseRecord, StartPhase } from '../../../../src-shared/domain/running/run-status'
import type { PackageInstaller } from '../../launch/downloads/package-installer'
import type { LogBuffer } from '../../log/log-buffer'
import type { ServerRequests } from '../../mcp/elicitation/server-requests'
import type { MessageTap } from '../../mcp/peer/connection'
import type { ServerSession } from '../../mcp/session'
import type { StartActivity } from '../start-watch/start-watch'
import type { FaultCounter } from './fault-counter'
import type { PreparedLaunch } from './launch'

/** A runner to install before the start, which the person agreed to. */
export type SetUp = {
  readonly limitMs: number
  /** Once `signal` is aborted it rejects when no process of it is left. */
  readonly run: (onLine: (line: string) => void, signal: AbortSignal) => Promise<void>
}

/** What a start does before its usual steps. */
export type StartOptions = { readonly setUp?: SetUp; readonly repairs?: boolean }

export type StartContext = {
  /** Settles when nothing of an earlier session is left, where anything is. */
  readonly before?: Promise<void> | undefined
  readonly setUp?: SetUp | undefined
  /** Whether the copy that the runner keeps of the package is taken away first. */
  readonly repairs?: boolean | undefined
  readonly prepare: () => Promise<PreparedLaunch>
  readonly installer: PackageInstaller
  /** Held while spawning only, so that servers that hang or download delay no other (B9). */
  readonly slots: LimitFunction
  readonly log: LogBuffer
  readonly signal: AbortSignal
  readonly clientVersion: string
  readonly serverRequests?: ServerRequests | undefined
  /** Called on each change of the newest start's steps. */
  readonly onPhases: (phase: StartPhase, records: readonly PhaseRecord[]) => void
  /** What the program does that is started, or what it waits for, is something else now. */
  readonly onActivity: (activity: StartActivity) => void
  /** The same function for every start, so that a download of before is joined and heard once. */
  readonly onInstallLine: (line: string) => void
  readonly faults: FaultCounter
  /** Begins to take note of the messages of another session; missing where nobody does. */
  readonly openTap?: (() => MessageTap | undefined) | undefined
  /** A line on stdout was no message. */
  readonly onNoise: () => void
  /** The last stderr lines of this start, oldest first. */
  readonly stderrTail: () => readonly string[]
  /** The child runs, or the connection is begun: from here on its owner must close the session. */
  readonly onSpawned: (session: ServerSession) => void
}
