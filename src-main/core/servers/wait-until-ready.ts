import { setImmediate as nextTurn } from 'node:timers/promises'

import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import {
  type FailedStatus,
  isActive,
  isFailed,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'
import { cancelledFailure, durationText } from '../mcp/peer/request-failure'
import type { ServerSession } from '../mcp/session'

/** A retry that is due later is no reason to wait, in ms. */
const LONGEST_BACKOFF_MS = 300_000

/** A request that needs a server. */
export type Wanted = {
  /** Such as `tools/call`. */
  readonly method: string
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
}

/** A server that does not serve, with its last stderr lines, oldest first and masked. */
class ServerUnreachableError extends AppError {
  constructor(
    code: AppErrorCode,
    message: string,
    hint: string | undefined,
    readonly stderrTail: readonly string[] = [],
  ) {
    super(code, message, { hint })
  }
}

/** Settles with the session once the server serves. Rejects with a `ServerUnreachableError` or REQUEST_CANCELLED. */
export async function waitUntilReady(
  server: {
    readonly status: RunStatus
    readonly serving: ServerSession | undefined
    readonly onDidChange: (listener: () => void) => Disposable
  },
  installation: Installation,
  { method, waitMs, signal }: Wanted,
): Promise<ServerSession> {
  const until = Date.now() + waitMs
  for (;;) {
    const { serving } = server
    if (serving && !serving.hasExpired) return serving
    if (!mayServe(server.status, until)) {
      // A restart is stopped for a moment.
      await nextTurn()
      if (mayServe(server.status, until)) continue
      throw unreachableError(installation, server.status)
    }
    const left = until - Date.now()
    const isOver = left <= 0 || !(await changed(server, left, signal))
    if (signal?.aborted) throw cancelledFailure(method, signal.reason)
    if (isOver) throw lateError(installation, server.status, waitMs)
  }
}

/** Whether the server changed within `ms` and before `signal` was aborted. */
async function changed(
  server: Parameters<typeof waitUntilReady>[0],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (signal?.aborted) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const listening = server.onDidChange(() => resolve(true))
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

/** Whether a server may serve before `until` without its user. */
function mayServe(status: RunStatus, until: number): boolean {
  // Nobody knows when a server that was not reached returns: the caller hears of it immediately.
  if (status.kind === 'backingOff') {
    const soon = Math.min(until, Date.now() + LONGEST_BACKOFF_MS)
    return status.because !== 'unreached' && status.until < soon
  }
  return isActive(status) && status.kind !== 'awaitingSignIn'
}

/** Why a server does not serve, and what its user can do. */
function unreachableError(
  { name, starts }: Installation,
  status: RunStatus,
): ServerUnreachableError {
  if (isFailed(status)) return failedError(name, status)
  if (status.kind === 'signInNeeded')
    return new ServerUnreachableError(
      'SIGN_IN_NEEDED',
      `${name} is not running. ${status.message}`,
      'Sign in, then try again.',
    )
  if (status.kind === 'awaitingSignIn')
    return new ServerUnreachableError(
      'SIGN_IN_NEEDED',
      `${name} is starting and waits until you sign in.`,
      'Open its page in Patchbay and sign in at its link, then try again.',
    )
  return new ServerUnreachableError(
    'SERVER_NOT_RUNNING',
    starts === 'byHand'
      ? `${name} starts only manually and is not running.`
      : `${name} was stopped and is not running.`,
    'Start it in Patchbay, then try again.',
  )
}

function failedError(name: string, status: FailedStatus): ServerUnreachableError {
  const { cause, code, hint, stderrTail } = status
  const message = [`${name} is not running.`, cause?.sentence, status.message]
  return new ServerUnreachableError(code, message.filter(Boolean).join(' '), hint, stderrTail)
}

/** A server that did not serve in time, and may still. */
function lateError(
  { name }: Installation,
  status: RunStatus,
  waitMs: number,
): ServerUnreachableError {
  if (isFailed(status)) return failedError(name, status)
  return new ServerUnreachableError(
    'REQUEST_TIMEOUT',
    `${name} was not ready within ${durationText(waitMs)} and is still starting.`,
    'Try again in a moment.',
  )
}
