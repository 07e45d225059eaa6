import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'

const BROKEN: readonly unknown[] = [
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
  SdkErrorCode.SendFailed,
]

/** Whether a request failed because the connection is gone. */
export function isBrokenLine(error: unknown): boolean {
  // Before its first message the SDK says so in a plain error.
  if (error instanceof Error && error.message === 'Not connected') return true
  if (!(error instanceof SdkError)) return false
  // The question for the era could not be sent: the server ended before it read it.
  if (error.code === SdkErrorCode.EraNegotiationFailed) return isBrokenLine(error.cause)
  return BROKEN.includes(error.code)
}

/** An error of JSON-RPC as its server wrote it. */
export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown }

/** The server's own error: a REQUEST_REFUSED, with the SDK's error as `cause`. */
export class RefusedRequestError extends AppError {
  /** `refusal` is as exact as is known: of some errors the SDK changes the code and leaves data out. */
  constructor(
    method: string,
    readonly refusal: Refusal,
    cause: ProtocolError,
  ) {
    const said = messageOf(cause).replace(/\.+$/u, '')
    super('REQUEST_REFUSED', `The server refused ${method}: ${said}.`, {
      cause,
      hint: `The words are its own (code ${cause.code}).`,
    })
  }
}

/**
 * The failure of one request over a connection that lives, in Patchbay's words: REQUEST_TIMEOUT,
 * REQUEST_REFUSED (see `RefusedRequestError`), MESSAGE_TOO_LARGE, INVALID_ANSWER. `written` is the error of the answer,
 * where it was read beside the SDK.
 */
export function requestFailure(
  method: string,
  timeoutMs: number,
  error: unknown,
  written?: Refusal,
): AppError {
  if (error instanceof AppError) return error
  // Made by the transport for an answer that could not be used; a server cannot make one.
  if (error instanceof ProtocolError && error.data instanceof AppError) return error.data
  if (error instanceof ProtocolError)
    return new RefusedRequestError(method, written ?? error, error)
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

/** How the failure of a request is counted: its `AppErrorCode`, or the code of the server's own refusal. */
export function failureCode(error: unknown): string {
  if (isBrokenLine(error)) return 'SERVER_EXITED'
  const { code, cause } = requestFailure('', 0, error)
  return cause instanceof ProtocolError && code === 'REQUEST_REFUSED' ? String(cause.code) : code
}
