import { isJsonObject, isSchema, type JsonObject, put } from '../reading/json-object'
import { resolveRef } from '../reading/resolve-ref'
import { longestTextFor } from '../reading/safe-pattern'

/** A schema made fit for checking: what cannot be checked here is left out, and said. */
export type CheckedSchema = {
  readonly schema: JsonObject | boolean
  /** What each reference in it names. */
  readonly lookup: Readonly<Record<string, JsonObject | boolean>>
  /** Whether anything was left out. */
  readonly isWhole: boolean
}

/** Most schemas of one document. */
const MOST_SCHEMAS = 20_000
/** Deepest nesting of one document. */
const DEEPEST = 200

const SCHEMA_AT = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
])
const SCHEMAS_AT = new Set(['prefixItems', 'allOf', 'anyOf', 'oneOf'])
const SCHEMA_MAP_AT = new Set(['properties', 'dependentSchemas'])
const COUNT_AT = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
])
const NUMBER_AT = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])
/** Those whose check is quick for texts of any kind. */
const FORMATS = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

type Work = {
  readonly root: unknown
  readonly lookup: Record<string, JsonObject | boolean>
  /** What references name and was not looked at yet: one after the other, as they can be a long chain. */
  readonly waiting: (() => void)[]
  count: number
  isWhole: boolean
}

function isType(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  return types.length > 0 && types.every((one) => typeof one === 'string' && TYPES.has(one))
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Words whose value says it all, with what tells a value that is of use here. */
const PLAIN_WORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  const: () => true,
  enum: (value) => Array.isArray(value),
  type: isType,
  required: isTexts,
  uniqueItems: (value) => value === true,
  format: (value) => typeof value === 'string' && FORMATS.has(value),
  pattern: (value) => longestTextFor(value) > 0,
  ...Object.fromEntries([...COUNT_AT].map((key) => [key, Number.isInteger])),
  ...Object.fromEntries([...NUMBER_AT].map((key) => [key, Number.isFinite])),
}

function mapOf(value: JsonObject, work: Work, depth: number): JsonObject {
  const made: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) put(made, key, checked(one, work, depth))
  return made
}

/** Only patterns that are tried; with one left out, what it would have allowed cannot be told from what it would not. */
function patternsOf(value: JsonObject, work: Work, depth: number): JsonObject | undefined {
  const entries = Object.entries(value)
  if (!entries.every(([pattern]) => longestTextFor(pattern) > 0)) return undefined
  return mapOf(value, work, depth)
}

function dependenciesOf(value: JsonObject, work: Work, depth: number): JsonObject {
  const made: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value))
    if (isSchema(one)) put(made, key, checked(one, work, depth))
    else if (Array.isArray(one))
      put(
        made,
        key,
        one.filter((name) => typeof name === 'string'),
      )
  return made
}

function refOf(ref: unknown, work: Work): string | undefined {
  if (typeof ref !== 'string') return undefined
  if (Object.hasOwn(work.lookup, ref)) return ref
  const target = resolveRef(work.root, ref)
  if (target === undefined) return undefined
  put(work.lookup, ref, true)
  work.waiting.push(() => put(work.lookup, ref, checked(target, work, 0)))
  return ref
}

function subSchema(key: string, value: unknown, work: Work, depth: number): unknown {
  if (SCHEMA_AT.has(key)) return isSchema(value) ? checked(value, work, depth) : undefined
  if (SCHEMAS_AT.has(key))
    return Array.isArray(value) ? value.map((one) => checked(one, work, depth)) : undefined
  if (!isJsonObject(value)) return undefined
  if (SCHEMA_MAP_AT.has(key)) return mapOf(value, work, depth)
  if (key === 'patternProperties') return patternsOf(value, work, depth)
  return ['dependencies', 'dependentRequired'].includes(key)
    ? dependenciesOf(value, work, depth)
    : undefined
}

/** `items` as a list is the older way to say `prefixItems`. */
function itemsOf(schema: JsonObject, work: Work, depth: number): JsonObject {
  const { items, additionalItems } = schema
  if (!Array.isArray(items)) return isSchema(items) ? { items: checked(items, work, depth) } : {}
  const rest = isSchema(additionalItems) ? { items: checked(additionalItems, work, depth) } : {}
  return { prefixItems: items.map((one) => checked(one, work, depth)), ...rest }
}

/** What is missed where it is left out. */
const CHECKED_WORDS = new Set([
  'pattern',
  '$ref',
  'patternProperties',
  '$dynamicRef',
  '$recursiveRef',
])
const REST_WORDS = ['additionalProperties', 'unevaluatedProperties']

function addWord(
  made: Record<string, unknown>,
  key: string,
  value: unknown,
  work: Work,
  depth: number,
): void {
  const isPlain = Object.hasOwn(PLAIN_WORDS, key)
  if (isPlain && PLAIN_WORDS[key]?.(value) === true) made[key] = value
  const word =
    key === '$ref' ? refOf(value, work) : isPlain ? undefined : subSchema(key, value, work, depth)
  if (word !== undefined) made[key] = word
  else if (CHECKED_WORDS.has(key) && !Object.hasOwn(made, key)) work.isWhole = false
}

/** What the form draws a step at a time is a reference; see `fieldOf`. */
function withRef(schema: JsonObject): JsonObject {
  const deeper = schema['x-deeper']
  return typeof deeper === 'string' ? { ...schema, $ref: `#/$defs/${deeper}` } : schema
}

function checked(given: unknown, work: Work, depth: number): JsonObject | boolean {
  if (!isJsonObject(given)) return given !== false
  const schema = withRef(given)
  work.count += 1
  if (work.count > MOST_SCHEMAS || depth > DEEPEST) {
    work.isWhole = false
    return true
  }
  const made: Record<string, unknown> = itemsOf(schema, work, depth + 1)
  for (const [key, value] of Object.entries(schema))
    if (key !== 'items' && !(key === 'additionalItems' && Array.isArray(schema.items)))
      addWord(made, key, value, work, depth + 1)
  if (isJsonObject(schema.patternProperties) && made.patternProperties === undefined)
    for (const key of REST_WORDS) Reflect.deleteProperty(made, key)
  // What OpenAPI 3.0 calls nullable.
  return schema.nullable === true ? { anyOf: [made, { type: 'null' }] } : made
}

/**
 * Makes a server's schema fit for checking: only words whose values are as they should be, patterns that are quick,
 * references within it. `known` are references that were looked at before.
 */
export function checkedSchema(schema: unknown, known: CheckedSchema['lookup'] = {}): CheckedSchema {
  const work: Work = { root: schema, lookup: { ...known }, waiting: [], count: 0, isWhole: true }
  const made = checked(schema, work, 0)
  for (let next = work.waiting.pop(); next; next = work.waiting.pop()) next()
  return { schema: made, lookup: work.lookup, isWhole: work.isWhole }
}
