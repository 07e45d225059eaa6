import { ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/client'

import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { ServerEndedError } from '../../failure/describe-failure'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { PlacedTool } from '../../tools/directory/placed-server'
import type { AgentListings } from '../listing/agent-listings'
import { completionResult, promptResult, resourceResult, toolResult } from '../results/agent-result'
import { keepOutputSchema } from '../results/output-schema'
import type { AgentCalls } from './agent-calls'
import type { AgentRequest, Caller } from './agent-request'
import { isListMethod, listPage } from './list-page'
import { CODES, RequestError } from './request-error'

export type RequestHandlerParts = {
  readonly listings: Pick<AgentListings, 'of'>
  readonly calls: Pick<AgentCalls, 'send'>
  /** An agent asked for its tools. */
  readonly onListed: (agentId: string) => void
  /** The result of a tool does not keep its output schema; the first problem as a sentence. */
  readonly onOutputBroken: (placed: PlacedTool, problem: string) => void
}

/** The requests that sessions and stateless requests have in common, each answered in the form of its protocol version. */
export class RequestHandler {
  constructor(private readonly parts: RequestHandlerParts) {}

  /** Resolves to the result as the agent gets it. Rejects with a `RequestError` that the agent is sent, or what no step expected. */
  async handle(request: AgentRequest, caller: Caller): Promise<ResultText> {
    const { method, params } = request
    const { agent, protocolVersion } = caller
    const { listings, calls, onListed } = this.parts
    if (isListMethod(method)) {
      if (method === 'tools/list') onListed(agent.agentId)
      return listPage(method, listings.of(agent.agentId), params.cursor, protocolVersion)
    }
    try {
      return this.#resultOf(request, caller, await calls.send(request, caller))
    } catch (error) {
      if (error instanceof AppError) return failureAnswer(error, request, protocolVersion)
      throw error
    }
  }

  #resultOf({ method, params }: AgentRequest, caller: Caller, answer: ResultText): ResultText {
    const { agent, protocolVersion: version } = caller
    switch (method) {
      case 'tools/call': {
        const listed = this.parts.listings.of(agent.agentId).byName.get(String(params.name))
        const outputSchema = listed?.definition.outputSchema
        const kept = keepOutputSchema(answer, outputSchema)
        if (listed && kept.problem !== undefined)
          this.parts.onOutputBroken(listed.placed, kept.problem)
        return toolResult(kept.answer, version, outputSchema)
      }
      case 'resources/read':
        return resourceResult(answer, params.uri)
      case 'prompts/get':
        return promptResult(answer, version)
      default:
        return completionResult(answer)
    }
  }
}

/** The first version in which a model is told of arguments that do not fit, so that it can fix them (MCP, SEP-1303). */
const TELLS_MODEL_SINCE = '2025-11-25'
/** The first version in which a resource that is not there is a wrong parameter. */
const NO_RESOURCE_CODE_SINCE = '2026-07-28'
/** Lines of stderr that the message quotes; `data` has all that are kept. */
const MOST_QUOTED = 5
const CODE_OF: Partial<Record<AppErrorCode, number>> = {
  NOT_FOUND: CODES.invalidParams,
  INVALID_VALUES: CODES.invalidParams,
  TOOL_NOT_EXPOSED: CODES.invalidParams,
  REQUEST_TIMEOUT: CODES.timedOut,
}

/** The result of a call that never reached its server, where a model is to read why; else throws a `RequestError`: the server's own, or what Patchbay has to say. */
function failureAnswer(error: AppError, request: AgentRequest, version: string): ResultText {
  const { method } = request
  const { cause, code, hint, message } = error
  const isLegacy = version < NO_RESOURCE_CODE_SINCE
  if (code === 'REQUEST_REFUSED' && cause instanceof ProtocolError) {
    const isMissing = isLegacy && cause instanceof ResourceNotFoundError
    const own = isMissing ? CODES.resourceNotFound : cause.code
    throw new RequestError(own, cause.message, cause.data)
  }
  const text = hint === undefined ? message : `${message} ${hint}`
  const isFixable = code === 'INVALID_VALUES' && version >= TELLS_MODEL_SINCE
  if (method === 'tools/call' && (isFixable || code === 'CONSENT_REQUIRED'))
    return writtenResult({ content: [{ type: 'text', text }], isError: true })
  const isMissing = code === 'NOT_FOUND' && method.startsWith('resources/') && isLegacy
  const own = isMissing ? CODES.resourceNotFound : (CODE_OF[code] ?? CODES.failed)
  throw ownError(own, text, error, request)
}

function ownError(
  own: number,
  text: string,
  error: AppError,
  { method, params }: AgentRequest,
): RequestError {
  const stderr = 'stderrTail' in error ? (error.stderrTail as readonly string[]) : []
  const quoted = stderr.length > 0 ? ['Last log lines:', ...stderr.slice(-MOST_QUOTED)] : []
  const exit = error instanceof ServerEndedError ? error.exit : undefined
  // For programs.
  const data = {
    code: error.code,
    ...(exit && { exitCode: exit.code, signal: exit.signal }),
    ...(stderr.length > 0 && { stderr }),
    ...(method.startsWith('resources/') && { uri: params.uri }),
  }
  return new RequestError(own, [text, ...quoted].join('\n'), data)
}
