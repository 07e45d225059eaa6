import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { safePattern } from '../../../../src-shared/json-schema/safe-pattern'
import { isSchema, schemaFault, setOwn, stringsOf } from './json-text'
import { simplify, variantTitle } from './simplify-schema'

/** State of the conversion of a schema to a drawable one. */
export type SchemaContext = {
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
const MAX_FIELDS = 5_000
const DEEPEST = 16

const COPIED = [
  ...['title', 'description', 'type', 'enum', 'const', 'default', 'examples'],
  ...['readOnly', 'deprecated', 'minLength', 'maxLength', 'pattern', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties'],
]
const SCHEMA_KEYWORDS = ['if', 'then', 'else', 'additionalItems']
/** Formats with their own field; the form draws all others as text. */
const FORMATS = new Set(['date', 'email', 'uri', 'password'])

function labelsOf({ title, description }: JsonObject): Field {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  }
}

function jsonField(schema: JsonObject, why?: string): Field {
  return { 'x-json': true, ...labelsOf(schema), ...(why !== undefined && { 'x-why': why }) }
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

function addObject(field: Field, schema: JsonObject, context: SchemaContext, { depth }: At): void {
  const required = stringsOf(schema.required)
  if (required.length > 0) field.required = required
  if (isJsonObject(schema.properties)) {
    const properties: Field = {}
    for (const [name, one] of Object.entries(schema.properties))
      setOwn(
        properties,
        name,
        fieldOf(one, context, { depth: depth + 1, isRequired: required.includes(name) }),
      )
    field.properties = properties
  }
  const inner = { depth: depth + 1, isRequired: true }
  const { additionalProperties: additional, patternProperties: patterns } = schema
  const [only, ...more] = isJsonObject(patterns) ? Object.values(patterns) : []
  // Names that fit a pattern are added like any other; the check reports those that don't fit.
  if (only !== undefined)
    field.additionalProperties = fieldOf(more.length === 0 ? only : {}, context, inner)
  else if (isJsonObject(additional) || additional === true)
    field.additionalProperties = fieldOf(additional, context, inner)
  if (isJsonObject(schema.dependentSchemas) || isJsonObject(schema.dependencies))
    field.dependencies = dependenciesOf(
      { ...asJsonObject(schema.dependencies), ...asJsonObject(schema.dependentSchemas) },
      context,
      depth,
    )
}

function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function dependenciesOf(dependencies: JsonObject, context: SchemaContext, depth: number): Field {
  const made: Field = {}
  for (const [name, one] of Object.entries(dependencies))
    if (Array.isArray(one)) setOwn(made, name, stringsOf(one))
    else if (isJsonObject(one))
      setOwn(made, name, fieldOf(one, context, { depth: depth + 1, isRequired: true }))
  return made
}

function addList(field: Field, schema: JsonObject, context: SchemaContext, { depth }: At): void {
  const inner = { depth: depth + 1, isRequired: true }
  const { prefixItems, items, contains } = schema
  // The form doesn't draw `contains`; it decides whether an empty list is valid.
  if (contains !== undefined) field.contains = contains
  const first = Array.isArray(prefixItems) ? prefixItems : items
  if (!Array.isArray(first)) {
    field.items = fieldOf(isSchema(items) ? items : {}, context, inner)
    return
  }
  field.items = first.map((one: unknown) => fieldOf(one, context, inner))
  const additional = Array.isArray(prefixItems) ? items : schema.additionalItems
  if (isSchema(additional) && additional !== false)
    field.additionalItems = fieldOf(additional, context, inner)
}

function addVariants(
  made: Field,
  schema: JsonObject,
  context: SchemaContext,
  { depth, isRequired }: At,
): void {
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const kinds = schema[key]
    if (!Array.isArray(kinds)) continue
    made[key] = kinds.map((one: unknown) => {
      const kind = variantOf(one, context, { depth: depth + 1, isRequired })
      const title = key === 'allOf' ? undefined : variantTitle(one, context.root)
      return title === undefined ? kind : { ...kind, title }
    })
  }
  for (const key of SCHEMA_KEYWORDS)
    if (isJsonObject(schema[key]))
      made[key] = variantOf(schema[key], context, { depth: depth + 1, isRequired })
}

/** Converts a subschema, which needs no type if the whole schema has one. */
function variantOf(schema: unknown, context: SchemaContext, at: At): Field {
  const isUntyped = isJsonObject(schema) && TYPE_KEYWORDS.every((key) => schema[key] === undefined)
  return isUntyped && schemaFault(schema) === undefined
    ? typedField(schema, context, at)
    : fieldOf(schema, context, at)
}

function refOf(ref: unknown, context: SchemaContext): string | undefined {
  if (typeof ref !== 'string') return undefined
  const existing = context.names.get(ref)
  if (existing !== undefined) return existing
  const target = resolveRef(context.root, ref)
  if (target === undefined || context.partsOf(target) > MAX_DRAWN_PARTS) return undefined
  const name = `d${context.names.size}`
  context.names.set(ref, name)
  context.waiting.push(() => {
    context.isInside = context.isRecursive(ref)
    context.defs[name] = fieldOf(target, context, { depth: 0, isRequired: true })
  })
  return name
}

function isEveryVariant(kinds: unknown, fits: (kind: JsonObject) => boolean): boolean {
  return (
    Array.isArray(kinds) && kinds.length > 0 && kinds.every((one) => isJsonObject(one) && fits(one))
  )
}

function typeOf(made: Field): unknown {
  const isKindOf = (fits: (kind: JsonObject) => boolean): boolean =>
    isEveryVariant(made.anyOf, fits) || isEveryVariant(made.oneOf, fits)
  if (made.type !== undefined) return made.type
  if (made.properties !== undefined || made.additionalProperties !== undefined) return 'object'
  if (isKindOf(({ type }) => type === 'object')) return 'object'
  if (made.items !== undefined) return 'array'
  // Variants with one value each are choices.
  return isKindOf((kind) => 'const' in kind) ? 'string' : undefined
}

/** Whether a property is named like a member of every object: the form would take it for filled in. */
function hasInheritedName(made: Field): boolean {
  return (
    isJsonObject(made.properties) &&
    Object.keys(made.properties).some((name) => name in Object.prototype)
  )
}

const RECURSIVE = 'This value can contain itself. Enter it as JSON.'

function containsItself(ref: string, context: SchemaContext): boolean {
  return (
    context.isRecursive(ref) && (context.isInside || resolveRef(context.root, ref) === context.root)
  )
}

/** Whether an `allOf` contains a part that becomes a JSON field: the whole then becomes one. */
function isMergedRecursion({ allOf }: Field): boolean {
  return (
    Array.isArray(allOf) && allOf.some((one) => isJsonObject(one) && one['x-why'] === RECURSIVE)
  )
}

/** Keywords that set the type of a value. */
const TYPE_KEYWORDS = ['type', '$ref', 'enum', 'const']
const VARIANT_KEYWORDS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum']

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

function typedField(schema: JsonObject, context: SchemaContext, at: At): Field {
  const made: Field = {}
  for (const key of COPIED) if (schema[key] !== undefined) made[key] = schema[key]
  addFormat(made, schema)
  addObject(made, schema, context, at)
  if (isList(schema)) addList(made, schema, context, at)
  addVariants(made, schema, context, at)
  withChoices(made, at)
  const type = typeOf(made)
  if (type !== undefined) made.type = type
  return made
}

function plainField(schema: JsonObject, context: SchemaContext, at: At): Field {
  const made = typedField(schema, context, at)
  const isDrawn = made.type !== undefined || VARIANT_KEYWORDS.some((key) => made[key] !== undefined)
  return isDrawn && !hasInheritedName(made) && !isMergedRecursion(made) ? made : jsonField(schema)
}

function refProblem(ref: unknown): string {
  return typeof ref === 'string' && ref.startsWith('#')
    ? 'The referenced schema is missing or too large.'
    : 'The schema is remote and isn’t loaded.'
}

/** Returns a drawable schema for any schema; unsupported parts become JSON fields. */
export function fieldOf(source: unknown, context: SchemaContext, at: At): Field {
  context.count += 1
  if (!isJsonObject(source)) return jsonField({})
  if (context.count > MAX_FIELDS || at.depth > DEEPEST) return jsonField(source)
  const fault = schemaFault(source)
  if (fault !== undefined) return jsonField(source, `Invalid schema: ${fault}.`)
  const schema = simplify(source, at.isRequired)
  if (typeof schema.$ref !== 'string') return plainField(schema, context, at)
  if (containsItself(schema.$ref, context)) return jsonField(schema, RECURSIVE)
  const name = refOf(schema.$ref, context)
  if (name === undefined) return jsonField(source, refProblem(schema.$ref))
  const { default: standard } = schema
  return {
    ...{ $ref: `#/$defs/${name}`, ...labelsOf(schema) },
    ...(standard !== undefined && { default: standard }),
  }
}

/** Maximum number of parts to draw as fields. */
export const MAX_DRAWN_PARTS = 4_000

/** Keywords whose subschemas apply to the same value as the schema itself. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']
const BY_NAME = ['properties', 'dependentSchemas', 'dependencies', 'patternProperties']
const OF_PARTS = ['items', 'prefixItems', 'additionalProperties', 'additionalItems']

type CountContext = {
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

function count(schema: unknown, context: CountContext, steps: number): number {
  if (!isJsonObject(schema)) return 1
  const known = context.known.get(schema)
  if (known !== undefined) return known
  const since = context.open.get(schema)
  // A recursive schema is drawn on demand. A schema that refers to itself at the same depth never ends.
  if (since !== undefined) return since === steps ? Infinity : 1
  context.open.set(schema, steps)
  const total = countParts(schema, context, steps)
  context.open.delete(schema)
  context.known.set(schema, total)
  return total
}

function countParts(schema: JsonObject, context: CountContext, steps: number): number {
  let total = 1
  const add = (value: unknown, isByName: boolean, step: number): void => {
    for (const one of schemasOf(value, isByName)) {
      if (total > MAX_DRAWN_PARTS) return
      total += count(one, context, steps + step)
    }
  }
  if (schema.$ref !== undefined) add(resolveRef(context.root, schema.$ref), false, 0)
  for (const keyword of SAME_VALUE) add(schema[keyword], false, 0)
  for (const word of BY_NAME) add(schema[word], true, 1)
  for (const word of OF_PARTS) add(schema[word], false, 1)
  return total
}

/** Returns a counter of the maximum number of parts in a schema's form. A part that is referenced twice counts twice. */
export function drawingCounter(root: unknown): (schema: unknown) => number {
  const context: CountContext = { root, known: new Map(), open: new Map() }
  return (schema) => {
    try {
      return count(schema, context, 0)
    } catch (cause) {
      if (cause instanceof RangeError) return Infinity
      throw cause
    }
  }
}
