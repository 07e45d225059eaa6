import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/client'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { AppError } from '../../../../src-shared/domain/app-error'
import { type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { ServerEndedError } from '../../failure/describe-failure'
import { CODES, RequestError } from './request-error'

/** Since then a model is told of arguments that do not fit, so that it can mend them (MCP, SEP-1303). */
const TELLS_MODEL_SINCE = '2025-11-25'
/** Since then a resource that is not there is a wrong parameter. */
const NO_RESOURCE_CODE_SINCE = '2026-07-28'
/** What the agent asked for is wrong, and no server heard of it. */
const WRONG_PARAMS: ReadonlySet<AppErrorCode> = new Set([
  'NOT_FOUND',
  'INVALID_VALUES',
  'TOOL_NOT_EXPOSED',
])
/** Lines of stderr that the message quotes; `data` has all that are kept. */
const MOST_QUOTED = 5

/** What failed, and in which words it may be told. */
export type FailedRequest = {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly protocolVersion: string
  readonly agent: Agent
}

/**
 * The result of a call that never reached its server, where a model is to read why; everything else is thrown as a
 * `RequestError`: the server's own error as it is, and what Patchbay has to say of it.
 */
export function failureAnswer(error: AppError, request: FailedRequest): Record<string, unknown> {
  const { cause } = error
  if (error.code === 'REQUEST_REFUSED' && cause instanceof ProtocolError)
    throw new RequestError(ownCode(cause, request), cause.message, cause.data)
  const isForModel = error.code === 'CONSENT_REQUIRED' || isMendable(error, request)
  if (request.method === 'tools/call' && isForModel)
    return { content: [{ type: 'text', text: wordsOf(error) }], isError: true }
  throw new RequestError(codeOf(error, request), messageOf(error), dataOf(error, request))
}

function isMendable({ code }: AppError, { protocolVersion }: FailedRequest): boolean {
  return code === 'INVALID_VALUES' && protocolVersion >= TELLS_MODEL_SINCE
}

/** The SDK gives a resource that is not there one code, whatever the server gave it; each era has its own. */
function ownCode(cause: ProtocolError, { protocolVersion }: FailedRequest): number {
  const isNotFound = cause instanceof ResourceNotFoundError
  return isNotFound && protocolVersion < NO_RESOURCE_CODE_SINCE
    ? CODES.resourceNotFound
    : cause.code
}

function codeOf({ code }: AppError, { method, protocolVersion }: FailedRequest): number {
  const isOfResource = method.startsWith('resources/') && protocolVersion < NO_RESOURCE_CODE_SINCE
  if (code === 'NOT_FOUND' && isOfResource) return CODES.resourceNotFound
  return WRONG_PARAMS.has(code)
    ? CODES.invalidParams
    : code === 'REQUEST_TIMEOUT'
      ? CODES.timedOut
      : CODES.failed
}

function wordsOf({ message, hint }: AppError): string {
  return hint === undefined ? message : `${message} ${hint}`
}

function messageOf(error: AppError): string {
  const lines = stderrOf(error).slice(-MOST_QUOTED)
  if (lines.length === 0) return wordsOf(error)
  return `${wordsOf(error)}\nLast log lines:\n${lines.join('\n')}`
}

/** For programs: `code` is Patchbay's own, `exitCode` and `signal` are those of a server that ended. */
function dataOf(error: AppError, { method, params }: FailedRequest): Record<string, unknown> {
  const stderr = stderrOf(error)
  const exit = error instanceof ServerEndedError ? error.exit : undefined
  return {
    code: error.code,
    ...(exit && { exitCode: exit.code, signal: exit.signal }),
    ...(stderr.length > 0 && { stderr }),
    ...(method.startsWith('resources/') && { uri: params.uri }),
  }
}

function stderrOf(error: AppError): readonly string[] {
  return 'stderrTail' in error ? (error.stderrTail as readonly string[]) : []
}
