import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { definitionHash } from '../../mcp/json/definition-hash'
import { definitionMeaning } from '../../mcp/json/definition-meaning'

/** Two names of a definition: `hash` for every byte of it, `meaning` for what it says. */
export type ToolIdentity = { readonly hash: string; readonly meaning: string }

export function identityOf(tool: Tool): ToolIdentity {
  return { hash: definitionHash(tool), meaning: definitionMeaning(tool) }
}
