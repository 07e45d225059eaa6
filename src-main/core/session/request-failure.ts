import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { messageOf } from './describe-failure'

const BROKEN: readonly unknown[] = [
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
]

/** Whether a request failed because the connection is gone. */
export function isBrokenLine(error: unknown): boolean {
  // Before its first message the SDK says so in a plain error.
  if (error instanceof Error && error.message === 'Not connected') return true
  return error instanceof SdkError && BROKEN.includes(error.code)
}

/**
 * The failure of one request over a connection that lives, in Patchbay's words: REQUEST_TIMEOUT,
 * REQUEST_REFUSED (the server's own error, kept as `cause`), MESSAGE_TOO_LARGE, INVALID_ANSWER.
 */
export function requestFailure(method: string, timeoutMs: number, error: unknown): AppError {
  if (error instanceof AppError) return error
  // Made by the transport for an answer that could not be used; a server cannot make one.
  if (error instanceof ProtocolError && error.data instanceof AppError) return error.data
  if (error instanceof ProtocolError) {
    const said = messageOf(error).replace(/\.+$/u, '')
    return new AppError('REQUEST_REFUSED', `The server refused ${method}: ${said}.`, {
      cause: error,
      hint: `The words are its own (code ${error.code}).`,
    })
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return timeoutFailure(method, timeoutMs, error)
  return new AppError(
    'INVALID_ANSWER',
    `The answer to ${method} is unusable: ${messageOf(error)}`,
    {
      cause: error,
      hint: 'This is a fault of the server. Look for a newer version of it, or tell its makers.',
    },
  )
}

/** No answer and no progress within the deadline; the server was told to give up. */
export function timeoutFailure(method: string, timeoutMs: number, cause?: unknown): AppError {
  return new AppError(
    'REQUEST_TIMEOUT',
    `The server did not answer ${method} within ${String(timeoutMs / 1_000)} s.`,
    {
      cause,
      hint: 'It was told to give up. Look at its log; slow work needs a higher request limit under Configure.',
    },
  )
}

/** Progress kept the request alive until its hard limit. */
export function overdueFailure(method: string, maxTotalMs: number): AppError {
  return new AppError(
    'REQUEST_TIMEOUT',
    `The server was still working on ${method} after ${String(maxTotalMs / 1_000)} s, the longest that any request may take.`,
    { hint: 'It was told to give up. Ask for less at a time.' },
  )
}

/** The asker gave the request up. */
export function cancelledFailure(method: string): AppError {
  return new AppError('REQUEST_CANCELLED', `${method} was cancelled.`)
}
