import { dereference, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema'

import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** A schema of a server in the shapes that the validator takes, without what asserts nothing or isn't checked. */
export type PreparedSchema = {
  readonly schema: Schema
  readonly draft: SchemaDraft
  /** Every part that a `$ref` may name, by its address. */
  readonly parts: Record<string, Schema | boolean>
  /** Steps that are left for the validation under way. */
  readonly budget: { left: number }
  /** Elements of some list must differ: they are compared two by two. */
  readonly hasUnique: boolean
  /** It names members that every object of JavaScript inherits. */
  readonly hasInheritedName: boolean
}

/** A validation that would block the main thread was given up. */
export class BudgetError extends Error {}

/** Steps of one validation: some 50 ms for a schema that is made to take long, some 5 µs for a usual one. */
const MOST_STEPS = 500_000
/** Values of an enumeration that take as long as a step. */
const VALUES_PER_STEP = 4
/** A deeper or larger schema is not checked. */
const MOST_DEPTH = 100
const MOST_NODES = 20_000
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const INHERITED = Object.getOwnPropertyNames(Object.prototype)

/**
 * Patterns whose time grows with the length of a text alone: from its begin on, characters, escapes and classes one
 * after the other, one of them at most repeated a number of times that is not fixed. One class may have 200 characters.
 */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[dDwWsS.\-/\\+*?()[\]{}|$^]|\.|\[(?:[^\\\]]|\\.){1,200}\])`
const TAME = new RegExp(
  String.raw`^\^(?:${ATOM}(?:\{\d{1,2}\})?)*(?:${ATOM}(?:[*+?]|\{\d{1,4},(?:\d{1,4})?\})(?:${ATOM}(?:\{\d{1,2}\})?)*)?\$?$`,
)
const LONGEST_TAME = 200

type Walk = {
  readonly draft: SchemaDraft
  nodes: number
  depth: number
  /** Something that the schema asserts is not checked, so that more fits than it says. */
  isLoose: boolean
}

/** Copies the value of a keyword; undefined for one of a shape that the validator doesn't take. */
type Copy = (value: unknown, walk: Walk) => unknown

const text: Copy = (value) => (typeof value === 'string' ? value : undefined)
const count: Copy = (value) => (typeof value === 'number' ? value : undefined)
const exclusive: Copy = (value, { draft }) =>
  typeof value === (draft === '4' ? 'boolean' : 'number') ? value : undefined
const texts: Copy = (value) => (isTexts(value) ? value : undefined)
/** Of no branches nothing could fit, which nobody means. */
const branches: Copy = (value, walk) =>
  Array.isArray(value) && value.length > 0 ? value.map((one) => copyOf(one, walk)) : undefined
const members: Copy = (value, walk) => mapped(value, (one) => copyOf(one, walk))
const dependencies: Copy = (value, walk) =>
  mapped(value, (one) => (isTexts(one) ? one : copyOf(one, walk)))
const patterns: Copy = (value, walk) => {
  const areTame = isJsonObject(value) && Object.keys(value).every(isTame)
  return areTame ? members(value, walk) : undefined
}
/** A format is what the server understands by it. */
const unchecked: Copy = () => undefined

const KEYWORDS: ReadonlyMap<string, Copy> = new Map<string, Copy>([
  ...each(['format', '$dynamicRef', 'contentEncoding', 'contentMediaType'], unchecked),
  ...each(['$ref', '$id', '$anchor', '$recursiveRef'], text),
  ...each(['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength'], count),
  ...each(['minItems', 'maxItems', 'minProperties', 'maxProperties'], count),
  ...each(['minContains', 'maxContains'], count),
  ...each(['exclusiveMinimum', 'exclusiveMaximum'], exclusive),
  ...each(['additionalProperties', 'unevaluatedProperties', 'additionalItems'], copyOf),
  ...each(['unevaluatedItems', 'contains', 'propertyNames'], copyOf),
  ...each(['not', 'if', 'then', 'else'], copyOf),
  ...each(['allOf', 'anyOf', 'oneOf', 'prefixItems'], branches),
  ...each(['properties', '$defs', 'definitions', 'dependentSchemas'], members),
  ...each(['dependencies', 'dependentRequired'], dependencies),
  ['patternProperties', patterns],
  ['items', (value, walk) => branches(value, walk) ?? copyOf(value, walk)],
  ['const', (value) => value],
  ['enum', (value) => (Array.isArray(value) ? value : undefined)],
  ['uniqueItems', (value) => value === true],
  ['type', typeOf],
  // `true` stands at many a property, as draft 3 had it.
  ['required', texts],
  ['pattern', (value) => (typeof value === 'string' && isTame(value) ? value : undefined)],
])

/** Reads a schema of any draft from 4 to 2020-12, which is taken where it names none (MCP). Throws where it cannot be read. */
export function prepareSchema(given: unknown): PreparedSchema {
  const draft = draftOf(given)
  const walk: Walk = { draft, nodes: 0, depth: 0, isLoose: false }
  const copied = copyOf(given, walk)
  const schema = typeof copied === 'boolean' ? {} : copied
  const json = JSON.stringify(schema)
  const parts = dereference(schema)
  const all = Object.values(parts).filter((part) => typeof part !== 'boolean')
  for (const part of all) {
    const target = targetOf(part)
    if (target === undefined || parts[target] !== undefined) continue
    // A reference to nowhere asserts nothing.
    delete part.$ref
    walk.isLoose = true
  }
  const budget = { left: MOST_STEPS }
  for (const part of all) {
    if (walk.isLoose) loosen(part)
    countSteps(part, budget)
  }
  return {
    ...{ schema, draft, parts, budget },
    hasUnique: json.includes('"uniqueItems":true'),
    hasInheritedName: INHERITED.some((name) => json.includes(JSON.stringify(name))),
  }
}

/** Validates a value; stops at the first error with `isQuick`. Throws a `BudgetError` where that takes too long. */
export function validateWith(
  { schema, draft, parts, budget, hasUnique }: PreparedSchema,
  value: unknown,
  isQuick: boolean,
): ReturnType<typeof validate> {
  budget.left = MOST_STEPS - (hasUnique ? longestList(value) ** 2 : 0)
  return validate(value, schema, draft, parts, isQuick)
}

/** The address of what a part refers to, as the validator looks it up. */
export function targetOf({ $ref, __absolute_ref__: absolute }: Schema): string | undefined {
  return $ref === undefined ? undefined : (absolute ?? $ref)
}

function copyOf(schema: unknown, walk: Walk): Schema | boolean {
  walk.nodes += 1
  if (walk.depth > MOST_DEPTH || walk.nodes > MOST_NODES)
    throw new RangeError('The schema is too large to check.')
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema)) {
    walk.isLoose = true
    return true
  }
  const copy: Record<string, unknown> = {}
  walk.depth += 1
  for (const [key, value] of Object.entries(schema)) {
    const keyword = KEYWORDS.get(key)
    if (!keyword) continue
    const copied = keyword(value, walk)
    if (copied === undefined) walk.isLoose = true
    else copy[key] = copied
  }
  walk.depth -= 1
  // Without its patterns, what they allow would count as unknown.
  if ('patternProperties' in schema && !('patternProperties' in copy))
    delete copy.additionalProperties
  if (schema.nullable === true) {
    if (copy.type !== undefined) copy.type = [copy.type, 'null'].flat()
    if (Array.isArray(copy.enum)) copy.enum = [...(copy.enum as unknown[]), null]
  }
  return copy
}

function each(keys: readonly string[], copy: Copy): [string, Copy][] {
  return keys.map((key) => [key, copy])
}

function mapped(
  value: unknown,
  copy: (one: unknown) => unknown,
): Record<string, unknown> | undefined {
  if (!isJsonObject(value)) return undefined
  const copied = Object.create(null) as Record<string, unknown>
  for (const [key, one] of Object.entries(value)) copied[key] = copy(one)
  return copied
}

function typeOf(value: unknown): unknown {
  const names: readonly unknown[] = [value].flat()
  const areTypes = names.every((name) => typeof name === 'string' && TYPES.has(name))
  return areTypes && names.length > 0 ? value : undefined
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** Whether a pattern cannot run away; others are ignored. */
function isTame(pattern: string): boolean {
  if (pattern.length > LONGEST_TAME || !TAME.test(pattern)) return false
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

function draftOf(schema: unknown): SchemaDraft {
  const named = isJsonObject(schema) ? schema.$schema : undefined
  if (typeof named !== 'string') return '2020-12'
  if (named.includes('draft-04')) return '4'
  if (named.includes('draft-06') || named.includes('draft-07')) return '7'
  return named.includes('2019-09') ? '2019-09' : '2020-12'
}

/** Where less is checked than the schema asserts, a negation would let less pass than it says. */
function loosen(part: Schema): void {
  const { oneOf } = part
  if (oneOf !== undefined) {
    delete part.oneOf
    // Both may be there.
    part.anyOf ??= oneOf
  }
  delete part.not
  delete part.if
  delete part.maxContains
  delete part.unevaluatedProperties
  delete part.unevaluatedItems
}

/** Takes steps from the budget with each visit: the validator reads this keyword of every part, and none has it. */
function countSteps(part: Schema, budget: { left: number }): void {
  const { required = [], enum: values = [] } = part
  const steps = 1 + required.length + Math.ceil(values.length / VALUES_PER_STEP)
  Object.defineProperty(part, '$recursiveAnchor', {
    get: (): undefined => {
      budget.left -= steps
      if (budget.left < 0)
        throw new BudgetError('the schema takes too long to check for these values')
      return undefined
    },
  })
}

function longestList(value: unknown): number {
  let longest = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one)) longest = Math.max(longest, one.length)
    for (const inner of Object.values(one)) waiting.push(inner)
  }
  return longest
}
