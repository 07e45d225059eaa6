import { isJsonObject, type JsonObject } from '../domain/json-object'
import { BudgetError, CheckBudget } from './check-budget'
import { isFormat } from './formats'
import { refSteps, resolveRef } from './resolve-ref'
import { type SafePattern, safePattern } from './safe-pattern'
import { isSameJson } from './same-json'

/** Path from the checked value to a nested one: keys and list indexes. */
export type Path = readonly (string | number)[]

/** A schema keyword that a value violates. */
export type SchemaFault = {
  /** Name in JSON Schema; `false` for a schema that allows nothing. */
  readonly keyword: string
  readonly path: Path
  /** Value of the keyword; for `required` and `dependentRequired` the missing names. */
  readonly wanted: unknown
  /** The actual value. */
  readonly value: unknown
  /** The schema with the keyword. */
  readonly schema: JsonObject
  /** Number of characters, elements or members, if that is the fault. */
  readonly size?: number
  /** The object with the unknown member, if that is the fault. */
  readonly object?: JsonObject
  /** Faults of each branch of `anyOf` or `oneOf`. */
  readonly branches?: readonly (readonly SchemaFault[])[]
}

/** Faults of a value. `isUnsure` if a part of the schema was not checked, so that more faults are possible. */
export type SchemaCheck = { readonly faults: readonly SchemaFault[]; readonly isUnsure: boolean }

export type SchemaCheckOptions = {
  /** Document that references point into; the schema itself by default. */
  readonly root?: unknown
  readonly budget?: CheckBudget
  /** Number of faults that ends the check. */
  readonly maxFaults?: number
  /** Whether to check `format`, which otherwise only the server interprets. */
  readonly checksFormats?: boolean
}

type Outcome = { readonly faults: SchemaFault[]; isUnsure: boolean }
type Fits = (value: number, limit: number) => boolean

/** Maximum depth of schema and value, because a schema may refer to itself. */
const MAX_DEPTH = 500
/** Enumeration values, and characters of a text, that cost one step. */
const VALUES_PER_STEP = 4
const CHARACTERS_PER_STEP = 500
/** Characters that a pattern reads per step in the worst case, mostly repeatedly. */
const MATCHED_PER_STEP = 100
/** Keywords that are left to the server. */
const UNCHECKED = [
  'contentEncoding',
  'contentMediaType',
  'unevaluatedItems',
  'unevaluatedProperties',
]
/** Keywords that distinguish the branches of a choice. */
const DISTINCTIVE = new Set(['type', 'const', 'enum', 'false'])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const isAtLeast: Fits = (value, limit) => value >= limit
const isAtMost: Fits = (value, limit) => value <= limit
const NUMBERS: readonly (readonly [string, Fits])[] = [
  ['minimum', isAtLeast],
  ['maximum', isAtMost],
  ['exclusiveMinimum', (value, limit) => value > limit],
  ['exclusiveMaximum', (value, limit) => value < limit],
  ['multipleOf', (value, step) => isWhole(value / step)],
]
const NONE: readonly never[] = []
const NO_MEMBERS: JsonObject = {}

/**
 * Validates a value against a schema (JSON Schema, drafts 6 to 2020-12, and `nullable` of OpenAPI) in bounded time and without running code
 * of the schema. An unreadable part asserts nothing, and neither does its negation. Throws a `BudgetError`.
 */
export function checkSchema(
  schema: unknown,
  value: unknown,
  options: SchemaCheckOptions = {},
): SchemaCheck {
  return new Walk(schema, options).check(schema, value)
}

/** Whether a value is the name of a JSON Schema type. */
export function isSchemaType(type: unknown): boolean {
  return typeof type === 'string' && TYPES.has(type)
}

class Walk {
  readonly #patterns = new Map<string, SafePattern | undefined>()
  readonly #path: (string | number)[] = []
  readonly #root: unknown
  readonly #budget: CheckBudget
  readonly #maxFaults: number
  readonly #checksFormats: boolean
  #outcome: Outcome = { faults: [], isUnsure: false }
  #depth = 0

