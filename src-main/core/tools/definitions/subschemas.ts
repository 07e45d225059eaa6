import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'

/** JSON Schema keywords whose value maps names to schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
])
/** Keywords whose value is a schema; `items` may also be a list of them. */
export const SCHEMA_VALUES: ReadonlySet<string> = new Set([
  ...['items', 'additionalItems', 'additionalProperties', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'propertyNames', 'contains', 'contentSchema'],
  ...['not', 'if', 'then', 'else'],
])
/** Keywords whose value is a list of schemas. */
export const SCHEMA_LISTS: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
])

/** Gets a schema and its JSON pointer steps from the surrounding schema; returns the replacement. */
export type MapSchema = (schema: unknown, steps: readonly string[]) => unknown

/** Returns a schema with each direct subschema replaced. */
export function mapSubschemas(schema: JsonObject, map: MapSchema): JsonObject {
  const list = (all: readonly unknown[], key: string): unknown[] =>
    all.map((one, at) => map(one, [key, String(at)]))
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if ((SCHEMA_MAPS.has(key) || key === 'dependencies') && isJsonObject(value)) {
      const named = Object.entries(value).map(([name, one]) => [name, map(one, [key, name])])
      return [key, Object.fromEntries(named)]
    }
    if (SCHEMA_VALUES.has(key))
      return [key, Array.isArray(value) ? list(value, key) : map(value, [key])]
    return [key, SCHEMA_LISTS.has(key) && Array.isArray(value) ? list(value, key) : value]
  })
  return Object.fromEntries(entries)
}
