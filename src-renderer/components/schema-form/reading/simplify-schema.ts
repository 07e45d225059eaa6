import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { stringsOf } from './json-text'

const TYPE_TITLE: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  object: 'Object',
  array: 'List',
  null: 'null',
}
/** Keywords that belong to all variants. */
const COMMON_KEYWORDS = new Set(['title', 'description', 'default', 'type', 'examples'])

function isNull(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false
  const { type, enum: all } = schema
  const isOnly = 'const' in schema && schema.const === null
  return type === 'null' || isOnly || (Array.isArray(all) && all.length === 1 && all[0] === null)
}

function without(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)),
  )
}

/** Turns OpenAPI 3.0 `nullable` into an additional type. */
function withNullType(schema: JsonObject): JsonObject {
  const { nullable, type } = schema
  return nullable === true && typeof type === 'string'
    ? { ...without(schema, 'nullable'), type: [type, 'null'] }
    : schema
}

/** Removes the null variant; a single remaining variant replaces the choice. */
function withoutNullVariant(schema: JsonObject): JsonObject {
  for (const keyword of ['anyOf', 'oneOf']) {
    const kinds = schema[keyword]
    if (!Array.isArray(kinds) || !kinds.some(isNull)) continue
    const others = (kinds as unknown[]).filter((kind) => !isNull(kind))
    const [only] = others
    const base = without(schema, keyword)
    return others.length === 1 && isJsonObject(only)
      ? { ...only, ...base }
      : { ...base, [keyword]: others }
  }
  return schema
}

/** Removes null from an optional member's schema, because omitting the member means the same. A schema that only allows null stays. */
function withoutNull(source: JsonObject): JsonObject {
  const schema = source.default === null ? without(source, 'default') : source
  if (!Array.isArray(schema.type)) return withoutNullVariant(schema)
  const types = (schema.type as unknown[]).filter((one) => one !== 'null')
  return types.length === 0 ? schema : withoutNullVariant({ ...schema, type: types })
}

function withOneType(schema: JsonObject): JsonObject {
  const { type } = schema
  if (!Array.isArray(type)) return schema
  if (type.length === 1) return { ...schema, type: (type as unknown[])[0] }
  if (Array.isArray(schema.enum)) return without(schema, 'type')
  const own = without(schema, ...COMMON_KEYWORDS)
  const common = without(schema, 'type', ...Object.keys(own))
  const kinds = stringsOf(type).map((one) => ({ ...own, type: one, title: TYPE_TITLE[one] ?? one }))
  return { ...common, anyOf: kinds }
}

function withOnePart(schema: JsonObject): JsonObject {
  const { allOf } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1) return schema
  const [only] = allOf as unknown[]
  const base = without(schema, 'allOf')
  // Merging is safe only if both don't set the same keyword, except texts: there the outer schema wins.
  const isText = Object.keys(base).every(
    (keyword) => COMMON_KEYWORDS.has(keyword) && keyword !== 'type',
  )
  return isJsonObject(only) && isText ? { ...only, ...base } : schema
}

/** Simplifies a schema to one type, or to variants with one type each. An optional member has no null variant. */
export function simplify(schema: JsonObject, isRequired: boolean): JsonObject {
  const nullable = withNullType(withOnePart(schema))
  return withOneType(isRequired ? nullable : withoutNull(nullable))
}

const LONGEST = 60

/** Returns the value of a member with a single allowed value: `circle` for `{kind: {const: "circle"}}`. */
function discriminator({ properties }: JsonObject): string | undefined {
  if (!isJsonObject(properties)) return undefined
  for (const member of Object.values(properties)) {
    if (!isJsonObject(member)) continue
    const { const: only, enum: all } = member
    const [first, ...others] = Array.isArray(all) ? (all as unknown[]) : [only]
    if (typeof first === 'string' && others.length === 0) return first
  }
  return undefined
}

function refName(ref: unknown): string | undefined {
  const last = typeof ref === 'string' ? ref.split('/').at(-1) : undefined
  return last === undefined || last === '#' || last === '' ? undefined : last
}

/** Returns the title of a variant, else what distinguishes it from the others. */
export function variantTitle(kind: unknown, root: unknown): string | undefined {
  if (!isJsonObject(kind)) return undefined
  const target = kind.$ref === undefined ? kind : resolveRef(root, kind.$ref)
  const schema = isJsonObject(target) ? target : kind
  if (typeof schema.title === 'string') return schema.title
  const { type, required } = schema
  const names = stringsOf(required)
  const found =
    discriminator(schema) ??
    refName(kind.$ref) ??
    (names.length > 0 && type !== 'array' ? `With ${names.join(', ')}` : undefined) ??
    (typeof type === 'string' ? TYPE_TITLE[type] : undefined)
  return found?.slice(0, LONGEST)
}
