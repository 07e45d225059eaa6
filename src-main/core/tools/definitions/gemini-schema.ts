import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { mapSubschemas, SCHEMA_MAPS } from './subschemas'

/** Parts of a schema that the Gemini API rejects (its `Schema` object), each with its paths. */
export type GeminiProblem =
  | 'arrayWithoutItems'
  | 'itemsNotOneSchema'
  | 'enumNotText'
  | 'booleanSchema'
  | 'requiredUnknown'
  | 'unionType'
  | 'reference'

/** Types that replace a union, most expressive first. */
const TYPES = ['string', 'object', 'array', 'number', 'integer', 'boolean', 'null']
/** Keywords that the API accepts with one type only. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'enum'],
}
const TUPLE = ['prefixItems', 'additionalItems', 'unevaluatedItems']
const MAX_NODES = 20_000
const MAX_CHOICES = 20

/** Returns what the Gemini API rejects in an input schema, by kind with the paths of the schemas. */
export function geminiProblems(schema: JsonObject): Map<GeminiProblem, string[]> {
  const found = new Map<GeminiProblem, string[]>()
  let remaining = MAX_NODES
  const visit = (node: unknown, path: string, parentKeyword: string): unknown => {
    remaining -= 1
    if (remaining < 0) return node
    if (!isJsonObject(node)) {
      if (typeof node === 'boolean' && isValuePlace(parentKeyword))
        add(found, 'booleanSchema', path)
      return node
    }
    for (const kind of problemsOf(node)) add(found, kind, path)
    return mapSubschemas(node, (one, [keyword = '', name]) =>
      visit(one, pathTo(path, keyword, name), keyword),
    )
  }
  visit(schema, '', 'root')
  return found
}

/** Returns a schema without any `GeminiProblem`; the same object if it has none. */
export function withoutGeminiProblems(schema: JsonObject): JsonObject {
  if (geminiProblems(schema).size === 0) return schema
  return simplified(schema)
}

function simplified(node: JsonObject): JsonObject {
  const inner = mapSubschemas(withoutFalse(node), (one, [keyword = '']) => {
    if (isJsonObject(one)) return simplified(one)
    return typeof one === 'boolean' && isValuePlace(keyword) ? {} : one
  })
  return withKnownRequired(withOneItems(withTextEnum(withOneType(inner))))
}

function problemsOf(node: JsonObject): GeminiProblem[] {
  const { items, enum: choices, required } = node
  const types = typesOf(node)
  const tuple = Array.isArray(items) || node.prefixItems !== undefined
  const isUnion = isJsonObject(items) && Array.isArray(items.type)
  return [
    ...(types.includes('array') && !tuple && !isTyped(items) ? ['arrayWithoutItems' as const] : []),
    ...(tuple || isUnion ? ['itemsNotOneSchema' as const] : []),
    ...(Array.isArray(choices) && !choices.every(isChoice) ? ['enumNotText' as const] : []),
    // A combinator's arm that only requires names refers to the properties around it.
    ...(describesObject(node) && names(required).some((name) => !hasProperty(node, name))
      ? ['requiredUnknown' as const]
      : []),
    ...(Array.isArray(node.type) ? ['unionType' as const] : []),
    ...(typeof node.$ref === 'string' ? ['reference' as const] : []),
  ]
}

/** Whether `true` and `false` are schemas under a keyword; elsewhere they are restrictions (`additionalProperties`). */
function isValuePlace(keyword: string): boolean {
  return SCHEMA_MAPS.has(keyword) || ['items', 'prefixItems', 'anyOf', 'oneOf'].includes(keyword)
}

/** Whether a schema of elements has a type. */
function isTyped(items: unknown): boolean {
  if (typeof items === 'boolean') return true // Reported as its own kind.
  if (!isJsonObject(items)) return false
  return ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'properties'].some(
    (keyword) => items[keyword] !== undefined,
  )
}

/** Removes properties that allow no value. */
function withoutFalse(node: JsonObject): JsonObject {
  const { properties } = node
  if (!isJsonObject(properties) || !Object.values(properties).includes(false)) return node
  const possible = Object.entries(properties).filter(([, schema]) => schema !== false)
  const impossible = new Set(Object.keys(properties).filter((name) => properties[name] === false))
  const required = names(node.required).filter((name) => !impossible.has(name))
  return { ...node, properties: Object.fromEntries(possible), required }
}

