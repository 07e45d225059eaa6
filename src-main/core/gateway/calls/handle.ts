import { AppError } from '../../../../src-shared/domain/app-error'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactResult, type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { PlacedTool } from '../../tools/directory/placed-server'
import type { AgentListings } from '../listing/agent-listings'
import { completionResult, promptResult, resourceResult, toolResult } from '../results/agent-result'
import { keepOutputSchema } from '../results/output-schema'
import type { AgentCalls } from './agent-calls'
import { type AgentRequest, type Caller, callOf, writtenArguments } from './agent-request'
import { failureAnswer } from './failure-answer'
import { isListMethod, listPage } from './list-page'
import { CODES, RequestError } from './request-error'

/** A result as JSON text, and as it was parsed. */
export type Answer = ResultText

export type RequestHandlerParts = {
  readonly listings: Pick<AgentListings, 'of'>
  readonly calls: Pick<AgentCalls, 'call' | 'read' | 'getPrompt' | 'complete'>
  /** An agent asked for its tools. */
  readonly onListed: (agentId: string) => void
  /** The result of a tool does not keep its output schema; the first problem as a sentence. */
  readonly onOutputBroken: (placed: PlacedTool, problem: string) => void
  /** Something of Patchbay's own went wrong. */
  readonly onFault: (error: unknown) => void
}

/** The requests that sessions and stateless requests have in common, each answered in the form of its protocol version. */
export class RequestHandler {
  constructor(private readonly parts: RequestHandlerParts) {}

  /** Rejects with a `RequestError` that the agent is sent. */
  async handle(request: AgentRequest, caller: Caller): Promise<Answer> {
    const { method, params } = request
    if (isListMethod(method)) {
      const { agentId } = caller.agent
      if (method === 'tools/list') this.parts.onListed(agentId)
      return listPage(
        method,
        this.parts.listings.of(agentId),
        params.cursor,
        caller.protocolVersion,
      )
    }
    try {
      return await this.#forward(request, caller)
    } catch (error) {
      if (error instanceof AppError)
        return writtenResult(failureAnswer(error, { ...request, ...caller }))
      if (error instanceof RequestError) throw error
      this.parts.onFault(error)
      throw new RequestError(CODES.internal, 'Internal error in Patchbay.')
    }
  }

  async #forward(request: AgentRequest, caller: Caller): Promise<Answer> {
    const { method, params } = request
    const { calls } = this.parts
    const call = callOf(request, caller)
    const { protocolVersion: version } = caller
    switch (method) {
      case 'tools/call': {
        const name = textOf(params, 'name')
        const { arguments: args = {} } = params
        const tool = { ...call, name, args, argsText: writtenArguments(request) }
        const answer = await calls.call(tool)
        const listed = this.parts.listings.of(caller.agent.agentId).byName.get(name)
        const outputSchema = listed?.definition.outputSchema
        const kept = keepOutputSchema(answer, outputSchema)
        if (listed && kept.problem !== undefined)
          this.parts.onOutputBroken(listed.placed, kept.problem)
        return toolResult(kept.answer, version, outputSchema)
      }
      case 'resources/read': {
        const uri = textOf(params, 'uri')
        const answer = await calls.read({ ...call, uri })
        return writtenResult(resourceResult(exactResult(answer), uri))
      }
      case 'prompts/get': {
        const name = textOf(params, 'name')
        const answer = await calls.getPrompt({ ...call, name, args: params.arguments ?? {} })
        return writtenResult(promptResult(exactResult(answer), version))
      }
      case 'completion/complete': {
        const { ref, argument, context } = params
        if (!isJsonObject(ref))
          throw new RequestError(CODES.invalidParams, 'ref must be an object.')
        const answer = await calls.complete({ ...call, ref, argument, context })
        return writtenResult(completionResult(exactResult(answer)))
      }
      default:
        throw methodNotFound()
    }
  }
}

/** JSON-RPC 2.0, 5.1. */
export function methodNotFound(): RequestError {
  return new RequestError(CODES.methodNotFound, 'Method not found')
}

/** A parameter that has to be a text; throws -32602. */
export function textOf(params: JsonObject, name: string): string {
  const { [name]: value } = params
  if (typeof value === 'string') return value
  throw new RequestError(CODES.invalidParams, `${name} must be a string.`)
}
