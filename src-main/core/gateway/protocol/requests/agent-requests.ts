import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import { AppError } from '../../../../../src-shared/domain/app-error'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../../src-shared/domain/server-json/tolerant-reader'
import type { CallAsker } from '../../../mcp/elicitation/call-asker'
import { exactResult, type ResultText, writtenResult } from '../../../mcp/json/result-text'
import type { RequestOptions } from '../../../mcp/session'
import type { AgentAsk } from '../../calls/agent-ask'
import {
  completionResult,
  promptResult,
  resourceResult,
  toolResult,
} from '../../results/agent-result'
import type { EndpointParts } from './agent-ports'
import { isListMethod, listPage } from './list-page'
import { CODES, RequestError } from './request-error'
import { tellFailure } from './tell-failure'

/** A request of an agent, by its method and parameters as they came. */
export type AgentRequest = {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Who asks, how it can be reached, and when it has given up. */
export type RequestContext = {
  readonly agent: Agent
  readonly protocolVersion: string
  readonly signal: AbortSignal
  readonly onProgress?: RequestOptions['onProgress'] | undefined
  readonly asker: CallAsker
  /** See `AgentToolCall`. */
  readonly argsText?: string | undefined
}

const ASKED = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']

/** Whether there is an answer to such a message. */
export function isAnswered(message: unknown): boolean {
  const method = isJsonObject(message) ? message.method : undefined
  return typeof method === 'string' && (isListMethod(method) || ASKED.includes(method))
}

/** Answers what agents ask, in either era. */
export class AgentRequests {
  constructor(
    private readonly parts: Pick<EndpointParts, 'listings' | 'calls' | 'onListed' | 'onFault'>,
  ) {}

  /** Resolves to a result; rejects with a `RequestError` that the agent is told. */
  async answer(request: AgentRequest, context: RequestContext): Promise<Record<string, unknown>> {
    const { method, params } = request
    if (isListMethod(method)) {
      const { agentId } = context.agent
      if (method === 'tools/list') this.parts.onListed(agentId)
      return listPage(method, this.parts.listings.of(agentId), params.cursor)
    }
    try {
      return await this.#ask(request, context)
    } catch (error) {
      return this.#told(error, request, context)
    }
  }

  /** As `answer`, of a call of a tool; resolves to the text of the result too. */
  async answerText(request: AgentRequest, context: RequestContext): Promise<ResultText> {
    const { params } = request
    const { argsText } = context
    const { arguments: args = {} } = params
    try {
      const asked = { ...askOf(params, context), name: textOf(params, 'name'), args, argsText }
      return toolResult(await this.parts.calls.callText(asked), context.protocolVersion)
    } catch (error) {
      return writtenResult(this.#told(error, request, context))
    }
  }

  /** What the agent is told of a failure, as a result or thrown. */
  #told(error: unknown, request: AgentRequest, context: RequestContext): Record<string, unknown> {
    if (error instanceof AppError) return tellFailure(error, { ...request, ...context })
    if (error instanceof RequestError) throw error
    this.parts.onFault(error)
    throw new RequestError(CODES.internal, 'Patchbay failed at this.')
  }

  async #ask({ method, params }: AgentRequest, context: RequestContext): Promise<JsonObject> {
    const { calls } = this.parts
    const ask = askOf(params, context)
    const { protocolVersion } = context
    switch (method) {
      case 'tools/call': {
        const { argsText } = context
        const { arguments: args = {} } = params
        const name = textOf(params, 'name')
        const answer = await calls.call({ ...ask, name, args, argsText })
        return exactResult(toolResult(answer, protocolVersion))
      }
      case 'resources/read': {
        const uri = textOf(params, 'uri')
        return resourceResult(asObject(await calls.read({ ...ask, uri })), uri)
      }
      case 'prompts/get': {
        const args = params.arguments ?? {}
        const name = textOf(params, 'name')
        const prompt = await calls.getPrompt({ ...ask, name, args })
        return promptResult(asObject(prompt), protocolVersion)
      }
      case 'completion/complete': {
        const { ref, argument, context: beside } = params
        if (!isJsonObject(ref)) throw new RequestError(CODES.invalidParams, 'ref is no object.')
        const completion = await calls.complete({ ...ask, ref, argument, context: beside })
        return completionResult(asObject(completion))
      }
      default:
        throw new RequestError(CODES.methodNotFound, 'Method not found')
    }
  }
}

function askOf(
  { _meta }: AgentRequest['params'],
  { agent, signal, onProgress, asker }: RequestContext,
): AgentAsk {
  // Most come without, and each spread costs a call a microsecond.
  if (!isJsonObject(_meta)) return { agent, signal, asker }
  const { progressToken, ...meta } = _meta
  return {
    agent,
    signal,
    asker,
    meta: Object.keys(meta).length > 0 ? meta : undefined,
    onProgress: progressToken === undefined ? undefined : onProgress,
  }
}

function asObject(result: unknown): JsonObject {
  if (isJsonObject(result)) return result
  throw new RequestError(CODES.failed, 'The server gave a result that is no JSON object.')
}

/** A parameter that has to be a text; throws -32602. */
export function textOf(params: AgentRequest['params'], name: string): string {
  const { [name]: value } = params
  if (typeof value === 'string') return value
  throw new RequestError(CODES.invalidParams, `${name} has to be a text.`)
}
