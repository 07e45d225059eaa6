import type { Tool } from '../../../../src-shared/domain/agents/capability'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { agentDefinition } from '../../tools/definitions/agent-definition'
import { simplifiedSchema } from '../../tools/definitions/model-schema'
import type { AgentListedTool } from './agent-listing'

/** Definitions by the tool that they are of and the name that they have, shared by all agents. */
const made = new WeakMap<Tool, Map<string, Tool>>()

/**
 * The definition of a tool for agents: valid in every protocol version, under the name that they know. The same object for
 * the same tool and name; undefined for a tool that no agent can take.
 */
export function toolDefinition(tool: Tool, name: string): Tool | undefined {
  const known = made.get(tool)?.get(name)
  if (known) return known
  const { valid } = agentDefinition('Tool', tool)
  if (!valid) return undefined
  const { inputSchema, outputSchema } = valid
  const definition = {
    ...valid,
    name,
    inputSchema: withoutId(inputSchema),
    ...(outputSchema !== undefined && { outputSchema: withoutId(outputSchema) }),
  }
  const named = made.get(tool) ?? new Map<string, Tool>()
  made.set(tool, named.set(name, definition))
  return definition
}

/** Simplified definitions by the whole ones, shared by all agents. */
const simplified = new WeakMap<Tool, Pick<AgentListedTool, 'listed' | 'ownNames'>>()

/** The definition of a tool with an input schema that the APIs of all models take; the same object for the same definition. */
export function simplifiedTool(definition: Tool): Pick<AgentListedTool, 'listed' | 'ownNames'> {
  const known = simplified.get(definition)
  if (known) return known
  const { inputSchema } = definition
  const { schema, ownNames } = simplifiedSchema(isJsonObject(inputSchema) ? inputSchema : {})
  const listed = schema === inputSchema ? definition : { ...definition, inputSchema: schema }
  const made = { listed, ownNames }
  simplified.set(definition, made)
  return made
}

/** A schema without its `$id`: agents keep one validator for the tools of all servers, and two may have the same. */
function withoutId(schema: unknown): unknown {
  if (!isJsonObject(schema) || schema.$id === undefined) return schema
  const { $id, ...others } = schema
  return typeof $id === 'string' ? local(others, $id.replace(/#$/u, '')) : others
}

/** References to the schema by its `$id` lead to its root. */
function local(node: JsonObject, id: string): JsonObject
function local(node: unknown, id: string): unknown
function local(node: unknown, id: string): unknown {
  if (Array.isArray(node)) return node.map((one) => local(one, id))
  if (!isJsonObject(node)) return node
  const entries = Object.entries(node).map(([key, value]) => {
    const isOwn = key === '$ref' && typeof value === 'string' && id !== '' && value.startsWith(id)
    if (!isOwn) return [key, local(value, id)]
    const rest = value.slice(id.length)
    return [key, rest === '' ? '#' : rest.startsWith('#') ? rest : value]
  })
  return Object.fromEntries(entries) as JsonObject
}

/** Whether a tool is for the page of its server alone, and not for models (MCP Apps, visibility). */
export function isForPageOnly({ _meta }: Tool): boolean {
  const visibility = isJsonObject(_meta) && isJsonObject(_meta.ui) ? _meta.ui.visibility : undefined
  return Array.isArray(visibility) && !visibility.includes('model')
}
