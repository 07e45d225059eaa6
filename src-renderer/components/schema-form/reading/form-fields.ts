import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { safePattern } from '../../../../src-shared/json-schema/safe-pattern'
import { isSchema, put, schemaFault, textsOf } from './json-text'
import { kindTitle, simplified } from './one-kind'

/** State of the conversion of a schema to a drawable one. */
export type FormWork = {
  readonly root: unknown
  /** Targets of references, by generated names. */
  readonly defs: Record<string, unknown>
  readonly names: Map<string, string>
  readonly waiting: (() => void)[]
  count: number
  /** Returns the maximum number of parts in the form of a schema. */
  readonly partsOf: (schema: unknown) => number
  /** Whether the target of a reference contains itself. */
  readonly isRecursive: (ref: string) => boolean
  /** Whether a recursive schema is being converted: its inner occurrences become JSON fields. */
  isInside: boolean
}
type At = { readonly depth: number; readonly isRequired: boolean }
type Field = Record<string, unknown>

/** Maximum number of schemas that become fields; the others become JSON fields. */
const MOST_FIELDS = 5_000
const DEEPEST = 16

const COPIED = [
  ...['title', 'description', 'type', 'enum', 'const', 'default', 'examples'],
  ...['readOnly', 'deprecated', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties'],
]
const SCHEMA_WORDS = ['if', 'then', 'else', 'additionalItems']
/** Formats with their own field; the form draws all others as text. */
const FORMATS = new Set(['date', 'email', 'uri', 'password'])

function wordsOf({ title, description }: JsonObject): Field {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  }
}

function jsonField(schema: JsonObject, why?: string): Field {
  return { 'x-json': true, ...wordsOf(schema), ...(why !== undefined && { 'x-why': why }) }
}

/** Turns a single value into a list of one choice. */
function withChoices(made: Field, { isRequired }: At): void {
  if (made.type === 'null') {
    delete made.type
    made.enum = [null]
    return
  }
  const values = 'const' in made ? [made.const] : made.enum
  if (!Array.isArray(values)) return
  made.enum = [...new Set(values as unknown[])]
  const isPlain = values.every((one) => ['string', 'number'].includes(typeof one))
  if (isPlain || made.type === 'boolean') return
  // Objects, lists and null among the choices have no field type.
  delete made.type
  delete made.const
  if (isRequired && values.length === 1) made.default ??= values[0]
}

function addObject(made: Field, schema: JsonObject, work: FormWork, { depth }: At): void {
  const required = textsOf(schema.required)
  if (required.length > 0) made.required = required
  if (isJsonObject(schema.properties)) {
    const properties: Field = {}
    for (const [name, one] of Object.entries(schema.properties))
      put(
        properties,
        name,
        fieldOf(one, work, { depth: depth + 1, isRequired: required.includes(name) }),
      )
    made.properties = properties
  }
  const inner = { depth: depth + 1, isRequired: true }
  const { additionalProperties: rest, patternProperties: patterns } = schema
  const [only, ...more] = isJsonObject(patterns) ? Object.values(patterns) : []
  // Names that fit a pattern are added like any other; the check reports those that don't fit.
  if (only !== undefined)
    made.additionalProperties = fieldOf(more.length === 0 ? only : {}, work, inner)
  else if (isJsonObject(rest) || rest === true)
    made.additionalProperties = fieldOf(rest, work, inner)
  if (isJsonObject(schema.dependentSchemas) || isJsonObject(schema.dependencies))
    made.dependencies = dependenciesOf(
      { ...asJsonObject(schema.dependencies), ...asJsonObject(schema.dependentSchemas) },
      work,
      depth,
    )
}

function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function dependenciesOf(dependencies: JsonObject, work: FormWork, depth: number): Field {
  const made: Field = {}
  for (const [name, one] of Object.entries(dependencies))
    if (Array.isArray(one)) put(made, name, textsOf(one))
    else if (isJsonObject(one))
      put(made, name, fieldOf(one, work, { depth: depth + 1, isRequired: true }))
  return made
}

