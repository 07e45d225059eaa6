import type { OutputUnit } from '@cfworker/json-schema'

import { visibleText } from '../../../ui/text/visible-text'
import { type JsonObject, own, textsOf } from '../reading/json-object'
import { keywordAt, unescapeStep } from './check-values'
import type { CheckedSchema } from './checked-schema'

/** What does not fit, and where: names of members and places in lists, from the outermost. */
export type ValueProblem = { readonly path: readonly string[]; readonly message: string }

const A_TYPE: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  object: 'an object',
  array: 'a list',
  null: 'null',
}
const FORMAT: Readonly<Record<string, string>> = {
  date: 'a date, such as 2026-03-31',
  time: 'a time, such as 14:30:00Z',
  'date-time': 'a date and time, such as 2026-03-31T14:30:00Z',
  email: 'an email address, such as name@example.org',
  uri: 'a full URL, such as https://example.org',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  hostname: 'a host name',
  duration: 'a duration, such as PT5M',
}
/** Those that only say that something inside of them does not fit. */
const WRAPPERS = new Set([
  '$ref',
  'allOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'dependentSchemas',
  'if',
])
const LONGEST_SHOWN = 120
/** Most findings of a check that are made into sentences: each is held against each other. */
const MOST_UNITS = 500

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined)
  return visibleText((text ?? '').slice(0, LONGEST_SHOWN))
}

function count(number: unknown, one: string, many: string): string {
  return `${String(number)} ${number === 1 ? one : many}`
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? textsOf(type) : [String(type)]
  return types.map((one) => A_TYPE[one] ?? one).join(' or ')
}

const WORDS: Readonly<Record<string, (value: unknown) => string>> = {
  type: (type) => `Enter ${typeWords(type)}.`,
  const: (value) => `Only ${shown(value)} is allowed.`,
  enum: () => 'Choose an allowed value.',
  minLength: (least) => `Enter at least ${count(least, 'character', 'characters')}.`,
  maxLength: (most) => `Enter at most ${count(most, 'character', 'characters')}.`,
  minimum: (least) => `Enter ${String(least)} or more.`,
  maximum: (most) => `Enter ${String(most)} or less.`,
  exclusiveMinimum: (least) => `Enter more than ${String(least)}.`,
  exclusiveMaximum: (most) => `Enter less than ${String(most)}.`,
  multipleOf: (step) => `Enter a multiple of ${String(step)}.`,
  minItems: (least) => `Add at least ${count(least, 'entry', 'entries')}.`,
  maxItems: (most) => `Keep at most ${count(most, 'entry', 'entries')}.`,
  minProperties: (least) => `Add at least ${count(least, 'member', 'members')}.`,
  maxProperties: (most) => `Keep at most ${count(most, 'member', 'members')}.`,
  uniqueItems: () => 'Remove the duplicate entry.',
  contains: () => 'A required entry is missing.',
  pattern: (pattern) => `This must match ${shown(pattern)}.`,
  format: (format) => `Enter ${FORMAT[String(format)] ?? shown(format)}.`,
  not: () => 'This value isn’t allowed.',
  anyOf: () => 'This value matches none of the allowed types.',
  oneOf: () => 'This value must match exactly one of the allowed types.',
  false: () => 'Remove this value. It isn’t allowed.',
}

function pathOf(location: string): string[] {
  return location.split('/').slice(1).map(unescapeStep)
}

/** The members that are missing, each at its own place. */
function missing(unit: OutputUnit): ValueProblem {
  const name = /required property "(.*)"\.$/su.exec(unit.error)?.[1] ?? ''
  return { path: [...pathOf(unit.instanceLocation), name], message: 'Enter a value.' }
}

function dependent(unit: OutputUnit): ValueProblem {
  const [, has = '', lacks = ''] = /has "(.*)" but does not have "(.*)"\.$/su.exec(unit.error) ?? []
  const message = `Required when ${visibleText(has)} is set.`
  return { path: [...pathOf(unit.instanceLocation), lacks], message }
}

function wordsOf(unit: OutputUnit, schema: JsonObject | undefined): string {
  const value = schema && own(schema, unit.keyword)
  return WORDS[unit.keyword]?.(value) ?? visibleText(unit.error.slice(0, LONGEST_SHOWN))
}

function problemOf(checked: CheckedSchema, unit: OutputUnit): ValueProblem | undefined {
  if (WRAPPERS.has(unit.keyword)) return undefined
  if (unit.keyword === 'required') return missing(unit)
  if (unit.keyword === 'dependentRequired') return dependent(unit)
  if (unit.keyword === 'dependencies')
    return unit.error.includes('but does not have') ? dependent(unit) : undefined
  return {
    path: pathOf(unit.instanceLocation),
    message: wordsOf(unit, keywordAt(checked, unit.keywordLocation)),
  }
}

const KIND_WORDS = ['type', 'const', 'enum']

/** The kind that a value comes nearest to: of those that it is of at all, the one with the fewest problems. */
function nearest(units: readonly OutputUnit[], choice: OutputUnit): string | undefined {
  const problems = new Map<string, number>()
  const start = `${choice.keywordLocation}/`
  for (const { keywordLocation, instanceLocation, keyword } of units) {
    if (!keywordLocation.startsWith(start)) continue
    const kind = start + (keywordLocation.slice(start.length).split('/')[0] ?? '')
    const isOther = instanceLocation === choice.instanceLocation && KIND_WORDS.includes(keyword)
    const isTold = KIND_WORDS.includes(keyword) ? 2 : 1
    problems.set(kind, (problems.get(kind) ?? 0) + (isOther ? Infinity : isTold))
  }
  const [best] = [...problems].toSorted(([, one], [, other]) => one - other)
  return best === undefined || best[1] === Infinity ? undefined : best[0]
}

/** Leaves of kinds to choose from only what the nearest one has to say; nothing where the value is of none of them. */
function withoutOthers(units: readonly OutputUnit[]): readonly OutputUnit[] {
  let left = units
  for (const unit of units) {
    if (unit.keyword !== 'anyOf' && unit.keyword !== 'oneOf') continue
    const best = nearest(left, unit)
    const within = `${unit.keywordLocation}/`
    left = left.filter(
      ({ keywordLocation }) =>
        !keywordLocation.startsWith(within) ||
        (best !== undefined && keywordLocation.startsWith(`${best}/`)),
    )
  }
  return left
}

/** What a check found, in sentences; each place says a thing once. */
export function problemsOf(checked: CheckedSchema, units: readonly OutputUnit[]): ValueProblem[] {
  const left = withoutOthers(units.slice(0, MOST_UNITS))
  const hasLeaf = (unit: OutputUnit): boolean =>
    left.some((one) => one.keywordLocation.startsWith(`${unit.keywordLocation}/`))
  const found = left.flatMap((unit) => {
    const isChoice = unit.keyword === 'anyOf' || unit.keyword === 'oneOf'
    const problem = isChoice && hasLeaf(unit) ? undefined : problemOf(checked, unit)
    return problem === undefined ? [] : [problem]
  })
  const once = new Map(found.map((problem) => [JSON.stringify(problem), problem]))
  return [...once.values()]
}