  constructor(schema: unknown, options: SchemaCheckOptions) {
    this.#root = options.root ?? schema
    this.#budget = options.budget ?? new CheckBudget()
    this.#maxFaults = options.maxFaults ?? Infinity
    this.#checksFormats = options.checksFormats ?? false
  }

  check(schema: unknown, value: unknown): SchemaCheck {
    this.#visit(schema, value)
    return this.#outcome
  }

  #visit(schema: unknown, value: unknown): void {
    this.#spend(1)
    if (this.#depth > MAX_DEPTH) throw new BudgetError()
    if (schema === true || this.#outcome.faults.length >= this.#maxFaults) return
    if (schema === false) this.#fault('false', NO_MEMBERS, value)
    else if (!isJsonObject(schema)) this.#outcome.isUnsure = true
    else if (schema.nullable !== true || value !== null) {
      this.#depth += 1
      this.#keywords(schema, value)
      this.#depth -= 1
    }
  }

  #keywords(schema: JsonObject, value: unknown): void {
    const reference = schema.$ref ?? schema.$recursiveRef ?? schema.$dynamicRef
    if (reference !== undefined) {
      this.#spend(refSteps(reference))
      const target = resolveRef(this.#root, reference)
      if (target === undefined) this.#outcome.isUnsure = true
      else this.#visit(target, value)
    }
    for (const keyword of UNCHECKED) if (keyword in schema) this.#outcome.isUnsure = true
    if (!this.#isOfType(schema, value)) return
    this.#compare(schema, value)
    this.#combine(schema, value)
    if (typeof value === 'number') this.#number(schema, value)
    else if (typeof value === 'string') this.#text(schema, value)
    else if (Array.isArray(value)) this.#list(schema, value)
    else if (isJsonObject(value)) this.#object(schema, value)
  }

  #inside(step: string | number, schema: unknown, value: unknown): void {
    this.#path.push(step)
    this.#visit(schema, value)
    this.#path.pop()
  }

  /** Returns the outcome for a value without adding it to the result. */
  #try(schema: unknown, value: unknown): Outcome {
    const before = this.#outcome
    const tried = (this.#outcome = { faults: [], isUnsure: false })
    this.#visit(schema, value)
    this.#outcome = before
    return tried
  }

  #isOfType(schema: JsonObject, value: unknown): boolean {
    const types: readonly unknown[] = [schema.type].flat()
    if (schema.type === undefined || types.some((one) => isOf(one, value))) return true
    if (types.length > 0 && types.every(isSchemaType)) {
      this.#fault('type', schema, value)
      return false
    }
    this.#outcome.isUnsure = true
    return true
  }

