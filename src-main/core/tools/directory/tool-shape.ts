import type { Tool } from '../../../../src-shared/domain/agents/capability'

/**
 * Why no agent can take the schemas of a tool, as a sentence: MCP wants objects, and arguments are one. A schema that
 * leaves out its type stands for an object, as many servers have it; what a tool gives may be of any type (MCP 2026-07-28).
 */
export function shapeFaultOf({ inputSchema, outputSchema }: Tool): string | undefined {
  if (!isObject(inputSchema)) return 'Its input schema is no JSON object.'
  if (inputSchema.type !== undefined && inputSchema.type !== 'object')
    return 'Its input schema is not of the type "object", the only one that MCP allows.'
  if (outputSchema !== undefined && !isObject(outputSchema))
    return 'Its output schema is no JSON object.'
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
