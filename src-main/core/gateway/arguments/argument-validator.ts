import { type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser'

import { AppError } from '../../../../src-shared/domain/app-error'
import { attempt, jsonIn } from '../../../../src-shared/domain/attempt'
import { asList, isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { BudgetError, CheckBudget } from '../../../../src-shared/json-schema/check-budget'
import { isSchemaType } from '../../../../src-shared/json-schema/check-schema'
import { refSteps, resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { messageOf } from '../../failure/describe-failure'
import { keepNewest } from '../../lifecycle/keep-newest'
import { exactJson } from '../../mcp/json/exact-json'
import { isTooDeep, MAX_LEVELS } from '../../mcp/json/json-rpc'
import {
  findProblems,
  fitsSchema,
  nearKey,
  pathText,
  quoted,
  shownValue,
  unwrapped,
  unwrappedText,
} from './argument-messages'

export type ValidatedTool = {
  readonly exposedName: string
  readonly schema: unknown
  readonly hash: string
  readonly installationId?: string
}

/** Arguments as the agent wrote them, of any type. */
export type RawArguments = ParsedValue & {
  /** The JSON text that the arguments were parsed from; it may show what the parsed value can't. */
  readonly text?: string | undefined
  /** The path of the arguments within the text. */
  readonly path?: readonly string[]
}

/** Valid arguments, in the form to send. */
export type CheckedArguments = { readonly plain: JsonObject; readonly exact: JsonObject }

/** Maximum number of tools whose failures are counted; the oldest is dropped first. */
const MAX_KEPT = 500
/** Timeouts of a tool's validation after which its arguments are no longer validated. */
const MAX_FAILURES = 5
const LONGEST = 3_000
/** Maximum length of a text that is parsed to locate a fault. */
const MAX_PARSED_LENGTH = 1024 * 1024
const SHOWN_BEFORE = 30

/** The error for arguments that don't fit (C11): nothing was sent to a server. The message says what to fix. */
export class InvalidArgumentsError extends AppError {
  /** `faults`: sentences, each with place, expectation and actual value. */
  constructor(tool: string, faults: readonly string[]) {
    const all = faults.join(' ')
    const cut = all.length > LONGEST ? `${all.slice(0, LONGEST)}…` : all
    super('INVALID_VALUES', `Not sent: the arguments of ${tool} are invalid. ${cut}`, {
      hint: 'Correct the arguments and call again.',
    })
  }
}

/** Validates arguments against their tool's schema before a server gets them (C11), on the main thread and with a budget. */
export class ArgumentValidator {
  readonly #failures = new Map<string, number>()

  /** `onUnchecked`: a tool's arguments are sent without validation; reported once, as a sentence. */
  constructor(private readonly onUnchecked: (tool: ValidatedTool, message: string) => void) {}

  /** Returns the arguments to send, converted to the schema if they have exactly one meaning. Throws only `InvalidArgumentsError`. */
  check(tool: ValidatedTool, { text, path = [], ...given }: RawArguments): CheckedArguments {
    const { plain } = given
    if (!isJsonObject(plain)) throw new InvalidArgumentsError(tool.exposedName, [typeFault(plain)])
    const fault = text === undefined ? undefined : keyFault(text, path)
    if (fault !== undefined) throw new InvalidArgumentsError(tool.exposedName, [fault])
    const faults = this.#faults(tool, plain)
    if (faults.length === 0) return given as CheckedArguments
    // If finding that meaning exceeds the budget, the faults are reported.
    const meant = attempt(() => coercedArguments(tool.schema, given))
    if (!meant || meant === given) throw new InvalidArgumentsError(tool.exposedName, faults)
    return meant as CheckedArguments
  }

  #faults(tool: ValidatedTool, args: JsonObject): readonly string[] {
    const before = this.#failures.get(tool.hash) ?? 0
    if (before >= MAX_FAILURES) return []
    try {
      return findProblems(tool.schema, args, 'model').map(({ message }) => message)
    } catch (error) {
      const failures = error instanceof BudgetError ? before + 1 : Math.max(before, 1)
      keepNewest(this.#failures, tool.hash, failures, MAX_KEPT)
      if (before === 0 || failures === MAX_FAILURES) {
        const reason = messageOf(error)
        this.onUnchecked(tool, `Arguments of ${tool.exposedName} are sent unchecked: ${reason}.`)
      }
      return []
    }
  }
}

/** Normalizes arguments: null, or PHP's empty list, means none; the JSON text of an object means that object. */
export function normalizedArguments({ plain, exact, ...where }: RawArguments): RawArguments {
  if (plain === undefined || plain === null || (Array.isArray(plain) && plain.length === 0))
    return { plain: {}, exact: {}, ...where }
  const inner = typeof plain === 'string' ? parsedValueIn(plain) : undefined
  if (inner && isJsonObject(inner.plain))
    return { ...inner, text: unwrappedText(plain as string), path: [] }
  return { plain, exact, ...where }
}

function typeFault(args: unknown): string {
  if (typeof args !== 'string')
    return `The arguments must be an object, got ${shownValue(args, undefined)}.`
  const inner = unwrapped(args)
  if (isJsonObject(inner)) {
    const isDeep = isTooDeep(inner, MAX_LEVELS)
    const fault = isDeep ? `more than ${MAX_LEVELS} levels` : 'a duplicate or invalid key'
    return `The arguments are a JSON string with ${fault}. Send the object itself.`
  }
  if (inner !== undefined) return 'The arguments must be an object, got a string.'
  return `The arguments are a string that is not valid JSON${syntaxFault(args)}. Send an object.`
}

function syntaxFault(text: string): string {
  if (text.length > MAX_PARSED_LENGTH) return ''
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return ''
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const before = text.slice(Math.max(0, first.offset - SHOWN_BEFORE), first.offset)
  const after = before === '' ? '' : `, after ${quoted(before)}`
  return `: ${what.toLowerCase()} at character ${first.offset + 1}${after}`
}

/** A value as it is validated, and as it is sent with the agent's digits (see `exactJson`). */
type ParsedValue = { readonly plain: unknown; readonly exact: unknown }

/** Maximum number of interpretations per value. */
const MAX_READINGS = 8
/** An interpretation that drops a member is worse than one that parses many texts. */
const [READ_COST, DROP_COST] = [1, 1_000_000]
/** Maximum depth of schema and value: a schema may refer to itself. */
const MAX_DEPTH = 64

/**
 * Returns arguments that don't fit a schema as they are meant, if exactly one interpretation fits: JSON text parsed if no text is allowed,
 * null of an optional member removed, and a member removed that a closed object forbids. Everything else stays. Throws as `findProblems`
 * does.
 */
export function coercedArguments(schema: unknown, given: ParsedValue): ParsedValue {
  const { plain, exact, cost } = new Interpreter(schema).read(schema, given, 0)
  return cost === 0 ? given : { plain, exact }
}

/** Returns the JSON value of a text, without quotes or code fences around it; undefined if there is none. */
function parsedValueIn(text: string): ParsedValue | undefined {
  const inner = unwrappedText(text)
  const plain = jsonIn(inner)
  if (plain === undefined) return undefined
  if (inner.length > 2 * MAX_LEVELS && isTooDeep(plain, MAX_LEVELS)) return undefined
  // A duplicate key has no single meaning.
  if (keyFault(inner, []) !== undefined) return undefined
  // Some servers reject 5.0 as an integer.
  return { plain, exact: Number.isSafeInteger(plain) ? plain : exactJson(inner) }
}

/** A possible meaning of a value; `cost` counts its changes. */
type Interpretation = ParsedValue & { readonly cost: number }

class Interpreter {
  readonly #budget = new CheckBudget()

  constructor(private readonly root: unknown) {}

  /** Returns the one fitting interpretation with the fewest changes; the value itself if it fits or there is no single one. */
  read(schema: unknown, given: ParsedValue, depth: number): Interpretation {
    const same = { ...given, cost: 0 }
    if (this.#fits(schema, given)) return same
    const fitting = this.#interpretations(schema, same, depth).filter((one) =>
      this.#fits(schema, one),
    )
    const minCost = Math.min(...fitting.map(({ cost }) => cost))
    const [only, ...others] = distinct(fitting.filter(({ cost }) => cost === minCost))
    return only && others.length === 0 ? only : same
  }

  #fits(schema: unknown, { plain }: ParsedValue): boolean {
    return fitsSchema(schema, plain, this.root, this.#budget)
  }

  /** Returns the possible meanings of a value under a schema; they need not fit. */
  #interpretations(
    schema: unknown,
    given: Interpretation,
    depth: number,
  ): readonly Interpretation[] {
    this.#budget.spend(1)
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return [given]
    const { $ref, anyOf, oneOf, allOf } = schema
    const { plain, cost } = given
    const isWrapped = typeof plain === 'string' && !this.#mayAcceptText(schema, depth)
    const inner = isWrapped ? parsedValueIn(plain) : undefined
    let readings: readonly Interpretation[] = [inner ? { ...inner, cost: cost + READ_COST } : given]
    const through = (schemas: readonly unknown[]): void => {
      const next = readings.flatMap((one) =>
        schemas.flatMap((part) => this.#interpretations(part, one, depth + 1)),
      )
      const all = distinct(next)
      // With so many, none is clearly the right one.
      readings = all.length > MAX_READINGS ? [given] : all
    }
    if ($ref !== undefined) through([this.#target($ref)])
    for (const one of asList(allOf)) through([one])
    for (const branches of [asList(anyOf), asList(oneOf)])
      if (branches.length > 0) through(branches)
    if (schema.if !== undefined) through([schema.then ?? true, schema.else ?? true])
    return readings.map((one) => this.#inside(schema, one, depth + 1))
  }

  #inside(schema: JsonObject, given: Interpretation, depth: number): Interpretation {
    const { plain } = given
    if (Array.isArray(plain)) return this.#list(schema, plain, given, depth)
    return isJsonObject(plain) ? this.#object(schema, plain, given, depth) : given
  }

  #list(
    schema: JsonObject,
    plain: unknown[],
    { exact, cost }: Interpretation,
    depth: number,
  ): Interpretation {
    const { prefixItems, items, additionalItems } = schema
    const first = asList(Array.isArray(items) ? items : prefixItems)
    const others = Array.isArray(items) ? additionalItems : items
    const read = plain.map((one, at) => {
      const itemSchema = at < first.length ? first[at] : others
      return this.read(itemSchema, { plain: one, exact: (exact as unknown[])[at] }, depth)
    })
    return {
      plain: read.map((one) => one.plain),
      exact: read.map((one) => one.exact),
      cost: cost + sumOf(read),
    }
  }

  #object(
    schema: JsonObject,
    plain: JsonObject,
    given: Interpretation,
    depth: number,
  ): Interpretation {
    const { properties, patternProperties, additionalProperties, required } = schema
    const declared = isJsonObject(properties) ? properties : {}
    const isPatterned = patternProperties !== undefined
    const isClosed = additionalProperties === false && !isPatterned
    const extra = isClosed ? extraMember(Object.keys(declared), plain) : undefined
    const others = isPatterned ? true : (additionalProperties ?? true)
    const members = Object.keys(plain).flatMap((key) => {
      const isDeclared = Object.hasOwn(declared, key)
      const memberSchema = isDeclared ? declared[key] : others
      const member = { plain: plain[key], exact: (given.exact as JsonObject)[key] }
      const isOptional = isDeclared && !asList(required).includes(key)
      const isNone = member.plain === null && isOptional && !this.#fits(memberSchema, member)
      return key === extra || isNone ? [] : [[key, this.read(memberSchema, member, depth)] as const]
    })
    const read = members.map(([, one]) => one)
    const nulls = Object.keys(plain).length - members.length - (extra === undefined ? 0 : 1)
    return {
      plain: Object.fromEntries(members.map(([key, one]) => [key, one.plain])),
      exact: Object.fromEntries(members.map(([key, one]) => [key, one.exact])),
      cost: given.cost + sumOf(read) + nulls * READ_COST + (extra === undefined ? 0 : DROP_COST),
    }
  }

  #target(ref: unknown): unknown {
    this.#budget.spend(refSteps(ref))
    return resolveRef(this.root, ref)
  }

  /** Whether this schema may allow a text: then a text is never interpreted as anything else. */
  #mayAcceptText(schema: unknown, depth: number): boolean {
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return schema !== false
    const { $ref, type, enum: values, const: only, anyOf, oneOf, allOf } = schema
    const mayAccept = (one: unknown): boolean => this.#mayAcceptText(one, depth + 1)
    const types = [type].flat()
    if (type !== undefined && types.every((one) => isSchemaType(one)) && !types.includes('string'))
      return false
    if (Array.isArray(values) && !values.some((one) => typeof one === 'string')) return false
    if (only !== undefined && typeof only !== 'string') return false
    if ($ref !== undefined && !mayAccept(this.#target($ref) ?? true)) return false
    if (!asList(allOf).every(mayAccept)) return false
    return [anyOf, oneOf].every(
      (branches) => branches === undefined || asList(branches).some(mayAccept),
    )
  }
}

/** Returns the one extra member of an object; undefined if there are more, or if it may be a typo of a known one. */
function extraMember(declared: readonly string[], value: JsonObject): string | undefined {
  const [extra, ...others] = Object.keys(value).filter((key) => !declared.includes(key))
  if (extra === undefined || others.length > 0) return undefined
  const absent = declared.filter((key) => !Object.hasOwn(value, key))
  return nearKey(extra, absent) === undefined ? extra : undefined
}

/** Returns, of interpretations that are sent as the same text, the one with the fewest changes. */
function distinct(readings: readonly Interpretation[]): readonly Interpretation[] {
  if (readings.length < 2) return readings
  const worstFirst = readings.toSorted((a, b) => b.cost - a.cost)
  return [...new Map(worstFirst.map((one) => [JSON.stringify(one.exact), one])).values()]
}

function sumOf(readings: readonly Interpretation[]): number {
  return readings.reduce((sum, { cost }) => sum + cost, 0)
}

/** A program wrote anything longer, and programs repeat no key. */
const MAX_CHECKED_LENGTH = 4 * 1024 * 1024

/** Returns a sentence that names a duplicate key, or one with a lone surrogate, below `path` of a JSON text. Undefined if there is none. */
function keyFault(text: string, path: readonly string[]): string | undefined {
  if (text.length > MAX_CHECKED_LENGTH) return undefined
  const open: Set<string>[] = []
  let found: string | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key, _offset, _length, _line, _character, pathOf) => {
      const keys = open.at(-1)
      const isTwice = keys?.has(key) === true
      keys?.add(key)
      if (found !== undefined || (!isTwice && key.isWellFormed())) return
      const inside = pathOf()
      if (path.some((step, at) => inside[at] !== step)) return
      const place = pathText(inside.slice(path.length))
      const where = `${quoted(key)}${place === '' ? '' : ` in ${place}`}`
      found = isTwice
        ? `Duplicate key ${where}. Send it once, with the intended value.`
        : `Invalid Unicode in the key ${where}: lone surrogate. Send valid Unicode.`
    },
  })
  return found
}
