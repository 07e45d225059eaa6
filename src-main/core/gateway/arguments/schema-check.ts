import { isDeepStrictEqual } from 'node:util'

import type { SchemaProblem } from '../../../../src-shared/domain/agents/tool-run'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { referenced } from './referenced'
import { tamePattern } from './tame-pattern'
import {
  choiceWords,
  isType,
  missingSentence,
  nearestHint,
  type Path,
  placeOf,
  quoted,
  type Reader,
  shownValue,
  typeWords,
  unknownSentence,
  unwrapHint,
  valueWords,
} from './wording'

/** A check that would block the main thread was given up. */
export class BudgetError extends Error {
  override readonly message = 'the schema takes too long to check for these values'
}

type Fault = { readonly keyword: string; readonly path: Path; readonly message: string }
/** What a value has against it; unsure where a part of the schema was not checked, so that less may fit than it seems. */
type Outcome = { readonly faults: Fault[]; isUnsure: boolean }
type Limit = readonly [keyword: string, words: string, fits: Fits]
type Fits = (value: number, limit: number) => boolean

/** How the whole value is called, and how many faults are reported. */
const WHOLE: Readonly<Record<Reader, string>> = {
  ...{ model: 'The arguments', user: 'The structured content' },
}
const MOST_FAULTS: Readonly<Record<Reader, number>> = { model: 6, user: 50 }
/** Steps of one check: up to some 150 ms for a schema that is made to take long, some 2 µs for a usual one. */
const MOST_STEPS = 500_000
/** Levels of schema and value: a schema may lead back to itself. */
const MOST_DEPTH = 500
/** Values of an enumeration, and characters of a text, that take as long as a step. */
const VALUES_PER_STEP = 4
const CHARACTERS_PER_STEP = 500
const SHOWN_PATTERN = 200
/** A format is what the server understands by it; the others are rare, and their server checks them. */
const UNCHECKED = [
  ...['format', 'contentEncoding', 'contentMediaType', 'contains', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'dependencies', 'dependentRequired', 'dependentSchemas'],
]
/** Keywords that tell the branches of a choice apart. */
const DISTINCTIVE = new Set(['type', 'const', 'enum', 'false'])
const isAtLeast: Fits = (value, limit) => value >= limit
const isAtMost: Fits = (value, limit) => value <= limit
const NUMBERS: readonly Limit[] = [
  ['minimum', 'at least', isAtLeast],
  ['maximum', 'at most', isAtMost],
  ['exclusiveMinimum', 'more than', (value, limit) => value > limit],
  ['exclusiveMaximum', 'less than', (value, limit) => value < limit],
  ['multipleOf', 'a multiple of', (value, step) => isWhole(value / step)],
]
const LENGTH = sizeLimits('Length')
const ITEMS = sizeLimits('Items')
const PROPERTIES = sizeLimits('Properties')
const NONE: readonly never[] = []
const NO_MEMBERS: JsonObject = {}

