import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { RequestOptions } from '../../mcp/session'

/** What every request of an agent comes with. */
export type AgentAsk = Pick<RequestOptions, 'signal' | 'onProgress' | 'asker'> & {
  readonly agent: Agent
  /** `_meta` of the request without its progress token. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** A call of a tool by the name that the agent knows. */
export type AgentToolCall = AgentAsk & {
  readonly name: string
  /** Of any type: they are checked. */
  readonly args: unknown
  /** The arguments as they were written, where they were read from text. */
  readonly argsText?: string | undefined
}

/** The parameters of a request for its server. */
export function paramsFor(
  { meta }: AgentAsk,
  params: Record<string, unknown>,
): Record<string, unknown> {
  return meta ? { ...params, _meta: meta } : params
}

/** How a request is sent to its server. */
export function optionsFor({ signal, onProgress, asker }: AgentAsk): RequestOptions {
  return { signal, asker, onProgress }
}
