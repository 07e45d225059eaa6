import type { Tool } from '../../../../src-shared/domain/agents/capability'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { agentDefinition } from '../../tools/definitions/agent-definition'
import { simplifiedSchema } from '../../tools/definitions/model-schema'
import { mapSubschemas } from '../../tools/definitions/subschemas'
import type { AgentListedTool } from './agent-listing'

type Listed = Pick<AgentListedTool, 'definition' | 'listed' | 'ownNames'>

/** By the tool that they are of and what they differ by, shared by all agents. */
const made = new WeakMap<Tool, Map<string, Listed>>()

/**
 * A tool for agents: valid in every protocol version, under the name that they know, and where it is simplified with an
 * input schema that the APIs of all models take. The same object for the same tool; undefined for one that no agent can take.
 */
export function listedTool(tool: Tool, name: string, isSimplified: boolean): Listed | undefined {
  const key = `${String(isSimplified)} ${name}`
  const known = made.get(tool)?.get(key)
  if (known) return known
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
  const listed = schema ? { ...definition, inputSchema: schema } : definition
  const both = { definition, listed, ownNames }
  const named = made.get(tool) ?? new Map<string, Listed>()
  made.set(tool, named.set(key, both))
  return both
}

const PLAIN = { schema: undefined, ownNames: new Map<string, string>() }

/** Whether a tool is for the page of its server alone, and not for models (MCP Apps, visibility). */
export function isForPageOnly({ _meta }: Tool): boolean {
  const visibility = isJsonObject(_meta) && isJsonObject(_meta.ui) ? _meta.ui.visibility : undefined
  return Array.isArray(visibility) && !visibility.includes('model')
}

/** The base of a schema that names none. */
const NO_BASE = 'schema:///'
const RESULT = '#/properties/result'

/**
 * A schema without any `$id`: agents keep one validator for the tools of all servers, and two schemas may have the same.
 * References by an `$id`, and those below one, lead to the place where it stood. The same schema where there is none.
 */
function withoutIds(schema: JsonObject): JsonObject {
  const places = new Map<string, string>()
  const collect = (node: unknown, base: string, place: string): unknown => {
    if (!isJsonObject(node)) return node
    const id = idOf(node, base)
    if (id !== undefined) places.set(id, place)
    return mapSubschemas(node, (inner, steps) => collect(inner, id ?? base, under(place, steps)))
  }
  collect(schema, NO_BASE, '#')
  if (places.size === 0) return schema
  /** `root`: the place of the nearest schema with an `$id`, which references without an address start from. */
  const rewrite = (node: unknown, base: string, root: string, place: string): unknown => {
    if (!isJsonObject(node)) return node
    const id = idOf(node, base)
    const { $id: _, ...others } = node
    const [ownBase, ownRoot] = id === undefined ? [base, root] : [id, place]
    const inner = mapSubschemas(id === undefined ? node : others, (one, steps) =>
      rewrite(one, ownBase, ownRoot, under(place, steps)),
    )
    return withReferences(inner, (reference) => {
      const [address = '', fragment = ''] = reference.split('#', 2)
      const target = address === '' ? ownRoot : places.get(resolved(address, ownBase))
      if (target === undefined) return reference
      if (fragment !== '' && !fragment.startsWith('/')) return `#${fragment}`
      return target + fragment
    })
  }
  return rewrite(schema, NO_BASE, '#', '#') as JsonObject
}

/**
 * An output schema as sessions list it: up to 2025-11-25 structured content is an object, so a schema of anything else
 * becomes that of an object with the member `result` (MCP, SEP-2106). The same schema where its root is an object.
 */
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

/** `#name` is a place within a schema and no address of it (JSON Schema up to draft 7). */
function idOf({ $id }: JsonObject, base: string): string | undefined {
  return typeof $id === 'string' && !$id.startsWith('#') ? resolved($id, base) : undefined
}

function resolved(address: string, base: string): string {
  return (URL.parse(address, base)?.href ?? address).replace(/#.*$/u, '')
}

/** The JSON pointer to a schema below another (RFC 6901, as a fragment). */
function under(place: string, steps: readonly string[]): string {
  const escaped = steps.map((step) =>
    encodeURIComponent(step.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  return [place, ...escaped].join('/')
}

function withReferences(node: JsonObject, map: (reference: string) => string): JsonObject {
  const { $ref, $dynamicRef } = node
  return {
    ...node,
    ...(typeof $ref === 'string' && { $ref: map($ref) }),
    ...(typeof $dynamicRef === 'string' && { $dynamicRef: map($dynamicRef) }),
  }
}