  #compare(schema: JsonObject, value: unknown): void {
    const { enum: all, const: only } = schema
    const values = this.#listOf(all)
    this.#spend(values.length / VALUES_PER_STEP)
    if (values.length > 0 && !values.some((one) => isSameJson(one, value)))
      this.#fault('enum', schema, value)
    if (only !== undefined && !isSameJson(only, value)) this.#fault('const', schema, value)
  }

  #combine(schema: JsonObject, value: unknown): void {
    const { allOf, anyOf, oneOf, not, if: condition } = schema
    for (const one of this.#listOf(allOf)) this.#visit(one, value)
    if (anyOf !== undefined) this.#choose('anyOf', schema, value)
    if (oneOf !== undefined) this.#choose('oneOf', schema, value)
    if (not !== undefined) {
      const { faults, isUnsure } = this.#try(not, value)
      if (isUnsure) this.#outcome.isUnsure = true
      else if (faults.length === 0) this.#fault('not', schema, value)
    }
    if (condition === undefined) return
    const { faults, isUnsure } = this.#try(condition, value)
    if (faults.length > 0) this.#visit(schema.else ?? true, value)
    else if (isUnsure) this.#outcome.isUnsure = true
    else this.#visit(schema.then ?? true, value)
  }

  /** For a choice without a match, reports the faults of the only branch with the value's type, because these are more specific. */
  #choose(keyword: 'anyOf' | 'oneOf', schema: JsonObject, value: unknown): void {
    const outcomes = this.#listOf(schema[keyword]).map((branch) => this.#try(branch, value))
    const fitting = outcomes.filter(({ faults }) => faults.length === 0)
    const certain = fitting.filter(({ isUnsure }) => !isUnsure)
    const isExcess = keyword === 'oneOf' && certain.length > 1
    if (outcomes.length === 0 || (fitting.length > 0 && !isExcess)) {
      this.#outcome.isUnsure ||= certain.length === 0 || (keyword === 'oneOf' && fitting.length > 1)
      return
    }
    const depth = this.#path.length
    const [meant, ...others] = outcomes.filter(({ faults }) =>
      faults.every((one) => one.path.length > depth || !DISTINCTIVE.has(one.keyword)),
    )
    if (meant && others.length === 0) this.#outcome.faults.push(...meant.faults)
    else this.#fault(keyword, schema, value, { branches: outcomes.map(({ faults }) => faults) })
  }

  #number(schema: JsonObject, value: number): void {
    for (const [keyword, fits] of NUMBERS) {
      const limit = schema[keyword]
      if (limit === undefined) continue
      if (typeof limit !== 'number') this.#outcome.isUnsure = true
      else if (!fits(value, limit)) this.#fault(keyword, schema, value)
    }
  }

  #size(
    what: 'Length' | 'Items' | 'Properties',
    schema: JsonObject,
    value: unknown,
    size: number,
  ): void {
    for (const [keyword, fits] of [
      [`min${what}`, isAtLeast],
      [`max${what}`, isAtMost],
    ] as const) {
      const limit = schema[keyword]
      if (limit === undefined) continue
      if (typeof limit !== 'number') this.#outcome.isUnsure = true
      else if (!fits(size, limit)) this.#fault(keyword, schema, value, { size })
    }
  }

  #text(schema: JsonObject, value: string): void {
    const { minLength, maxLength, pattern, format } = schema
    if (minLength !== undefined || maxLength !== undefined) {
      this.#spend(value.length / CHARACTERS_PER_STEP)
      const isPlain = !/[\uD800-\uDFFF]/.test(value)
      this.#size('Length', schema, value, isPlain ? value.length : Array.from(value).length)
    }
    if (format !== undefined) this.#format(schema, value)
    if (pattern === undefined) return
    const fits = this.#matches(pattern, value)
    if (fits === undefined) this.#outcome.isUnsure = true
    else if (!fits) this.#fault('pattern', schema, value)
  }

  #format(schema: JsonObject, value: string): void {
    const fits = this.#checksFormats ? isFormat(schema.format, value) : undefined
    if (fits === false) this.#fault('format', schema, value)
    else if (!this.#checksFormats) this.#outcome.isUnsure = true
  }

  #list(schema: JsonObject, value: readonly unknown[]): void {
    const { prefixItems, items, additionalItems, uniqueItems } = schema
    this.#size('Items', schema, value, value.length)
    // Up to 2019-09, `items` can be a list of schemas.
    const isTuple = Array.isArray(items)
    const first = this.#listOf(isTuple ? items : prefixItems)
    const others = isTuple ? additionalItems : items
    for (const [at, one] of value.entries()) {
      const own = at < first.length ? first[at] : others
      if (own === undefined) break
      this.#inside(at, own, one)
    }
    if (schema.contains !== undefined) this.#contains(schema, value)
    if (uniqueItems !== true) return
    this.#spend(value.length ** 2)
    if (value.some((one, at) => value.some((other, place) => place > at && isSameJson(one, other))))
      this.#fault('uniqueItems', schema, value)
  }

  #contains(schema: JsonObject, value: readonly unknown[]): void {
    const { contains, minContains: least = 1, maxContains: most = Infinity } = schema
    if (typeof least !== 'number' || typeof most !== 'number') {
      this.#outcome.isUnsure = true
      return
    }
    const outcomes = value.map((one) => this.#try(contains, one))
    const fitting = outcomes.filter(({ faults }) => faults.length === 0)
    const certain = fitting.filter(({ isUnsure }) => !isUnsure).length
    if (fitting.length < least || certain > most) this.#fault('contains', schema, value)
    else this.#outcome.isUnsure ||= fitting.length > certain
  }

  #object(schema: JsonObject, value: JsonObject): void {
    const { required, properties, propertyNames } = schema
    const keys = Object.keys(value)
    this.#size('Properties', schema, value, keys.length)
    const known = this.#mapOf(properties)
    this.#lacks('required', required, schema, value)
    for (const [key, one] of Object.entries(known))
      if (Object.hasOwn(value, key)) this.#inside(key, one, value[key])
    this.#others(schema, known, value)
    this.#depend(schema, value)
    if (propertyNames !== undefined) for (const key of keys) this.#inside(key, propertyNames, key)
  }

  #lacks(keyword: string, names: unknown, schema: JsonObject, value: JsonObject): void {
    // Many properties have `true` here, from draft 3.
    const texts = this.#listOf(names).filter((name) => typeof name === 'string')
    this.#spend(texts.length)
    const missing = texts.filter((name) => !Object.hasOwn(value, name))
    if (missing.length > 0) this.#fault(keyword, schema, value, { wanted: missing })
  }

  /** Checks what a present member requires of the others; up to draft 7 `dependencies` is both in one. */
  #depend(schema: JsonObject, value: JsonObject): void {
    const { dependentRequired, dependentSchemas, dependencies } = schema
    for (const map of [dependentRequired, dependentSchemas, dependencies])
      for (const [key, one] of Object.entries(this.#mapOf(map)))
        if (Object.hasOwn(value, key)) {
          if (Array.isArray(one)) this.#lacks('dependentRequired', one, { key }, value)
          else this.#visit(one, value)
        }
  }

  /** Checks the fields that match a pattern, and the unknown ones. */
  #others(schema: JsonObject, known: JsonObject, value: JsonObject): void {
    const { additionalProperties, patternProperties } = schema
    if (additionalProperties === undefined && patternProperties === undefined) return
    const keys = Object.keys(value)
    const patterns = Object.entries(this.#mapOf(patternProperties))
    this.#spend(keys.length * (1 + patterns.length))
    for (const key of keys) {
      const own = patterns.map(([pattern, one]) => [this.#matches(pattern, key), one] as const)
      // Without one of its patterns, fields that it allows would count as unknown.
      const isUnsure = own.some(([fits]) => fits === undefined)
      this.#outcome.isUnsure ||= isUnsure
      const fitting = own.filter(([fits]) => fits === true)
      for (const [, one] of fitting) this.#inside(key, one, value[key])
      const isOwn = isUnsure || fitting.length > 0 || Object.hasOwn(known, key)
      if (isOwn || additionalProperties === undefined) continue
      if (additionalProperties !== false) this.#inside(key, additionalProperties, value[key])
      else {
        const path = [...this.#path, key]
        this.#fault('additionalProperties', schema, value[key], { path, object: value })
      }
    }
  }

  #listOf(value: unknown = NONE): readonly unknown[] {
    if (Array.isArray(value)) return value
    this.#outcome.isUnsure = true
    return NONE
  }

  #mapOf(value: unknown = NO_MEMBERS): JsonObject {
    this.#outcome.isUnsure ||= !isJsonObject(value)
    const map = isJsonObject(value) ? value : NO_MEMBERS
    this.#spend(Object.keys(map).length)
    return map
  }

  /** Whether a text matches a pattern; undefined if the pattern can't be tested in a short time. */
  #matches(pattern: unknown, text: string): boolean | undefined {
    if (typeof pattern !== 'string') return undefined
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, safePattern(pattern))
    const known = this.#patterns.get(pattern)
    if (known === undefined || text.length > known.maxTextLength) return undefined
    this.#spend(known.stepsFor(text.length) / MATCHED_PER_STEP)
    return known.expression.test(text)
  }

  #spend(steps: number): void {
    this.#budget.spend(steps)
  }

  #fault(
    keyword: string,
    schema: JsonObject,
    value: unknown,
    more: Partial<SchemaFault> = {},
  ): void {
    const wanted = schema[keyword]
    this.#outcome.faults.push({ keyword, path: [...this.#path], wanted, value, schema, ...more })
  }
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-7
}

function isOf(type: unknown, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
