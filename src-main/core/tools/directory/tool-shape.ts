import type { Tool } from '../../../../src-shared/domain/agents/capability'

/**
 * Why no agent can take a tool, as a sentence. Of its schemas MCP wants objects, and arguments are one. A schema that
 * leaves out its type stands for an object, as many servers have it; what a tool gives may be of any type (MCP 2026-07-28).
 * Of tasks (MCP 2025-11-25) the gateway knows nothing.
 */
export function shapeFaultOf({ inputSchema, outputSchema, execution }: Tool): string | undefined {
  if (!isObject(inputSchema)) return 'Its input schema is no JSON object.'
  if (inputSchema.type !== undefined && inputSchema.type !== 'object')
    return 'Its input schema is not of the type "object", the only one that MCP allows.'
  if (outputSchema !== undefined && !isObject(outputSchema))
    return 'Its output schema is no JSON object.'
  if (isObject(execution) && execution.taskSupport === 'required')
    return 'It can be called as a task only, and Patchbay passes no tasks on.'
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