function addList(made: Field, schema: JsonObject, work: FormWork, { depth }: At): void {
  const inner = { depth: depth + 1, isRequired: true }
  const { prefixItems, items, contains } = schema
  // The form doesn't draw `contains`; it decides whether an empty list is valid.
  if (contains !== undefined) made.contains = contains
  const first = Array.isArray(prefixItems) ? prefixItems : items
  if (!Array.isArray(first)) {
    made.items = fieldOf(isSchema(items) ? items : {}, work, inner)
    return
  }
  made.items = first.map((one: unknown) => fieldOf(one, work, inner))
  const rest = Array.isArray(prefixItems) ? items : schema.additionalItems
  if (isSchema(rest) && rest !== false) made.additionalItems = fieldOf(rest, work, inner)
}

function addKinds(
  made: Field,
  schema: JsonObject,
  work: FormWork,
  { depth, isRequired }: At,
): void {
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const kinds = schema[key]
    if (!Array.isArray(kinds)) continue
    made[key] = kinds.map((one: unknown) => {
      const kind = kindOf(one, work, { depth: depth + 1, isRequired })
      const title = key === 'allOf' ? undefined : kindTitle(one, work.root)
      return title === undefined ? kind : { ...kind, title }
    })
  }
  for (const key of SCHEMA_WORDS)
    if (isJsonObject(schema[key]))
      made[key] = kindOf(schema[key], work, { depth: depth + 1, isRequired })
}

/** Converts a subschema, which needs no type if the whole schema has one. */
function kindOf(schema: unknown, work: FormWork, at: At): Field {
  const isBare = isJsonObject(schema) && TYPE_WORDS.every((key) => schema[key] === undefined)
  return isBare && schemaFault(schema) === undefined
    ? partOf(schema, work, at)
    : fieldOf(schema, work, at)
}

function refOf(ref: unknown, work: FormWork): string | undefined {
  if (typeof ref !== 'string') return undefined
  const known = work.names.get(ref)
  if (known !== undefined) return known
  const target = resolveRef(work.root, ref)
  if (target === undefined || work.partsOf(target) > MOST_DRAWN_PARTS) return undefined
  const name = `d${work.names.size}`
  work.names.set(ref, name)
  work.waiting.push(() => {
    work.isInside = work.isRecursive(ref)
    work.defs[name] = fieldOf(target, work, { depth: 0, isRequired: true })
  })
  return name
}

function isEach(kinds: unknown, fits: (kind: JsonObject) => boolean): boolean {
  return (
    Array.isArray(kinds) && kinds.length > 0 && kinds.every((one) => isJsonObject(one) && fits(one))
  )
}

function typeOf(made: Field): unknown {
  const isKindOf = (fits: (kind: JsonObject) => boolean): boolean =>
    isEach(made.anyOf, fits) || isEach(made.oneOf, fits)
  if (made.type !== undefined) return made.type
  if (made.properties !== undefined || made.additionalProperties !== undefined) return 'object'
  if (isKindOf(({ type }) => type === 'object')) return 'object'
  if (made.items !== undefined) return 'array'
  // Variants with one value each are choices.
  return isKindOf((kind) => 'const' in kind) ? 'string' : undefined
}

/** Whether a property is named like a member of every object: the form would take it for filled in. */
function hasOddName(made: Field): boolean {
  return (
    isJsonObject(made.properties) &&
    Object.keys(made.properties).some((name) => name in Object.prototype)
  )
}

const RECURSIVE = 'This value can contain itself. Enter it as JSON.'

function holdsItself(ref: string, work: FormWork): boolean {
  return work.isRecursive(ref) && (work.isInside || resolveRef(work.root, ref) === work.root)
}

/** Whether an `allOf` contains a part that becomes a JSON field: the whole then becomes one. */
function isMergedRecursion({ allOf }: Field): boolean {
  return (
    Array.isArray(allOf) && allOf.some((one) => isJsonObject(one) && one['x-why'] === RECURSIVE)
  )
}

/** Keywords that set the type of a value. */
const TYPE_WORDS = ['type', '$ref', 'enum', 'const']
const KIND_WORDS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum']

/** Adds the format. Formats without their own field are described in the hint and still checked. */
function addFormat(made: Field, { format, writeOnly }: JsonObject): void {
  if (typeof format === 'string') {
    made['x-format'] = format
    if (FORMATS.has(format)) made.format = format
  }
  if (writeOnly === true && made.type === 'string') made.format ??= 'password'
  if (made.pattern !== undefined && safePattern(made.pattern) === undefined)
    made['x-untried'] = true
}

