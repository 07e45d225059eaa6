import type { SchemaProblem } from '../../../../src-shared/domain/agents/tool-run'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import type { CheckBudget } from '../../../../src-shared/json-schema/check-budget'
import {
  checkSchema,
  type Path,
  type SchemaFault,
} from '../../../../src-shared/json-schema/check-schema'
import { slipsBetween } from '../../catalog/search/near-words'

/** The reader of a message: a model that should fix its arguments, or a user who reads a tool's result. */
export type Reader = 'model' | 'user'

/** The name of the whole value, and the maximum number of reported faults. */
const ROOT_LABELS: Readonly<Record<Reader, string>> = {
  ...{ model: 'The arguments', user: 'The structured content' },
}
const MAX_FAULTS: Readonly<Record<Reader, number>> = { model: 6, user: 50 }
const SHOWN_PATTERN = 200
const SIZE_LIMITS: Readonly<Record<string, readonly [words: string, unit: string]>> = {
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minItems: ['at least', 'element'],
  maxItems: ['at most', 'element'],
  minProperties: ['at least', 'field'],
  maxProperties: ['at most', 'field'],
}
const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,100}$/
const MAX_KEY_LENGTH = 60
const MAX_VALUE_LENGTH = 40
const SHOWN_VALUES = 12
const TYPE_LABELS: Readonly<Record<string, string>> = {
  ...{ string: 'a string', number: 'a number', integer: 'an integer', null: 'null' },
  ...{ boolean: 'a boolean', object: 'an object', array: 'an array' },
}

/**
 * Returns the faults of a value against a schema, each with place, expectation and actual value; empty if all fits. Throws a `BudgetError`.
 */
export function findProblems(
  schema: unknown,
  value: unknown,
  reader: Reader = 'user',
): SchemaProblem[] {
  const { faults } = checkSchema(schema, value, { maxFaults: MAX_FAULTS[reader] })
  const problems = faults.map((fault) => {
    // RFC 6901 notation.
    const steps = fault.path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))
    return { path: steps.map((step) => `/${step}`).join(''), message: messageOf(fault, reader) }
  })
  return [...new Map(problems.map((one) => [`${one.path} ${one.message}`, one])).values()]
}

/** Whether a value fits a part of a schema; `root` resolves its references. Throws as `findProblems` does. */
export function fitsSchema(
  schema: unknown,
  value: unknown,
  root: unknown,
  budget: CheckBudget,
): boolean {
  return checkSchema(schema, value, { root, budget, maxFaults: 1 }).faults.length === 0
}

/** What a value must be or do, by the failed schema keyword. */
const EXPECTED: Readonly<Record<string, (wanted: unknown) => string>> = {
  type: (wanted) => `be ${typeLabel(wanted)}`,
  enum: (wanted) => `be ${valuesLabel(wanted as readonly unknown[])}`,
  const: (wanted) => `be ${valuesLabel([wanted])}`,
  anyOf: (wanted) => `be ${choiceLabel(wanted as readonly unknown[])}`,
  oneOf: (wanted) => `be ${choiceLabel(wanted as readonly unknown[])}`,
  pattern: (wanted) => `match the pattern ${quoted(String(wanted), SHOWN_PATTERN)}`,
  minimum: (wanted) => `be at least ${String(wanted)}`,
  maximum: (wanted) => `be at most ${String(wanted)}`,
  exclusiveMinimum: (wanted) => `be more than ${String(wanted)}`,
  exclusiveMaximum: (wanted) => `be less than ${String(wanted)}`,
  multipleOf: (wanted) => `be a multiple of ${String(wanted)}`,
}

/** Hints that help a model to correct a value, by schema keyword. */
const HINTS: Readonly<Record<string, (fault: SchemaFault) => string>> = {
  type: ({ value, wanted }) => unwrapHint(value, wanted),
  enum: ({ value, wanted }) => nearestHint(value, wanted as readonly unknown[]),
  anyOf: ({ value, schema }) => unwrapHint(value, schema.type),
  oneOf: ({ value, schema }) => unwrapHint(value, schema.type),
}

type Message = (fault: SchemaFault, reader: Reader, subject: string) => string

