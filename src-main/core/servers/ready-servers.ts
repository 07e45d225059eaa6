import { setImmediate as nextTurn } from 'node:timers/promises'

import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import {
  type FailedStatus,
  isActive,
  isFailed,
  isWorking,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'
import type { InstallationStore } from '../installation/store/installation-store'
import { Emitter } from '../lifecycle/emitter'
import { cancelledFailure } from '../session/requests/request-failure'
import type { ServerSession } from '../session/server-session'
import type { ServerDirectory } from './server-directory'
import type { SessionSupervisor } from './session-supervisor'

/** How long a request that sets no deadline waits for its server to be ready, in ms: a first start may download. */
export const START_WAIT_MS = 300_000

/** A server that does not serve, with its last stderr lines, oldest first and masked. */
export class ServerUnreachableError extends AppError {
  constructor(
    code: AppErrorCode,
    message: string,
    hint: string | undefined,
    readonly stderrTail: readonly string[] = [],
  ) {
    super(code, message, { hint })
  }
}

export type ReadyServersParts = {
  readonly store: Pick<InstallationStore, 'find'>
  readonly servers: () => Pick<ServerDirectory, 'find'>
}

/** For whom a server is wanted. */
export type Wanted = {
  /** What is to be sent, such as `tools/call`. */
  readonly method: string
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

/** Brings requests to servers that serve: waits for one that is on its way, and starts one whose policy is to start with its first use (C8). */
export class ReadyServers implements Disposable {
  readonly #serverChanged = new Emitter<string>()

  /** Fires with the id of a server that may serve now, or no longer, or over another connection. */
  readonly onDidChange = this.#serverChanged.event

  constructor(private readonly parts: ReadyServersParts) {}

  /** To be told of each change of a server, after `Tools` was. */
  serverChanged(installationId: string): void {
    this.#serverChanged.emit(installationId)
  }

  /** The session that serves now. */
  serving(installationId: string): ServerSession | undefined {
    const supervisor = this.parts.servers().find(installationId)
    return supervisor && servingSession(supervisor)
  }

  /**
   * The session of a server once it serves; starts it where that is its policy, once for all who wait. Rejects with
   * NOT_FOUND, a `ServerUnreachableError`, or REQUEST_CANCELLED.
   */
  async ready(installationId: string, wanted: Wanted): Promise<ServerSession> {
    const { method, waitMs, signal } = wanted
    const supervisor = this.parts.servers().find(installationId)
    const installation = this.parts.store.find(installationId)
    if (!supervisor || !installation)
      throw new AppError('NOT_FOUND', 'This server is no longer in the list.')
    const until = Date.now() + waitMs
    if (mayStart(installation, supervisor)) supervisor.start(undefined, 'call')
    for (;;) {
      const session = servingSession(supervisor)
      if (session) return session
      if (!mayServe(supervisor.status, until)) {
        // A restart is stopped for a moment.
        await nextTurn()
        if (mayServe(supervisor.status, until)) continue
        throw unreachableError(installation, supervisor.status)
      }
      const left = until - Date.now()
      const isOver = left <= 0 || !(await this.#changeOf(installationId, left, signal))
      if (signal?.aborted) throw cancelledFailure(method)
      if (isOver) throw lateError(installation, supervisor.status, waitMs)
    }
  }

  [Symbol.dispose](): void {
    this.#serverChanged[Symbol.dispose]()
  }

  /** Whether the server changed within `ms`, unless it is given up before. */
  async #changeOf(
    installationId: string,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    if (signal?.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const listening = this.#serverChanged.event((id) => id === installationId && resolve(true))
    const timer = setTimeout(() => resolve(false), ms)
    const giveUp = (): void => resolve(false)
    signal?.addEventListener('abort', giveUp, { once: true })
    try {
      return await promise
    } finally {
      listening[Symbol.dispose]()
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }
}

function mayStart({ starts, enabled }: Installation, supervisor: SessionSupervisor): boolean {
  const { status, isStoppedByPerson } = supervisor
  return enabled && starts === 'onFirstUse' && status.kind === 'stopped' && !isStoppedByPerson
}

function servingSession({ status, session }: SessionSupervisor): ServerSession | undefined {
  return isWorking(status) ? session : undefined
}

/** Whether it serves before `until` without that anybody does anything, as far as one can know. */
function mayServe(status: RunStatus, until: number): boolean {
  // Nobody knows when what is away comes back: who calls is told of it at once.
  if (status.kind === 'backingOff') return status.because !== 'unreached' && status.until < until
  return isActive(status)
}

function unreachableError(
  { name, starts }: Installation,
  status: RunStatus,
): ServerUnreachableError {
  if (isFailed(status)) return failedError(name, status)
  if (status.kind === 'signInNeeded')
    return new ServerUnreachableError(
      'SIGN_IN_NEEDED',
      `${name} does not run. ${status.message}`,
      'Its person has to sign in, in Patchbay.',
    )
  const why = starts === 'byHand' ? 'is started by its person alone, and' : 'was stopped, and'
  return new ServerUnreachableError(
    'SERVER_NOT_RUNNING',
    `${name} ${why} does not run.`,
    'Start it in Patchbay, then try again.',
  )
}

function failedError(name: string, status: FailedStatus): ServerUnreachableError {
  const { cause, code, hint, stderrTail } = status
  const message = [`${name} does not run.`, cause?.sentence, status.message]
  return new ServerUnreachableError(code, message.filter(Boolean).join(' '), hint, stderrTail)
}

function lateError(
  { name }: Installation,
  status: RunStatus,
  waitMs: number,
): ServerUnreachableError {
  if (isFailed(status)) return failedError(name, status)
  return new ServerUnreachableError(
    'REQUEST_TIMEOUT',
    `${name} was not ready within ${waitMs / 1_000} s; its start goes on.`,
    'Try again in a while.',
  )
}
