import type { Tool } from '../../../../src-shared/domain/agents/capability'

/** Definitions by the tool that they are of and the name that they have, shared by all agents. */
const made = new WeakMap<Tool, Map<string, Tool>>()

/**
 * The definition of a tool for agents: as its server gave it under another name, and with the type that MCP asks of an
 * input schema where it is left out. The same object for the same tool and name.
 */
export function toolDefinition(tool: Tool, name: string): Tool {
  const known = made.get(tool) ?? new Map<string, Tool>()
  made.set(tool, known)
  const definition = known.get(name) ?? { ...tool, name, inputSchema: typed(tool.inputSchema) }
  known.set(name, definition)
  return definition
}

function typed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || 'type' in schema) return schema
  return { type: 'object', ...schema }
}
