import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import {
  type FailedStatus,
  isFailed,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'
import { durationText } from '../mcp/peer/request-failure'

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

/** Why a server does not serve, and what its person can do. */
export function unreachableError(
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

/** It did not serve in time, and may still. */
export function lateError(
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
