import { isDeepStrictEqual } from 'node:util'

import { specTypeSchemas } from '@modelcontextprotocol/client'

import type {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../src-shared/domain/agents/capability'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { madeOnce } from '../../lifecycle/same-object'
import { isEmptyList } from '../../mcp/json/schemas'
import { mapSubschemas, SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_VALUES } from './subschemas'

/** An element as agents accept it, or the reason why they can't, as a sentence. */
type Definition<T> =
  | { readonly valid: T; readonly fault?: undefined }
  | { readonly fault: string; readonly valid?: undefined }

/** Listed elements by the name of their official schema. */
export type Elements = {
  readonly Tool: Tool
  readonly Resource: Resource
  readonly ResourceTemplate: ResourceTemplate
  readonly Prompt: Prompt
}
type Kind = keyof Elements

/** Members that count as absent if they are empty. */
const TEXTS = ['title', 'description', 'mimeType', 'outputSchema']
/** Optional members: an invalid one is removed, and the element stays. */
const DECORATIONS = new Set(['annotations', 'icons', '_meta', 'size', 'execution'])
const MAX_NAME_LENGTH = 100

/**
 * Returns a listed element, already normalized on arrival, in a form that every protocol version accepts. Schemas are normalized, and the
 * rest is validated against the official schemas, once per object.
 */
export function agentDefinition<K extends Kind>(
  kind: K,
  element: Elements[K],
): Definition<Elements[K]> {
  return defined(element, kind) as Definition<Elements[K]>
}

const defined = madeOnce((element: JsonObject, kind: Kind): Definition<unknown> => {
  const members = cleaned(element)
  const schemas = kind === 'Tool' ? toolSchemas(members) : {}
  if (typeof schemas === 'string') return { fault: schemas }
  const now = { ...members, ...schemas }
  return validated(kind, isDeepStrictEqual(now, element) ? element : now)
})

/** Removes empty texts, and converts icons and execution to their current form. */
function cleaned(element: JsonObject): JsonObject {
  const { icons, execution } = element
  const now: JsonObject = {
    ...element,
    ...(Array.isArray(icons) && { icons: icons.map(icon) }),
    ...(isJsonObject(execution) && { execution: withoutTasks(execution) }),
  }
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => {
      if (TEXTS.includes(key) && value === '') return false
      // A schema that allows everything says nothing.
      return !(key === 'outputSchema' && value === true) && value !== undefined
    }),
  )
}

/** Converts sizes, which servers of an older draft write as one text. */
function icon(one: unknown): unknown {
  return isJsonObject(one) && typeof one.sizes === 'string'
    ? { ...one, sizes: one.sizes.split(' ').filter((size) => size !== '') }
    : one
}

/**
 * Removes the task support of a tool. Agents make plain calls, and the session with the server runs the task of a tool that requires one.
 * Undefined if nothing is left.
 */
function withoutTasks(execution: JsonObject): JsonObject | undefined {
  const { taskSupport, ...others } = execution
  if (taskSupport !== 'optional' && taskSupport !== 'required') return execution
  return Object.keys(others).length > 0 ? others : undefined
}

/** Returns a tool's schemas, or why no agent can call it. */
function toolSchemas({ inputSchema, outputSchema }: JsonObject): JsonObject | string {
  const input = inputOf(inputSchema)
  if (typeof input === 'string') return input
  if (outputSchema === undefined) return { inputSchema: input }
  const output = normalizeSchema(outputSchema)
  if (!isJsonObject(output)) return 'The output schema is not a JSON object.'
  const typed = output.type === undefined && meansObject(output) ? asObject(output) : output
  const listed = withSchemas(typed)
  const fault = listed.type === 'object' ? objectFault(listed, 'output') : undefined
  return fault ?? { inputSchema: input, outputSchema: listed }
}

function inputOf(raw: unknown): JsonObject | string {
  if (raw === undefined || raw === null || raw === '') return { type: 'object', properties: {} }
  const schema = raw === true ? {} : normalizeSchema(raw)
  if (!isJsonObject(schema)) return 'The input schema is not a JSON object.'
  const { type } = schema
  const takesObject = type === undefined || (Array.isArray(type) && type.includes('object'))
  if (type !== 'object' && !takesObject)
    return `The input schema has type ${shown(type)}, but MCP allows only "object".`
  const typed = withSchemas(type === 'object' ? schema : asObject(schema))
  return objectFault(typed, 'input') ?? typed
}

function asObject(schema: JsonObject): JsonObject {
  const { type: _, ...others } = schema
  return { type: 'object', ...others }
}

