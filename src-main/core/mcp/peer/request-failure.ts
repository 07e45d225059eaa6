import { ProtocolError } from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf, reasonOf } from '../../failure/describe-failure'
import { ConnectionClosedError } from './connection'

/** A server's own error (JSON-RPC 2.0, section 5.1). */
export type Refusal = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** The data with the server's digits, if JavaScript would write others; see `exactJson`. */
  readonly exactData?: unknown
}

/** The error response to a server's request, with its JSON-RPC code. */
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
export class RejectedRequestError extends AppError {
  constructor(
    method: string,
    readonly refusal: Refusal,
  ) {
    const cause = ProtocolError.fromError(refusal.code, refusal.message, refusal.data)
    super('REQUEST_REFUSED', `The server rejected ${method}: ${reasonOf(cause)}.`, {
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

/** Whether a request does work for an agent or the user, so that their patience counts (F10); all others are the protocol's own. */
export function isAgentWork(method: string): boolean {
  return WORK.includes(method) || method.startsWith('tasks/')
}

const WORK = ['tools/call', 'resources/read', 'prompts/get']
/** A server need not follow a cancellation, and may be too busy to read it. */
const MAY_CONTINUE = 'Patchbay asked the server to cancel it, but the work may continue.'

export function timeoutFailure(method: string, timeoutMs: number): AppError {
  const limit = durationText(timeoutMs)
  const message = `The server did not answer ${method} within ${limit}.`
  const hint = isAgentWork(method)
    ? `Patchbay gave up: its call limit is ${limit} without a response or progress. ${MAY_CONTINUE} Check what was done before you try again. The user can raise the limit in Patchbay.`
    : 'Patchbay gave up. Check the log, or raise the request limit in Settings.'
  return new AppError('REQUEST_TIMEOUT', message, { hint })
}

export function overdueFailure(method: string, maxTotalMs: number): AppError {
  const message = `The server was still working on ${method} after ${durationText(maxTotalMs)}, the limit for any request.`
  return new AppError('REQUEST_TIMEOUT', message, {
    hint: `Patchbay gave up. ${MAY_CONTINUE} Request less at a time.`,
  })
}

/** `reason`: who canceled, as a sentence, if known. `isSent`: the server has the request. */
export function cancelledFailure(method: string, reason?: unknown, isSent = false): AppError {
  const why = typeof reason === 'string' ? `: ${reason}` : '.'
  const hint = isSent ? MAY_CONTINUE : undefined
  return new AppError('REQUEST_CANCELLED', `${method} was canceled${why}`, { hint })
}

/** Returns the failure of a request whose connection is gone; its server may have received it. */
export function cutFailure(method: string, host: string, cause?: unknown): AppError {
  const { code } = (cause ?? {}) as { readonly code?: unknown }
  const why = typeof code === 'string' ? ` (${code})` : ''
  const message = `The connection to ${host} ended before the response to ${method} arrived${why}.`
  return new AppError('REMOTE_UNREACHABLE', message, {
    cause,
    hint: 'Patchbay did not give up: the server or the network did. The server may have completed the request, or still work on it. Check before you try again.',
  })
}

/** Formats a duration: in minutes from two on, otherwise in seconds. */
export function durationText(ms: number): string {
  const minutes = ms / 60_000
  return minutes >= 2 && Number.isInteger(minutes) ? `${minutes} min` : `${ms / 1_000} s`
}

/** Whether a request was abandoned, so that its server may still process it. */
export function isGivenUp(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'REQUEST_TIMEOUT' || code === 'REQUEST_CANCELLED'
}

export type EndedRequest = {
  readonly method: string
  readonly ms: number
  /** The `AppErrorCode` of its failure, or the JSON-RPC code of the server's own error as text; absent on success. */
  readonly failure?: string | undefined
}

/** Returns the key for counting a failed request: its `AppErrorCode`, or the code of the server's own error. */
export function failureCode(error: unknown): string {
  if (error instanceof ConnectionClosedError) return 'SERVER_EXITED'
  if (error instanceof RejectedRequestError) return String(error.refusal.code)
  return requestFailure('', error).code
}
