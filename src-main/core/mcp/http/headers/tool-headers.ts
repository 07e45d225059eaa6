import type { Client, Transport } from '@modelcontextprotocol/client'

import type { Tool } from '../../../../../src-shared/domain/agents/capability'
import { headerProblem, parameterHeaders } from '../../connections/parameter-headers'

/** What one connection makes of the parameters that tools want as headers (MCP 2026-07-28, custom headers): over HTTP only. */
export class ToolHeaders {
  constructor(
    private readonly client: Client,
    private readonly transport: Transport,
  ) {}

  /** Why a tool must not be called, as words without full stop. */
  readonly problemOf = ({ inputSchema }: Tool): string | undefined =>
    this.#isTheirs ? headerProblem(inputSchema) : undefined

  /** Those of one request. */
  of(
    method: string,
    params: Readonly<Record<string, unknown>>,
    tools: readonly Tool[],
  ): Record<string, string> | undefined {
    if (method !== 'tools/call' || !this.#isTheirs) return undefined
    const tool = tools.find(({ name }) => name === params.name)
    return tool && parameterHeaders(tool.inputSchema, params.arguments)
  }

  get #isTheirs(): boolean {
    return this.client.getProtocolEra() === 'modern' && this.transport.hasPerRequestStream === true
  }
}
