import type { Path, SchemaFault } from '../../../../src-shared/json-schema/check-schema'
import { visibleText } from '../../../ui/text/untrusted-text'
import { stringsOf, valueText } from '../reading/json-text'

/** A problem with a value, and its path: member names and list indexes from the outermost. */
export type ValueProblem = { readonly path: readonly string[]; readonly message: string }

const TYPE_LABELS: Readonly<Record<string, string>> = {
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
const MAX_SHOWN_LENGTH = 120
const REMOVE = 'Remove this value. It isn’t allowed.'

const MESSAGES: Readonly<Record<string, (wanted: unknown) => string>> = {
  type: (type) => `Enter ${typeText(type)}.`,
  const: (value) => `Only ${shortValue(value)} is allowed.`,
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
  pattern: (pattern) => `This must match ${shortValue(pattern)}.`,
  format: (format) => `Enter ${FORMAT[String(format)] ?? shortValue(format)}.`,
  not: () => 'This value isn’t allowed.',
  anyOf: () => 'This value matches none of the allowed types.',
  oneOf: () => 'This value must match exactly one of the allowed types.',
  additionalProperties: () => REMOVE,
  false: () => REMOVE,
}
const KIND = new Set(['type', 'const', 'enum'])

/** Turns the faults of a check into sentences for the fields of a form, without duplicates at a path. */
export function problemsOf(faults: readonly SchemaFault[]): ValueProblem[] {
  const found = faults.flatMap(problemsOfFault)
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()]
}

function problemsOfFault(fault: SchemaFault): ValueProblem[] {
  const { keyword, path, wanted, schema } = fault
  const nearest = nearestBranch(fault)
  if (nearest) return problemsOf(nearest)
  if (keyword === 'required' || keyword === 'dependentRequired') {
    const when = keyword === 'required' ? '' : visibleText(String(schema.key))
    const message = when === '' ? 'Enter a value.' : `Required when ${when} is set.`
    return stringsOf(wanted).map((name) => ({ path: [...textPath(path), name], message }))
  }
  return [{ path: textPath(path), message: MESSAGES[keyword]?.(wanted) ?? REMOVE }]
}

/** Returns the faults of the branch closest to the value: among those of its type, the one with the fewest faults. */
function nearestBranch({ branches = [], path }: SchemaFault): readonly SchemaFault[] | undefined {
  const isOtherType = (one: SchemaFault): boolean =>
    KIND.has(one.keyword) && one.path.length === path.length
  const weight = (faults: readonly SchemaFault[]): number =>
    faults.reduce((sum, { keyword }) => sum + (KIND.has(keyword) ? 2 : 1), 0)
  return branches
    .filter((faults) => faults.length > 0 && !faults.some(isOtherType))
    .toSorted((one, other) => weight(one) - weight(other))[0]
}

function textPath(path: Path): string[] {
  return path.map(String)
}

function shortValue(value: unknown): string {
  return visibleText(valueText(value).slice(0, MAX_SHOWN_LENGTH))
}

function count(number: unknown, singular: string, plural: string): string {
  return `${String(number)} ${number === 1 ? singular : plural}`
}

function typeText(type: unknown): string {
  const types = Array.isArray(type) ? stringsOf(type) : [String(type)]
  return types.map((one) => TYPE_LABELS[one] ?? one).join(' or ')
}
