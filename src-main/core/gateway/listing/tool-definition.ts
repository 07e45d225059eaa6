import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { agentDefinition } from '../../tools/definitions/agent-definition'
import { simplifiedSchema } from '../../tools/definitions/model-schema'
import type { AgentListedTool } from './agent-listing'
import { withoutIds } from './schema-references'

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
    inputSchema: isJsonObject(inputSchema) ? withoutIds(inputSchema) : inputSchema,
    ...(isJsonObject(outputSchema) && { outputSchema: withoutIds(outputSchema) }),
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

/** Whether a tool is for the page of its server alone, and not for models (MCP Apps, visibility). */
export function isForPageOnly({ _meta }: Tool): boolean {
  const visibility = isJsonObject(_meta) && isJsonObject(_meta.ui) ? _meta.ui.visibility : undefined
  return Array.isArray(visibility) && !visibility.includes('model')
}
