import type { Schema } from '@cfworker/json-schema'

/** A schema as it is checked: what asserts something, in shapes that the validator takes. */
export type LeanSchema = Schema

/** What was found on the way. */
export type SchemaFindings = {
  /** Something that it asserts is not checked, so that more fits than it says. */
  isLoose: boolean
  /** Elements of some list must differ: they are compared two by two. */
  hasUnique: boolean
  /** It has names that every object of JavaScript inherits. */
  hasInheritedName: boolean
}

type Walk = SchemaFindings & { nodes: number; readonly draft: string }
type Source = Readonly<Record<string, unknown>>

/** Deeper or larger nobody writes by hand; such a schema is not checked. */
const MOST_DEPTH = 100
const MOST_NODES = 20_000

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const ONE = new Set([
  ...['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'unevaluatedItems'],
  ...['contains', 'propertyNames', 'not', 'if', 'then', 'else'],
])
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAP = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
const COUNTS = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
])
const TEXTS = new Set(['$ref', '$id', '$anchor', '$recursiveRef'])
/** They assert something that is not checked: a format is what the server understands by it. */
const LEFT_OUT = new Set(['format', '$dynamicRef', 'contentEncoding', 'contentMediaType'])

/**
 * Patterns whose time grows with the length of a text alone: from its begin on, characters, escapes and classes one
 * after the other, one of them at most repeated a number of times that is not fixed. One class may have 200 characters.
 */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[dDwWsS.\-/\\+*?()[\]{}|$^]|\.|\[(?:[^\\\]]|\\.){1,200}\])`
const TAME = new RegExp(
  String.raw`^\^(?:${ATOM}(?:\{\d{1,2}\})?)*(?:${ATOM}(?:[*+?]|\{\d{1,4},(?:\d{1,4})?\})(?:${ATOM}(?:\{\d{1,2}\})?)*)?\$?$`,
)
const LONGEST_TAME = 200

/** Copies what of a schema asserts something, keyword by keyword. Throws for one that is too deep or too large. */
export function leanSchema(
  schema: unknown,
  draft: string,
): { readonly lean: LeanSchema; readonly findings: SchemaFindings } {
  const walk: Walk = {
    ...{ isLoose: false, hasUnique: false, hasInheritedName: false, nodes: 0, draft },
  }
  const lean = copyOf(schema, walk, 0)
  return { lean: typeof lean === 'boolean' ? {} : lean, findings: walk }
}

function copyOf(schema: unknown, walk: Walk, depth: number): LeanSchema | boolean {
  walk.nodes += 1
  if (depth > MOST_DEPTH || walk.nodes > MOST_NODES)
    throw new RangeError('The schema is too large to check.')
  if (typeof schema === 'boolean') return schema
  if (!isSource(schema)) {
    walk.isLoose = true
    return true
  }
  const lean: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copyKeyword(lean, key, value, walk, depth)
  // Without its patterns, what they allow would count as unknown.
  if ('patternProperties' in schema && !('patternProperties' in lean))
    delete lean.additionalProperties
  if (schema.nullable === true) allowNull(lean)
  return lean
}

function copyKeyword(
  lean: Record<string, unknown>,
  key: string,
  value: unknown,
  walk: Walk,
  depth: number,
): void {
  const inner = (one: unknown): LeanSchema | boolean => copyOf(one, walk, depth + 1)
  if (LEFT_OUT.has(key)) walk.isLoose = true
  else if (key === 'patternProperties') copyPatterns(lean, value, inner, walk)
  else if (key === 'dependencies' || key === 'dependentRequired')
    set(
      lean,
      key,
      mapped(value, walk, (one) => (isTexts(one) ? one : inner(one))),
      walk,
    )
  else if (MAP.has(key)) set(lean, key, mapped(value, walk, inner), walk)
  else if (ONE.has(key)) lean[key] = inner(value)
  else if (key === 'items') lean[key] = Array.isArray(value) ? value.map(inner) : inner(value)
  else if (LIST.has(key)) set(lean, key, branchesOf(value)?.map(inner), walk)
  else copyPlain(lean, key, value, walk)
}

/** What has no schema in it. */
function copyPlain(lean: Record<string, unknown>, key: string, value: unknown, walk: Walk): void {
  if (key === 'const') lean[key] = value
  else if (key === 'enum') set(lean, key, listOf(value), walk)
  else if (key === 'uniqueItems') copyUnique(lean, value, walk)
  else if (key === 'type') set(lean, key, typeOf(value), walk)
  else if (key === 'required') copyRequired(lean, value, walk)
  else if (key === 'pattern') copyPattern(lean, value, walk)
  else if (COUNTS.has(key)) set(lean, key, isCount(key, value, walk) ? value : undefined, walk)
  else if (TEXTS.has(key)) set(lean, key, textOf(value), walk)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** What is not of the shape that the validator takes (undefined) is left out. */
function set(
  lean: Record<string, unknown>,
  key: string,
  value: unknown,
  walk: SchemaFindings,
): void {
  if (value === undefined) walk.isLoose = true
  else lean[key] = value
}

function mapped(
  value: unknown,
  walk: Walk,
  copy: (one: unknown) => unknown,
): Record<string, unknown> | undefined {
  if (!isSource(value)) return undefined
  const copied = Object.create(null) as Record<string, unknown>
  for (const [key, one] of Object.entries(value)) {
    noteName(key, walk)
    copied[key] = copy(one)
  }
  return copied
}

function copyUnique(lean: Record<string, unknown>, value: unknown, walk: SchemaFindings): void {
  lean.uniqueItems = value === true
  if (value === true) walk.hasUnique = true
}

function copyRequired(lean: Record<string, unknown>, value: unknown, walk: Walk): void {
  if (isTexts(value)) for (const name of value) noteName(name, walk)
  // `true` stands at many a property, as draft 3 had it.
  set(lean, 'required', isTexts(value) ? value : undefined, walk)
}

function copyPattern(lean: Record<string, unknown>, value: unknown, walk: Walk): void {
  set(lean, 'pattern', isPattern(value) ? value : undefined, walk)
}

function copyPatterns(
  lean: Record<string, unknown>,
  value: unknown,
  inner: (one: unknown) => LeanSchema | boolean,
  walk: Walk,
): void {
  const copied = mapped(value, walk, inner)
  const patterns = Object.keys(copied ?? {})
  set(lean, 'patternProperties', patterns.every(isPattern) ? copied : undefined, walk)
}

function allowNull(lean: Record<string, unknown>): void {
  if (lean.type !== undefined) lean.type = [lean.type, 'null'].flat()
  if (Array.isArray(lean.enum)) lean.enum = [...(lean.enum as unknown[]), null]
}

function noteName(name: string, walk: SchemaFindings): void {
  if (name in Object.prototype) walk.hasInheritedName = true
}

/** Whether it is a pattern that cannot run away; others are ignored. */
function isPattern(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LONGEST_TAME || !TAME.test(value)) return false
  try {
    return new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function isCount(key: string, value: unknown, { draft }: Walk): boolean {
  if (draft === '4' && key.startsWith('exclusive')) return typeof value === 'boolean'
  return typeof value === 'number'
}

function typeOf(value: unknown): unknown {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  const areTypes = names.every((name) => typeof name === 'string' && TYPES.has(name))
  return areTypes && names.length > 0 ? value : undefined
}

/** At least one: of none nothing could fit, which nobody means. */
function branchesOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