function isList({ type, items, prefixItems }: JsonObject): boolean {
  return (
    type === 'array' || (type === undefined && (items !== undefined || prefixItems !== undefined))
  )
}

function partOf(schema: JsonObject, work: FormWork, at: At): Field {
  const made: Field = {}
  for (const key of COPIED) if (schema[key] !== undefined) made[key] = schema[key]
  addFormat(made, schema)
  addObject(made, schema, work, at)
  if (isList(schema)) addList(made, schema, work, at)
  addKinds(made, schema, work, at)
  withChoices(made, at)
  const type = typeOf(made)
  if (type !== undefined) made.type = type
  return made
}

function plainField(schema: JsonObject, work: FormWork, at: At): Field {
  const made = partOf(schema, work, at)
  const isDrawn = made.type !== undefined || KIND_WORDS.some((key) => made[key] !== undefined)
  return isDrawn && !hasOddName(made) && !isMergedRecursion(made) ? made : jsonField(schema)
}

function whyNoRef(ref: unknown): string {
  return typeof ref === 'string' && ref.startsWith('#')
    ? 'The referenced schema is missing or too large.'
    : 'The schema is remote and isn’t loaded.'
}

/** Returns a drawable schema for any schema; unsupported parts become JSON fields. */
export function fieldOf(given: unknown, work: FormWork, at: At): Field {
  work.count += 1
  if (!isJsonObject(given)) return jsonField({})
  if (work.count > MOST_FIELDS || at.depth > DEEPEST) return jsonField(given)
  const fault = schemaFault(given)
  if (fault !== undefined) return jsonField(given, `Invalid schema: ${fault}.`)
  const schema = simplified(given, at.isRequired)
  if (typeof schema.$ref !== 'string') return plainField(schema, work, at)
  if (holdsItself(schema.$ref, work)) return jsonField(schema, RECURSIVE)
  const name = refOf(schema.$ref, work)
  if (name === undefined) return jsonField(given, whyNoRef(schema.$ref))
  const { default: standard } = schema
  return {
    ...{ $ref: `#/$defs/${name}`, ...wordsOf(schema) },
    ...(standard !== undefined && { default: standard }),
  }
}

/** Maximum number of parts to draw as fields. */
export const MOST_DRAWN_PARTS = 4_000

/** Keywords whose subschemas apply to the same value as the schema itself. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']
const BY_NAME = ['properties', 'dependentSchemas', 'dependencies', 'patternProperties']
const OF_PARTS = ['items', 'prefixItems', 'additionalProperties', 'additionalItems']

type Work = {
  readonly root: unknown
  readonly known: Map<unknown, number>
  /** Schemas being counted, with their depth in the value. */
  readonly open: Map<unknown, number>
}

function schemasOf(value: unknown, isByName: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  if (!isJsonObject(value)) return []
  return isByName ? Object.values(value) : [value]
}

function count(schema: unknown, work: Work, steps: number): number {
  if (!isJsonObject(schema)) return 1
  const known = work.known.get(schema)
  if (known !== undefined) return known
  const since = work.open.get(schema)
  // A recursive schema is drawn on demand. A schema that refers to itself at the same depth never ends.
  if (since !== undefined) return since === steps ? Infinity : 1
  work.open.set(schema, steps)
  const total = parts(schema, work, steps)
  work.open.delete(schema)
  work.known.set(schema, total)
  return total
}

function parts(schema: JsonObject, work: Work, steps: number): number {
  let total = 1
  const add = (value: unknown, isByName: boolean, step: number): void => {
    for (const one of schemasOf(value, isByName)) {
      if (total > MOST_DRAWN_PARTS) return
      total += count(one, work, steps + step)
    }
  }
  if (schema.$ref !== undefined) add(resolveRef(work.root, schema.$ref), false, 0)
  for (const word of SAME_VALUE) add(schema[word], false, 0)
  for (const word of BY_NAME) add(schema[word], true, 1)
  for (const word of OF_PARTS) add(schema[word], false, 1)
  return total
}

/** Returns a counter of the maximum number of parts in a schema's form. A part that is referenced twice counts twice. */
export function drawingCounter(root: unknown): (schema: unknown) => number {
  const work: Work = { root, known: new Map(), open: new Map() }
  return (schema) => {
    try {
      return count(schema, work, 0)
    } catch (cause) {
      if (cause instanceof RangeError) return Infinity
      throw cause
    }
  }
}
