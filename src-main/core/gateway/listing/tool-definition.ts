import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { uiOf } from '../../../../src-shared/domain/installation/view'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { madeOnce } from '../../lifecycle/same-object'
import { agentDefinition } from '../../tools/definitions/agent-definition'
import { simplifiedSchema } from '../../tools/definitions/model-schema'
import { mapSubschemas } from '../../tools/definitions/subschemas'
import type { AgentListedTool } from './agent-listing'

type Listed = Pick<AgentListedTool, 'definition' | 'listed' | 'ownNames'>

/**
 * Returns a tool as agents accept it, under the name that they know; with `isSimplified`, with an input schema that all models accept.
 * Returns the same object for the same tool; undefined if no agent can use it.
 */
export function listedTool(tool: Tool, name: string, isSimplified: boolean): Listed | undefined {
  return (isSimplified ? simplifiedTool : plainTool)(tool, name)
}

const plainTool = madeOnce((tool: Tool, name: string) => listed(tool, name, false))
const simplifiedTool = madeOnce((tool: Tool, name: string) => listed(tool, name, true))

function listed(tool: Tool, name: string, isSimplified: boolean): Listed | undefined {
  const { valid } = agentDefinition('Tool', tool)
  if (!valid) return undefined
  const [inputSchema, outputSchema] = [valid.inputSchema, valid.outputSchema].map((schema) =>
    isJsonObject(schema) ? withoutIds(schema) : undefined,
  )
  const definition = {
    ...valid,
    name,
    ...(inputSchema && { inputSchema }),
    ...(outputSchema && { outputSchema }),
  }
  const { schema, ownNames } = isSimplified ? simplifiedSchema(inputSchema ?? {}) : PLAIN
  return {
    definition,
    listed: schema ? { ...definition, inputSchema: schema } : definition,
    ownNames,
  }
}

const PLAIN = { schema: undefined, ownNames: new Map<string, string>() }

/** Whether only its server's page may call a tool, and no model (MCP Apps, visibility). */
export function isForPageOnly(tool: Tool): boolean {
  const { visibility } = uiOf(tool)
  return Array.isArray(visibility) && !visibility.includes('model')
}

const NO_BASE = 'schema:///'
const RESULT = '#/properties/result'

/**
 * Returns a schema without `$id`, because two servers may use the same; references to or below an `$id` are rewritten to its place. Returns
 * the same schema if it has none.
 */
function withoutIds(schema: JsonObject): JsonObject {
  const pointers = new Map<string, string>()
  /** `root`: place of the nearest schema with an `$id`, the base of references without an address. */
  const visit = (node: unknown, base: string, root: string, pointer: string): unknown => {
    if (!isJsonObject(node)) return node
    const id = idOf(node, base)
    if (id !== undefined) pointers.set(id, pointer)
    const [nestedBase, nestedRoot] = id === undefined ? [base, root] : [id, pointer]
    const { $id, ...others } = mapSubschemas(node, (one, steps) =>
      visit(one, nestedBase, nestedRoot, pointerBelow(pointer, steps)),
    )
    const schemaNode = id === undefined && $id !== undefined ? { ...others, $id } : others
    return withReferences(schemaNode, (reference) => {
      const [address = '', fragment = ''] = reference.split('#', 2)
      const target = address === '' ? nestedRoot : pointers.get(resolved(address, nestedBase))
      if (target === undefined) return reference
      return fragment !== '' && !fragment.startsWith('/') ? `#${fragment}` : target + fragment
    })
  }
  visit(schema, NO_BASE, '#', '#')
  // All places are known now, also those that come after their references.
  return pointers.size === 0 ? schema : (visit(schema, NO_BASE, '#', '#') as JsonObject)
}

/** Returns an output schema as sessions list it: a non-object schema becomes an object with the member `result` (MCP, SEP-2106). */
export function sessionOutputSchema(schema: JsonObject): JsonObject {
  if (schema.type === 'object') return schema
  const { $schema } = schema
  const moved = (node: unknown): unknown =>
    isJsonObject(node)
      ? withReferences(mapSubschemas(node, moved), (reference) =>
          reference === '#' || reference.startsWith('#/') ? RESULT + reference.slice(1) : reference,
        )
      : node
  return {
    ...(typeof $schema === 'string' && { $schema }),
    type: 'object',
    properties: { result: moved(schema) },
    required: ['result'],
  }
}

/** `#name` is an anchor within a schema, not an address (JSON Schema up to draft 7). */
function idOf({ $id }: JsonObject, base: string): string | undefined {
  return typeof $id === 'string' && !$id.startsWith('#') ? resolved($id, base) : undefined
}

function resolved(address: string, base: string): string {
  return (URL.parse(address, base)?.href ?? address).replace(/#.*$/u, '')
}

/** Returns the JSON pointer to a nested schema (RFC 6901, as a fragment). */
function pointerBelow(pointer: string, steps: readonly string[]): string {
  const escaped = steps.map((step) =>
    encodeURIComponent(step.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  return [pointer, ...escaped].join('/')
}

function withReferences(node: JsonObject, map: (reference: string) => string): JsonObject {
  const { $ref, $dynamicRef } = node
  return {
    ...node,
    ...(typeof $ref === 'string' && { $ref: map($ref) }),
    ...(typeof $dynamicRef === 'string' && { $dynamicRef: map($dynamicRef) }),
  }
}
