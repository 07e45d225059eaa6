import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Keywords whose values are data, in which no reference is one. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])
/** Keywords whose members are names with schemas. */
const NAMED = new Set([
  ...[
    'properties',
    'patternProperties',
    '$defs',
    'definitions',
    'dependentSchemas',
    'dependencies',
  ],
])
const PLACE = '#/properties/result'

/**
 * An output schema as sessions list it: up to 2025-11-25 structured content is an object, so a schema of anything else
 * becomes that of an object with the member `result` (MCP, SEP-2106). The same schema where its root is an object.
 */
export function sessionOutputSchema(schema: JsonObject): JsonObject {
  if (schema.type === 'object') return schema
  const { $schema } = schema
  // References below an own `$id` do not leave it.
  const result = hasOwnBase(schema) ? schema : movedReferences(schema, false)
  return {
    ...(typeof $schema === 'string' && { $schema }),
    type: 'object',
    properties: { result },
    required: ['result'],
  }
}

function hasOwnBase({ $id }: JsonObject): boolean {
  return $id !== undefined && !(typeof $id === 'string' && $id.startsWith('#'))
}

/** With references that lead to the schema at its new place. */
function movedReferences(node: unknown, isNames: boolean): unknown {
  if (Array.isArray(node)) return node.map((one) => movedReferences(one, false))
  if (!isJsonObject(node) || (!isNames && hasOwnBase(node))) return node
  const entries = Object.entries(node).map(([key, value]): [string, unknown] => {
    if (isNames) return [key, movedReferences(value, false)]
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string')
      return [key, movedReference(value)]
    return DATA.has(key) ? [key, value] : [key, movedReferences(value, NAMED.has(key))]
  })
  return Object.fromEntries(entries)
}

function movedReference(reference: string): string {
  if (reference === '#') return PLACE
  return reference.startsWith('#/') ? PLACE + reference.slice(1) : reference
}