/** Reduces a union to one type, and null to `nullable`. */
function withOneType(node: JsonObject): JsonObject {
  if (!Array.isArray(node.type)) return node
  const all = typesOf(node)
  const type = TYPES.find((one) => all.includes(one)) ?? 'string'
  const foreign = Object.entries(OF_TYPE).flatMap(([one, keywords]) =>
    one === type ? [] : keywords,
  )
  return { ...omitKeywords(node, foreign), type, ...(all.includes('null') && { nullable: true }) }
}

/** Keeps text choices only; the description names the others, because the API doesn't support them. */
function withTextEnum(node: JsonObject): JsonObject {
  const { enum: choices, ...others } = node
  if (!Array.isArray(choices) || choices.every(isChoice)) return node
  const nullable = choices.includes(null) && { nullable: true }
  const values = choices.filter((one) => one !== null && one !== '')
  if (values.length > 0 && values.every((one) => typeof one === 'string'))
    return { ...others, type: 'string', enum: values, ...nullable }
  const shown = values.slice(0, MAX_CHOICES).map((one) => JSON.stringify(one))
  const more = values.length > MAX_CHOICES ? ' …' : ''
  const lines = typeof others.description === 'string' ? [others.description] : []
  const named = values.length === 0 ? [] : [`One of: ${shown.join(', ')}${more}`]
  return { ...others, description: [...lines, ...named].join('\n'), ...nullable }
}

/** Reduces the schemas of elements to one with a type. */
function withOneItems(node: JsonObject): JsonObject {
  const isArray = node.type === 'array' || (node.type === undefined && hasItems(node))
  if (!isArray) return hasItems(node) ? omitKeywords(node, ['items', ...TUPLE]) : node
  const { items, prefixItems } = node
  const parts = [prefixItems, items].flatMap((one) => (one === undefined ? [] : one))
  const [first, ...others] = parts.filter((one) => isJsonObject(one))
  const isUniform = others.every((one) => JSON.stringify(one) === JSON.stringify(first))
  const one = isUniform ? (first ?? {}) : withOneItems({ type: sharedType(parts) })
  const typed = isTyped(one) ? one : { ...one, type: 'string' }
  return { ...omitKeywords(node, TUPLE), type: 'array', items: withType(typed) }
}

function withType(items: JsonObject): JsonObject {
  if (items.type !== undefined) return items
  if (items.properties !== undefined) return { ...items, type: 'object' }
  return items.enum === undefined ? items : { ...items, type: 'string' }
}

/** Keeps required names that have a property; adds a property for others if the schema allows it. */
function withKnownRequired(node: JsonObject): JsonObject {
  const { required, properties, ...others } = node
  const wanted = names(required)
  if (!describesObject(node)) return node
  const unknown = wanted.filter((name) => !hasProperty(node, name))
  if (required === undefined || (unknown.length === 0 && wanted.length > 0)) return node
  const isClosed = node.additionalProperties === false
  const added = isClosed ? [] : unknown.map((name) => [name, { type: 'string' }] as const)
  const requiredNames = isClosed ? wanted.filter((name) => !unknown.includes(name)) : wanted
  const declared = isJsonObject(properties) ? properties : {}
  return {
    ...others,
    properties: { ...declared, ...Object.fromEntries(added) },
    ...(requiredNames.length > 0 && { required: requiredNames }),
  }
}

function hasItems({ items, prefixItems }: JsonObject): boolean {
  return items !== undefined || prefixItems !== undefined
}

function describesObject({ type, properties }: JsonObject): boolean {
  return type === 'object' || properties !== undefined
}

function omitKeywords(node: JsonObject, keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([one]) => !keywords.includes(one)))
}

function sharedType(parts: readonly unknown[]): string {
  const types = parts.flatMap((one) => (isJsonObject(one) ? typesOf(one) : []))
  return TYPES.find((one) => types.includes(one)) ?? 'string'
}

function typesOf({ type }: JsonObject): string[] {
  return names(typeof type === 'string' ? [type] : type)
}

function hasProperty({ properties }: JsonObject, name: string): boolean {
  return isJsonObject(properties) && Object.hasOwn(properties, name)
}

function isChoice(one: unknown): boolean {
  return typeof one === 'string' && one !== ''
}

export function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function add(found: Map<GeminiProblem, string[]>, kind: GeminiProblem, path: string): void {
  found.set(kind, [...(found.get(kind) ?? []), path])
}

/** Returns a path such as `list[].name`; unnamed places are omitted. */
function pathTo(path: string, keyword: string, name = ''): string {
  if (keyword === 'items' || keyword === 'prefixItems') return `${path}[]`
  if (!SCHEMA_MAPS.has(keyword)) return path
  return path === '' ? name : `${path}.${name}`
}
