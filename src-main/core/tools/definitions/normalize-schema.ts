import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_VALUES } from './subschemas'

/** Keywords for which null is no value. */
const NOT_NULL = new Set([
  ...SCHEMA_MAPS,
  ...SCHEMA_VALUES,
  ...SCHEMA_LISTS,
  ...['$id', '$schema', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$comment'],
  ...['type', 'enum', 'required', 'title', 'description', 'examples', 'format', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minContains'],
  ...['maxContains', 'minProperties', 'maxProperties', 'dependencies', 'dependentRequired'],
  ...['readOnly', 'writeOnly', 'deprecated', 'contentEncoding', 'contentMediaType'],
])
/** Keywords that only restrict objects: a schema that has one and no type means an object. */
const OF_OBJECTS = [
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'unevaluatedProperties'],
]

/**
 * A JSON Schema without the faults of serializers that leave one meaning: keywords that are null or empty are removed, and the
 * `[]` of PHP becomes `{}` where a schema or a map is meant. Values (`default`, `const`, `enum`, `examples`) stay as they
 * are. The same object where nothing has to change.
 */
export function normalizeSchema(schema: unknown): unknown {
  if (isEmptyList(schema)) return {}
  return isJsonObject(schema) ? mapMembers(schema, normalizeKeyword) : schema
}

/** Whether a schema without `type` can mean objects only. */
export function meansObject(schema: JsonObject): boolean {
  if (schema.type !== undefined) return schema.type === 'object'
  if (OF_OBJECTS.some((keyword) => Object.hasOwn(schema, keyword))) return true
  const arms = schema.anyOf ?? schema.oneOf
  return (
    Array.isArray(arms) &&
    arms.length > 0 &&
    arms.every((arm) => isJsonObject(arm) && meansObject(arm))
  )
}

/** A map of properties in which each schema is an object, the only form that MCP up to 2025-11-25 takes. */
export function schemasAsObjects(properties: unknown): unknown {
  if (!isJsonObject(properties)) return properties
  return mapMembers(properties, (_name, schema) => {
    if (typeof schema !== 'boolean') return schema
    return schema ? {} : { not: {} }
  })
}

function normalizeKeyword(keyword: string, value: unknown): unknown {
  if (isAbsent(keyword, value)) return undefined
  if (SCHEMA_MAPS.has(keyword)) {
    if (isEmptyList(value)) return {}
    return isJsonObject(value) ? mapMembers(value, normalizeProperty) : value
  }
  if (SCHEMA_VALUES.has(keyword))
    return Array.isArray(value) && value.length > 0 ? mapElements(value) : normalizeSchema(value)
  if (SCHEMA_LISTS.has(keyword)) return Array.isArray(value) ? mapElements(value) : value
  return value
}

function isAbsent(keyword: string, value: unknown): boolean {
  if (value === null) return NOT_NULL.has(keyword)
  // A boolean is what draft 3 had at a property; since draft 4 it asserts nothing.
  if (keyword === 'required') return value === '' || typeof value === 'boolean'
  return value === '' && (keyword === 'type' || SCHEMA_MAPS.has(keyword))
}

function normalizeProperty(_name: string, schema: unknown): unknown {
  return schema === null ? {} : normalizeSchema(schema)
}

function mapElements(schemas: readonly unknown[]): readonly unknown[] {
  const now = schemas.map(normalizeSchema)
  return now.every((schema, index) => schema === schemas[index]) ? schemas : now
}

/** Members for which `change` returns undefined are removed. */
function mapMembers(
  object: JsonObject,
  change: (key: string, value: unknown) => unknown,
): JsonObject {
  let isSame = true
  const members: [string, unknown][] = []
  for (const [key, value] of Object.entries(object)) {
    const now = change(key, value)
    if (now !== value) isSame = false
    if (now !== undefined) members.push([key, now])
  }
  return isSame ? object : Object.fromEntries(members)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