const OTHER_MESSAGES: Readonly<Record<string, Message>> = {
  required: missingMessage,
  dependentRequired: ({ wanted, schema }, _reader, subject) => {
    const missing = (wanted as readonly string[]).slice(0, SHOWN_VALUES).map((name) => quoted(name))
    return `${subject} must have ${missing.join(', ')} where it has ${quoted(String(schema.key))}.`
  },
  additionalProperties: unknownMessage,
  uniqueItems: (_fault, _reader, subject) => `${subject} must not contain duplicate elements.`,
  contains: (_fault, _reader, subject) => `${subject} lacks an element that its schema requires.`,
  not: ({ path, value }, _reader, subject) =>
    `${subject} has a value that is not allowed: ${shownValue(value, path.at(-1))}.`,
}

function messageOf(fault: SchemaFault, reader: Reader): string {
  const { keyword, path, wanted, value } = fault
  const subject = pathText(path) || ROOT_LABELS[reader]
  const expected = EXPECTED[keyword]?.(wanted)
  if (expected !== undefined) {
    const hint = reader === 'model' ? HINTS[keyword]?.(fault) : undefined
    return `${subject} must ${expected}, got ${shownValue(value, path.at(-1))}.${hint ?? ''}`
  }
  const size = SIZE_LIMITS[keyword]
  if (size) {
    const [limit, unit] = size
    const units = Number(wanted) === 1 ? unit : `${unit}s`
    return `${subject} must have ${limit} ${Number(wanted)} ${units}, got ${String(fault.size)}.`
  }
  return OTHER_MESSAGES[keyword]?.(fault, reader, subject) ?? `${subject} is not allowed.`
}

