import { ProtocolError } from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'
import { ConnectionClosedError } from './connection'

/** A server's own error (JSON-RPC 2.0, section 5.1). */
export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown }

/** Why a request of the server is not answered, with its JSON-RPC code: the server gets both. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** The server's own error: a REQUEST_REFUSED, with the SDK's error as `cause`. */
export class RefusedRequestError extends AppError {
  constructor(
    method: string,
    readonly refusal: Refusal,
  ) {
    const cause = ProtocolError.fromError(refusal.code, refusal.message, refusal.data)
    const said = messageOf(cause).replace(/\.+$/u, '')
    super('REQUEST_REFUSED', `The server rejected ${method}: ${said}.`, {
      cause,
      hint: `This is the server’s own message (code ${refusal.code}).`,
    })
  }
}

export function invalidAnswer(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_ANSWER', message, {
    ...(cause !== undefined && { cause }),
    hint: 'The fault is in the server. Update it, or report the fault to its authors.',
  })
}

export function requestFailure(method: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  return invalidAnswer(`The response to ${method} is invalid: ${messageOf(error)}`, error)
}

export function timeoutFailure(method: string, timeoutMs: number): AppError {
  const message = `The server did not answer ${method} within ${timeoutMs / 1_000} s.`
  return new AppError('REQUEST_TIMEOUT', message, {
    hint: 'The request was canceled. Check the log, or raise the request limit under Configure.',
  })
}

export function overdueFailure(method: string, maxTotalMs: number): AppError {
  const message = `The server was still working on ${method} after ${maxTotalMs / 1_000} s, the limit for any request.`
  return new AppError('REQUEST_TIMEOUT', message, {
    hint: 'The request was canceled. Request less at a time.',
  })
}

export function cancelledFailure(method: string): AppError {
  return new AppError('REQUEST_CANCELLED', `${method} was canceled.`)
}

/** Whether a request was given up, so that its server may still work on it. */
export function isGivenUp(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'REQUEST_TIMEOUT' || code === 'REQUEST_CANCELLED'
}

export type EndedRequest = {
  readonly method: string
  readonly ms: number
  /** The `AppErrorCode` of its failure, or the JSON-RPC code of the server's own error as text; missing when it succeeded. */
  readonly failure?: string | undefined
}

/** How the failure of a request is counted: its `AppErrorCode`, or the code of the server's own refusal. */
export function failureCode(error: unknown): string {
  if (error instanceof ConnectionClosedError) return 'SERVER_EXITED'
  if (error instanceof RefusedRequestError) return String(error.refusal.code)
  return requestFailure('', error).code
}