/** Converts each property's schema to an object, the only form in MCP up to 2025-11-25. */
function withSchemas(schema: JsonObject): JsonObject {
  const { $schema, ...others } = schema
  const now = typeof $schema === 'string' ? schema : others
  if (!isJsonObject(now.properties)) return now
  const properties = Object.entries(now.properties).map(([name, one]) => {
    if (typeof one !== 'boolean') return [name, one]
    return [name, one ? {} : { not: {} }]
  })
  return { ...now, properties: Object.fromEntries(properties) as JsonObject }
}

/** Returns why a schema of objects is invalid in MCP up to 2025-11-25. */
function objectFault(schema: JsonObject, of: 'input' | 'output'): string | undefined {
  const { properties, required } = schema
  const wrong =
    isJsonObject(properties) && Object.entries(properties).find(([, one]) => !isJsonObject(one))
  if (wrong) return `The ${of} schema defines ${shown(wrong[0])} with an invalid schema.`
  if (properties !== undefined && !isJsonObject(properties))
    return `The ${of} schema has properties that are not an object.`
  const isList = Array.isArray(required) && required.every((name) => typeof name === 'string')
  if (required === undefined || isList) return undefined
  return `The ${of} schema requires something else than a list of names.`
}

/** Removes invalid decorations until the official schema accepts the rest, or returns the first fault. */
function validated(kind: Kind, element: JsonObject): Definition<unknown> {
  const { issues = [] } = specTypeSchemas[kind]['~standard'].validate(element)
  if (issues.length === 0) return { valid: element }
  const paths = issues.map(({ path = [] }) =>
    path.map((step) => (typeof step === 'object' ? step.key : step)),
  )
  const fault = issues.find((_, index) => !DECORATIONS.has(String(paths[index]?.[0])))
  if (fault) {
    const at = paths[issues.indexOf(fault)]?.map(String).join('.') ?? ''
    return { fault: `${shown(at)} is invalid (${fault.message.replace(/^Invalid input: /u, '')}).` }
  }
  let now = element
  // From last to first, so that the indexes of earlier icons stay valid.
  for (const [top, inner] of paths.toReversed()) now = withoutDecoration(now, String(top), inner)
  return now === element ? { fault: 'The definition does not follow MCP.' } : validated(kind, now)
}

function withoutDecoration(
  element: JsonObject,
  top: string,
  inner: PropertyKey | undefined,
): JsonObject {
  const { [top]: value, ...others } = element
  if (top === 'annotations' && isJsonObject(value) && inner !== undefined) {
    const { [String(inner)]: _, ...annotations } = value
    return { ...others, annotations }
  }
  if (top === 'icons' && Array.isArray(value) && inner !== undefined)
    return { ...others, icons: value.filter((_, index) => index !== inner) }
  return others
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, MAX_NAME_LENGTH)
}

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
/** Keywords that only restrict objects: a schema with one and without type means an object. */
const OF_OBJECTS = [
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'unevaluatedProperties'],
]

/**
 * Fixes unambiguous serializer faults of a JSON Schema. Null and empty keywords are removed, and PHP's `[]` becomes `{}` in place of a
 * schema or a map. Values (`default`, `const`, `enum`, `examples`) stay as they are.
 */
function normalizeSchema(schema: unknown): unknown {
  if (isEmptyList(schema)) return {}
  if (!isJsonObject(schema)) return schema
  const members = Object.entries(schema).flatMap(([keyword, value]) => {
    if (isAbsent(keyword, value)) return []
    const isObject = SCHEMA_MAPS.has(keyword) || SCHEMA_VALUES.has(keyword)
    return [[keyword, isObject && isEmptyList(value) ? {} : value] as const]
  })
  return mapSubschemas(Object.fromEntries(members), (one, [keyword = '']) =>
    one === null && SCHEMA_MAPS.has(keyword) ? {} : normalizeSchema(one),
  )
}

/** Whether a schema without `type` can only mean objects. */
function meansObject(schema: JsonObject): boolean {
  if (schema.type !== undefined) return schema.type === 'object'
  if (OF_OBJECTS.some((keyword) => Object.hasOwn(schema, keyword))) return true
  const arms = schema.anyOf ?? schema.oneOf
  return (
    Array.isArray(arms) &&
    arms.length > 0 &&
    arms.every((arm) => isJsonObject(arm) && meansObject(arm))
  )
}

function isAbsent(keyword: string, value: unknown): boolean {
  if (value === null) return NOT_NULL.has(keyword)
  // A boolean is draft 3 syntax of a property; since draft 4 it asserts nothing.
  if (keyword === 'required') return value === '' || typeof value === 'boolean'
  return value === '' && (keyword === 'type' || SCHEMA_MAPS.has(keyword))
}
