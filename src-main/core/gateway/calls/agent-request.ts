import type { Agent } from '../../../../src-shared/domain/agents/agent'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { CallAsker } from '../../mcp/elicitation/elicitation'
import type { RequestOptions } from '../../mcp/session'
import { argumentsText } from '../arguments/arguments-text'

/** A request of an agent. */
export type AgentRequest = {
  readonly method: string
  readonly params: JsonObject
  /** The whole message as it was written. */
  readonly text: string
  /** The whole message as it was parsed. */
  readonly value: JsonObject
}

/** Who sent a request, how the agent can be reached, and when it gives up. */
export type Caller = {
  readonly agent: Agent
  readonly protocolVersion: string
  readonly signal: AbortSignal
  readonly onProgress?: RequestOptions['onProgress']
  readonly asker: CallAsker
}

/** What every forwarded request comes with. */
export type AgentCall = Pick<RequestOptions, 'signal' | 'onProgress' | 'asker'> & {
  readonly agent: Agent
  /** `_meta` of the request without its progress token. */
  readonly meta?: JsonObject | undefined
}

/** A call of a tool by the name that the agent knows. */
export type AgentToolCall = AgentCall & {
  readonly name: string
  /** Of any type: they are validated. */
  readonly args: unknown
  /** The arguments as they were written, where JavaScript would write them otherwise. */
  readonly argsText?: string | undefined
}

/** Longer messages are searched for their arguments faster than they are written, in characters. */
const SHORT = 16 * 1024

/** The call that a request and its caller make. */
export function callOf({ params }: AgentRequest, caller: Caller): AgentCall {
  const { agent, signal, onProgress, asker } = caller
  const { _meta } = params
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

/** The arguments of a call as they were written; undefined where JavaScript writes them the same, so that no key can be there twice. */
export function writtenArguments({ text, value }: AgentRequest): string | undefined {
  const isCanonical = text.length < SHORT && JSON.stringify(value) === text
  return isCanonical ? undefined : argumentsText(text)
}

/** The parameters of a request for its server. */
export function paramsFor(
  { meta }: AgentCall,
  params: Record<string, unknown>,
): Record<string, unknown> {
  return meta ? { ...params, _meta: meta } : params
}

/** How a request is sent to its server. */
export function optionsFor({ signal, onProgress, asker }: AgentCall): RequestOptions {
  return { signal, asker, onProgress }
}
