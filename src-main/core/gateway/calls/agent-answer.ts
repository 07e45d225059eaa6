import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { AppError, AppErrorCode } from '../../../../src-shared/domain/app-error'
import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { ServerEndedError } from '../../failure/describe-failure'
import { madeOnce } from '../../lifecycle/same-object'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import { STATELESS_VERSION } from '../../mcp/peer/connection'
import { RejectedRequestError } from '../../mcp/peer/request-failure'
import type { AgentListing } from '../listing/agent-listing'
import { isForPageOnly, sessionOutputSchema } from '../listing/tool-definition'
import { completionResult, promptResult, resourceResult } from '../results/agent-result'
import type { AgentRequest } from './agent-request'
import { CODES, RequestError } from './request-error'

/** The list member of each method's result, and the part of the listing it is built from. */
const LISTS = {
  'tools/list': { key: 'tools', part: 'definitions' },
  'prompts/list': { key: 'prompts', part: 'prompts' },
  'resources/list': { key: 'resources', part: 'resources' },
  'resources/templates/list': { key: 'resourceTemplates', part: 'templates' },
} as const

/** The recipient of a list: its protocol version, and whether its app draws views (MCP Apps). */
export type ListFor = { readonly version: string; readonly drawsViews: boolean }

type ListMethod = keyof typeof LISTS

/** Serialized pages of a listing's part, per kind of protocol version. */
const pagesOf = madeOnce((_part: readonly object[]) => new Map<string, ResultText>())

export function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(LISTS, method)
}

/** Returns a list from the last known good listing, on one page. No cursor is ever issued, so each is rejected (-32602). */
export function listPage(
  method: ListMethod,
  listing: AgentListing,
  cursor: unknown,
  { version, drawsViews }: ListFor,
): ResultText {
  if (cursor !== undefined)
    throw new RequestError(CODES.invalidParams, 'Invalid cursor. List again from the start.')
  const { key, part } = LISTS[method]
  const isStateless = version >= STATELESS_VERSION
  const written = pagesOf(listing[part])
  const kind = `${String(isStateless)} ${String(drawsViews)}`
  const page =
    written.get(kind) ??
    writtenResult({ [key]: listOf(method, listing, { isStateless, drawsViews }) })
  written.set(kind, page)
  return page
}

function listOf(
  method: ListMethod,
  listing: AgentListing,
  { isStateless, drawsViews }: { readonly isStateless: boolean; readonly drawsViews: boolean },
): readonly object[] {
  switch (method) {
    case 'tools/list':
      // Only a server's view calls such a tool.
      return listing.definitions
        .filter((tool) => drawsViews || !isForPageOnly(tool))
        .map(isStateless ? withoutExecution : withSessionOutput)
    case 'prompts/list':
      return listing.prompts.map(({ definition }) => definition)
    case 'resources/list':
      return listing.resources.map(({ resource }) => resource)
    case 'resources/templates/list': {
      const same = Map.groupBy(listing.templates, ({ template }) => template.uriTemplate)
      return [...same.values()].flatMap(([first]) => first?.template ?? [])
    }
  }
}

/** Since 2026-07-28 there are no tasks. */
function withoutExecution(tool: Tool): Tool {
  const { execution: _, ...others } = tool
  return others
}

/** Up to 2025-11-25 output schemas describe objects. */
function withSessionOutput(tool: Tool): Tool {
  const { outputSchema } = tool
  if (!isJsonObject(outputSchema)) return tool
  return { ...tool, outputSchema: sessionOutputSchema(outputSchema) }
}

/** Returns the result of a request other than a tool call, as agents accept it. */
export function nonToolResult(
  { method, params }: AgentRequest,
  answer: ResultText,
  version: string,
): ResultText {
  if (method === 'resources/read') return resourceResult(answer, params.uri)
  return method === 'prompts/get' ? promptResult(answer, version) : completionResult(answer)
}

/** Lines of stderr quoted in the message; `data` has all stored lines. */
const MAX_QUOTED = 5
const CODE_OF: Partial<Record<AppErrorCode, number>> = {
  NOT_FOUND: CODES.invalidParams,
  INVALID_VALUES: CODES.invalidParams,
  TOOL_NOT_EXPOSED: CODES.invalidParams,
  REQUEST_TIMEOUT: CODES.timedOut,
}

/**
 * Returns the result of a call that never reached its server if a model should read why. Otherwise throws the server's own error, or a
 * `RequestError` from Patchbay.
 */
export function failureAnswer(error: AppError, request: AgentRequest, version: string): ResultText {
  const { method } = request
  const { code, hint, message } = error
  const usesSessions = version < STATELESS_VERSION
  if (error instanceof RejectedRequestError) throw error
  const text = hint === undefined ? message : `${message} ${hint}`
  // In every version: apps show results to their model, and many hide errors.
  if (method === 'tools/call' && (code === 'INVALID_VALUES' || code === 'CONSENT_REQUIRED'))
    return writtenResult({ content: [{ type: 'text', text }], isError: true })
  const isMissing = code === 'NOT_FOUND' && method.startsWith('resources/') && usesSessions
  const rpcCode = isMissing ? CODES.resourceNotFound : (CODE_OF[code] ?? CODES.failed)
  throw requestErrorFor(rpcCode, text, error, request)
}

function requestErrorFor(
  code: number,
  text: string,
  error: AppError,
  { method, params }: AgentRequest,
): RequestError {
  const stderr = 'stderrTail' in error ? (error.stderrTail as readonly string[]) : []
  const quoted = stderr.length > 0 ? ['Last log lines:', ...stderr.slice(-MAX_QUOTED)] : []
  const exit = error instanceof ServerEndedError ? error.exit : undefined
  // Details for programs.
  const data = {
    code: error.code,
    ...(exit && { exitCode: exit.code, signal: exit.signal }),
    ...(stderr.length > 0 && { stderr }),
    ...(method.startsWith('resources/') && { uri: params.uri }),
  }
  return new RequestError(code, [text, ...quoted].join('\n'), data)
}