/** Returns a path as a model reads it, such as `options.paths[2]`; empty for the arguments themselves. */
export function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (PLAIN_KEY.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${quoted(step)}]`
  }
  return text
}

export function quoted(text: string, maxLength = MAX_KEY_LENGTH): string {
  return JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
}

/** Describes the actual value in a few words; of a possible secret only its type. */
export function shownValue(value: unknown, key: string | number | undefined): string {
  if (value === null) return 'null'
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof key === 'string' && namesSecret(key)) return `a ${typeof value}`
  if (typeof value === 'string') return `the string ${quoted(value, MAX_VALUE_LENGTH)}`
  return `the ${typeof value} ${JSON.stringify(value)}`
}

function typeLabel(type: unknown): string {
  const types: readonly unknown[] = [type].flat()
  const labels = types.map((one) => TYPE_LABELS[one as string] ?? 'a value')
  return [...new Set(labels)].join(' or ') || 'a value'
}

function valuesLabel(values: readonly unknown[]): string {
  return values.length === 1 ? valueLabel(values[0]) : `one of ${joined(values, valueLabel)}`
}

function valueLabel(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value).slice(0, MAX_KEY_LENGTH)
}

function joined<T>(values: readonly T[], labelOf: (value: T) => string): string {
  const labels = values.slice(0, SHOWN_VALUES).map((value) => labelOf(value))
  return labels.join(', ') + (values.length > SHOWN_VALUES ? ', …' : '')
}

/** Describes the branches of a choice by their types and values. */
function choiceLabel(branches: readonly unknown[]): string {
  const wanted = branches.filter(isJsonObject).flatMap((branch) => {
    if (Array.isArray(branch.enum)) return [valuesLabel(branch.enum)]
    if ('const' in branch) return [valueLabel(branch.const)]
    return branch.type === undefined ? [] : [typeLabel(branch.type)]
  })
  return [...new Set(wanted)].join(' or ') || 'a value that matches the schema'
}

/** Names the missing fields of an object, and the present fields that were probably meant. */
function missingMessage({ path, wanted, value, schema }: SchemaFault, reader: Reader): string {
  const declared = isJsonObject(schema.properties) ? schema.properties : {}
  const missing = wanted as readonly string[]
  const unknown = Object.keys(value as JsonObject).filter((key) => !Object.hasOwn(declared, key))
  const inside = path.length === 0 ? '' : ` in ${pathText(path)}`
  const messages = missing.slice(0, SHOWN_VALUES).map((name) => {
    const near = reader === 'model' ? nearKey(name, unknown) : undefined
    const hint = near === undefined ? '' : ` Found ${quoted(near)}: did you mean ${quoted(name)}?`
    const field = Object.hasOwn(declared, name) ? declared[name] : undefined
    const { enum: values, type } = isJsonObject(field) ? field : {}
    const expected = Array.isArray(values) ? valuesLabel(values) : typeLabel(type)
    return `${quoted(name)} is required${inside}: expected ${expected}.${hint}`
  })
  return messages.join(' ')
}

/** Names a field that the object's schema doesn't have. */
function unknownMessage({ path, schema, object = {} }: SchemaFault, reader: Reader): string {
  const declared = isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const name = String(path.at(-1))
  const where = path.length === 1 ? quoted(name) : `${quoted(name)} (${pathText(path)})`
  if (reader === 'user') return `Unknown field ${where}.`
  const near = nearKey(
    name,
    declared.filter((one) => !Object.hasOwn(object, one)),
  )
  const hint = near === undefined ? 'Remove it.' : `Did you mean ${quoted(near)}?`
  const fields = declared.length === 0 ? '' : ` Allowed fields: ${joined(declared, quoted)}.`
  return `Unknown argument ${where}. ${hint}${fields}`
}

/** Returns a hint for a value that is right except for a wrapper that the model added. */
function unwrapHint(value: unknown, type: unknown = ['object', 'array']): string {
  if (typeof value !== 'string') return ''
  const inner = unwrapped(value)
  const types: readonly unknown[] = [type].flat()
  if (Array.isArray(inner) && types.includes('array'))
    return ' Send the array itself, not its JSON text.'
  if (isJsonObject(inner) && types.includes('object'))
    return ' Send the object itself, not its JSON text.'
  const isNumber =
    typeof inner === 'number' && (types.includes('number') || types.includes('integer'))
  const isBoolean = typeof inner === 'boolean' && types.includes('boolean')
  return isNumber || isBoolean ? ` Remove the quotes: ${String(inner)}.` : ''
}

function nearestHint(value: unknown, values: readonly unknown[]): string {
  if (typeof value !== 'string') return ''
  const texts = values.filter((one) => typeof one === 'string')
  const near = nearKey(value, texts)
  return near === undefined ? '' : ` Closest match: ${quoted(near)}.`
}

/** Returns the JSON value of a text, without quotes or code fences around it; undefined if there is none. */
export function unwrapped(text: string): unknown {
  return jsonIn(unwrappedText(text))
}

/** Returns a text without the code fences that a model puts around it. */
export function unwrappedText(text: string): string {
  return /^\s*```\w*\s*\n([^]*?)\n?\s*```\s*$/u.exec(text)?.[1] ?? text
}

const MAX_SLIPS = 2
const MAX_COMPARED_LENGTH = 100
/** Maximum number of compared keys; a model writes only a few. */
const MAX_KEYS = 200

/**
 * Returns the key that was most likely meant, in either direction: equal except for case and punctuation, with a suffix that an edit added
 * (`path_after`), or one or two typos away.
 */
export function nearKey(name: string, keys: readonly string[]): string | undefined {
  const normalized = normalizedKey(name)
  const candidates = keys.slice(0, MAX_KEYS).filter((key) => key !== name)
  return (
    candidates.find((key) => normalizedKey(key) === normalized) ??
    candidates.find((key) => isGrown(key, name) || isGrown(name, key)) ??
    candidates.find((key) => isTypo(normalizedKey(key), normalized))
  )
}

function normalizedKey(key: string): string {
  return key
    .slice(0, MAX_COMPARED_LENGTH)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function isGrown(key: string, name: string): boolean {
  return name !== '' && key.startsWith(name) && /^[^\p{L}\p{N}]/u.test(key.slice(name.length))
}

function isTypo(a: string, b: string): boolean {
  // Short words are close to too many others.
  const maxTypos = Math.min(MAX_SLIPS, Math.floor(Math.min(a.length, b.length) / 3))
  return maxTypos > 0 && slipsBetween(a, b, maxTypos) !== undefined
}
