import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { agentDefinition } from '../../tools/definitions/agent-definition'

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
  const definition = { ...valid, name }
  const named = made.get(tool) ?? new Map<string, Tool>()
  made.set(tool, named.set(name, definition))
  return definition
}