/** What of a value does not fit a schema, each with place, what was expected and what came; empty where all fits. Throws a `BudgetError`, or where the schema is broken. */
export function findProblems(
  schema: unknown,
  value: unknown,
  reader: Reader = 'user',
): SchemaProblem[] {
  const problems = new SchemaCheck(schema, reader).faultsOf(value).map(({ path, message }) => {
    // As RFC 6901 writes a place.
    const steps = path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
    return { path: steps.map((step) => `/${step}`).join(''), message }
  })
  return [...new Map(problems.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

/** The steps that several checks may take together. */
export class CheckBudget {
  #left = MOST_STEPS

  /** Throws a `BudgetError` when all are spent. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetError()
  }
}

/** Whether nothing speaks against a value of a part of a schema; `root` is what its references lead into. Throws as `findProblems` does. */
export function fitsSchema(
  schema: unknown,
  value: unknown,
  root: unknown,
  budget: CheckBudget,
): boolean {
  return new SchemaCheck(root, 'model', budget, 1).faultsOf(value, schema).length === 0
}

/** One bounded walk over a schema (drafts 6 to 2020-12) and a value. What can't be read of a schema asserts nothing, and no negation of it holds. */
class SchemaCheck {
  readonly #patterns = new Map<string, RegExp | undefined>()
  readonly #path: (string | number)[] = []
  #outcome: Outcome = { faults: [], isUnsure: false }
  #depth = 0

  constructor(
    private readonly root: unknown,
    private readonly reader: Reader,
    private readonly budget = new CheckBudget(),
    private readonly mostFaults = MOST_FAULTS[reader],
  ) {}

  faultsOf(value: unknown, schema = this.root): readonly Fault[] {
    this.#visit(schema, value)
    return this.#outcome.faults
  }

  #visit(schema: unknown, value: unknown): void {
    this.#spend(1)
    if (this.#depth > MOST_DEPTH) throw new BudgetError()
    if (schema === true || this.#outcome.faults.length >= this.mostFaults) return
    if (schema === false) this.#fault('false', `${this.#subject} is not allowed.`)
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
      const target = this.#targetOf(reference)
      if (target === undefined) this.#outcome.isUnsure = true
      else this.#visit(target, value)
    }
    for (const keyword of UNCHECKED) if (keyword in schema) this.#outcome.isUnsure = true
    if (!this.#isOfType(schema, value)) return
    this.#compare(schema, value)
    this.#combine(schema, value)
    if (typeof value === 'number') this.#limit(NUMBERS, schema, value)
    else if (typeof value === 'string') this.#text(schema, value)
    else if (Array.isArray(value)) this.#list(schema, value)
    else if (isJsonObject(value)) this.#object(schema, value)
  }

  #inside(step: string | number, schema: unknown, value: unknown): void {
    this.#path.push(step)
    this.#visit(schema, value)
    this.#path.pop()
  }

  /** What a value has against it, without that counting. */
  #try(schema: unknown, value: unknown): Outcome {
    const before = this.#outcome
    const tried = (this.#outcome = { faults: [], isUnsure: false })
    this.#visit(schema, value)
    this.#outcome = before
    return tried
  }

  #isOfType({ type }: JsonObject, value: unknown): boolean {
    const types: readonly unknown[] = [type].flat()
    if (type === undefined || types.some((one) => isOf(one, value))) return true
    if (types.length > 0 && types.every((one) => isType(one))) {
      this.#misfit('type', `be ${typeWords(types)}`, value, unwrapHint(value, types, this.reader))
      return false
    }
    this.#outcome.isUnsure = true
    return true
  }

  #compare(schema: JsonObject, value: unknown): void {
    const { enum: all, const: only } = schema
    const values = this.#listOf(all)
    this.#spend(values.length / VALUES_PER_STEP)
    if (values.length > 0 && !values.some((one) => isSame(one, value))) {
      const hint = nearestHint(value, values, this.reader)
      this.#misfit('enum', `be ${valueWords(values)}`, value, hint)
    }
    if (only !== undefined && !isSame(only, value))
      this.#misfit('const', `be ${valueWords([only])}`, value)
  }

  #combine(schema: JsonObject, value: unknown): void {
    const { allOf, anyOf, oneOf, not, if: condition } = schema
    for (const one of this.#listOf(allOf)) this.#visit(one, value)
    if (anyOf !== undefined) this.#choose('anyOf', schema, value)
    if (oneOf !== undefined) this.#choose('oneOf', schema, value)
    if (not !== undefined) {
      const { faults, isUnsure } = this.#try(not, value)
      if (isUnsure) this.#outcome.isUnsure = true
      else if (faults.length === 0) {
        const shown = this.#shown(value)
        this.#fault('not', `${this.#subject} has a value that is not allowed: ${shown}.`)
      }
    }
    if (condition === undefined) return
    const { faults, isUnsure } = this.#try(condition, value)
    if (faults.length > 0) this.#visit(schema.else ?? true, value)
    else if (isUnsure) this.#outcome.isUnsure = true
    else this.#visit(schema.then ?? true, value)
  }

  /** Reports of a choice that nothing fits the faults of the only branch whose type the value has, as these are further in. */
  #choose(keyword: 'anyOf' | 'oneOf', schema: JsonObject, value: unknown): void {
    const branches = this.#listOf(schema[keyword])
    const outcomes = branches.map((branch) => this.#try(branch, value))
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
    else {
      const hint = unwrapHint(value, schema.type, this.reader)
      this.#misfit(keyword, `be ${choiceWords(branches)}`, value, hint)
    }
  }

  #text(schema: JsonObject, value: string): void {
    const { minLength, maxLength, pattern } = schema
    if (minLength !== undefined || maxLength !== undefined) {
      this.#spend(value.length / CHARACTERS_PER_STEP)
      const isPlain = !/[\uD800-\uDFFF]/.test(value)
      this.#limit(LENGTH, schema, isPlain ? value.length : Array.from(value).length, 'character')
    }
    if (pattern === undefined) return
    this.#spend(value.length / CHARACTERS_PER_STEP)
    const tame = this.#tame(pattern)
    if (!tame) this.#outcome.isUnsure = true
    else if (!tame.test(value)) {
      const shown = quoted(pattern as string, SHOWN_PATTERN)
      this.#misfit('pattern', `match the pattern ${shown}`, value)
    }
  }

  #list(schema: JsonObject, value: readonly unknown[]): void {
    const { prefixItems, items, additionalItems, uniqueItems } = schema
    this.#limit(ITEMS, schema, value.length, 'element')
    // A list of schemas stands in `items` up to 2019-09.
    const isTuple = Array.isArray(items)
    const first = this.#listOf(isTuple ? items : prefixItems)
    const others = isTuple ? additionalItems : items
    for (const [at, one] of value.entries()) {
      const own = at < first.length ? first[at] : others
      if (own === undefined) break
      this.#inside(at, own, one)
    }
    if (uniqueItems !== true) return
    this.#spend(value.length ** 2)
    if (value.some((one, at) => value.some((other, place) => place > at && isSame(one, other))))
      this.#fault('uniqueItems', `${this.#subject} must not contain duplicate elements.`)
  }

  #object(schema: JsonObject, value: JsonObject): void {
    const { required, properties, propertyNames } = schema
    const keys = Object.keys(value)
    this.#limit(PROPERTIES, schema, keys.length, 'field')
    const known = this.#mapOf(properties)
    // `true` stands at many a property, as draft 3 had it.
    const names = this.#listOf(required).filter((name) => typeof name === 'string')
    this.#spend(names.length)
    const missing = names.filter((name) => !Object.hasOwn(value, name))
    if (missing.length > 0)
      this.#fault('required', missingSentence(this.#path, missing, known, value, this.reader))
    for (const [key, one] of Object.entries(known))
      if (Object.hasOwn(value, key)) this.#inside(key, one, value[key])
    this.#others(schema, known, value)
    if (propertyNames !== undefined) for (const key of keys) this.#inside(key, propertyNames, key)
  }

  /** The fields that the schema has by pattern, and those that it does not have. */
  #others(schema: JsonObject, known: JsonObject, value: JsonObject): void {
    const { additionalProperties, patternProperties } = schema
    if (additionalProperties === undefined && patternProperties === undefined) return
    const keys = Object.keys(value)
    const patterns = Object.entries(this.#mapOf(patternProperties)).map(([pattern, one]) => {
      return [this.#tame(pattern), one] as const
    })
    this.#spend(keys.length * (1 + patterns.length))
    // Without one of its patterns, what that allows would count as unknown.
    const isUnsure = patterns.some(([pattern]) => !pattern)
    this.#outcome.isUnsure ||= isUnsure
    for (const key of keys) {
      const own = patterns.filter(([pattern]) => pattern?.test(key))
      for (const [, one] of own) this.#inside(key, one, value[key])
      const isOwn = isUnsure || own.length > 0 || Object.hasOwn(known, key)
      if (isOwn || additionalProperties === undefined) continue
      if (additionalProperties !== false) this.#inside(key, additionalProperties, value[key])
      else {
        const path = [...this.#path, key]
        const message = unknownSentence(path, Object.keys(known), value, this.reader)
        this.#outcome.faults.push({ keyword: 'unknown', path, message })
      }
    }
  }

  #limit(limits: readonly Limit[], schema: JsonObject, size: number, unit = ''): void {
    for (const [keyword, words, fits] of limits) {
      const limit = schema[keyword]
      if (limit === undefined) continue
      if (typeof limit !== 'number') this.#outcome.isUnsure = true
      else if (!fits(size, limit)) {
        const units = `${limit} ${unit}${limit === 1 ? '' : 's'}`
        if (unit === '') this.#misfit(keyword, `be ${words} ${limit}`, size)
        else this.#fault(keyword, `${this.#subject} must have ${words} ${units}, got ${size}.`)
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

  #targetOf(reference: unknown): unknown {
    this.#spend(1)
    return referenced(reference, this.root)
  }

  /** A pattern that cannot run away; others are ignored. */
  #tame(pattern: unknown): RegExp | undefined {
    if (typeof pattern !== 'string') return undefined
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, tamePattern(pattern))
    return this.#patterns.get(pattern)
  }

  #spend(steps: number): void {
    this.budget.spend(steps)
  }

  #misfit(keyword: string, wanted: string, value: unknown, hint = ''): void {
    this.#fault(keyword, `${this.#subject} must ${wanted}, got ${this.#shown(value)}.${hint}`)
  }

  #fault(keyword: string, message: string): void {
    this.#outcome.faults.push({ keyword, path: [...this.#path], message })
  }

  get #subject(): string {
    return placeOf(this.#path) || WHOLE[this.reader]
  }

  #shown(value: unknown): string {
    return shownValue(value, this.#path.at(-1))
  }
}

function sizeLimits(what: string): readonly Limit[] {
  return [
    [`min${what}`, 'at least', isAtLeast],
    [`max${what}`, 'at most', isAtMost],
  ]
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

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && isDeepStrictEqual(one, other))
}
