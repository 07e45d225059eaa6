import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Definitions by the tool that they are of and the name that they have, shared by all agents. */
const made = new WeakMap<Tool, Map<string, Tool>>()

/**
 * The definition of a tool for agents: as its server gave it under another name, with the type that MCP asks of an
 * input schema where it is left out, and without the offer to call it as a task, which the gateway does not pass on. The
 * same object for the same tool and name.
 */
export function toolDefinition(tool: Tool, name: string): Tool {
  const known = made.get(tool) ?? new Map<string, Tool>()
  made.set(tool, known)
  const definition = known.get(name) ?? define(tool, name)
  known.set(name, definition)
  return definition
}

function define({ execution, ...tool }: Tool, name: string): Tool {
  const left = withoutTasks(execution)
  const inputSchema = typed(tool.inputSchema)
  return { ...tool, name, inputSchema, ...(left !== undefined && { execution: left }) }
}

/** How a tool is called; undefined where nothing is left of it. */
function withoutTasks(execution: unknown): unknown {
  if (!isJsonObject(execution) || execution.taskSupport !== 'optional') return execution
  const { taskSupport: _, ...left } = execution
  return Object.keys(left).length > 0 ? left : undefined
}

function typed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || 'type' in schema) return schema
  return { type: 'object', ...schema }
}
