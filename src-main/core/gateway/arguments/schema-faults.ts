import type { OutputUnit, Schema } from '@cfworker/json-schema'

import type { SchemaProblem } from '../../../../src-shared/domain/agents/trial'
import { type PreparedSchema, targetOf, validateWith } from './prepared-schema'
import { nearKey, type Path, placeOf, quoted, shownValue, typeWords, unwrapped } from './wording'

/** How a value that does not fit is called, and how many faults are reported. */
type Wording = {
  readonly whole: string
  /** Stands before the name of an unknown field. */
  readonly unknown: string
  readonly misfit: string
  /** Whether the reader wrote the value; then the sentence says how to fix it. */
  readonly isForWriter: boolean
  readonly most: number
}

/** For a model that wrote arguments. */
export const ARGUMENTS: Wording = {
  whole: 'The arguments',
  unknown: 'Unknown argument',
  misfit: 'The arguments do not match the input schema.',
  isForWriter: true,
  most: 6,
}
/** For a user who reads what a tool answered. */
const STRUCTURED_CONTENT: Wording = {
  whole: 'The structured content',
  unknown: 'Unknown field',
  misfit: 'The structured content does not match the output schema.',
  isForWriter: false,
  most: 50,
}

/** What does not fit: the part of the schema, the value there and the one around it. */
type Spot = {
  readonly keyword: string
  readonly path: Path
  /** What the path and the value are called. */
  readonly subject: string
  readonly shown: string
  readonly part: Schema
  readonly value: unknown
  readonly parent: unknown
  readonly wording: Wording
}

const SHOWN_VALUES = 12
/** Keywords whose errors only frame others. */
const FRAMES = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', '$ref', '$recursiveRef'],
  ...['allOf', 'dependentSchemas', 'if', 'propertyNames'],
])
const OTHERS = ['additionalProperties', 'unevaluatedProperties']
const CHOICES = ['anyOf', 'oneOf']

/** What of a value does not fit its schema, each with place, what was expected and what came; empty where all fits. Throws where that cannot be decided. */
export function findProblems(
  prepared: PreparedSchema,
  given: unknown,
  wording = STRUCTURED_CONTENT,
): SchemaProblem[] {
  // What every object inherits is no field of it.
  const value = prepared.hasInheritedName ? bareCopy(given) : given
  if (validateWith(prepared, value, true).valid) return []
  const problems = new Map<string, SchemaProblem>()
  for (const unit of tellingOf(validateWith(prepared, value, false).errors)) {
    const spot = spotOf(prepared, value, unit, wording)
    const sentence = SENTENCES[unit.keyword]
    const message = sentence ? sentence(spot) : `${spot.subject} is invalid: ${unit.error}`
    const path = pointerOf(spot.path)
    if (message !== '') problems.set(`${path} ${message}`, { path, message })
    if (problems.size === wording.most) break
  }
  if (problems.size > 0) return [...problems.values()]
  return [{ path: '', message: wording.misfit }]
}

/** A copy of parsed JSON whose objects inherit nothing. */
function bareCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareCopy)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.create(null) as Record<string, unknown>
  for (const [key, inner] of Object.entries(value)) copy[key] = bareCopy(inner)
  return copy
}

/** The errors that say what is wrong: no frames around others, and of a choice that nothing fits the branch that was meant. */
function tellingOf(units: readonly OutputUnit[]): OutputUnit[] {
  const telling: OutputUnit[] = []
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]
    const next = units[at + 1]
    if (!unit) continue
    if (OTHERS.includes(unit.keyword) && next?.keyword === 'false') {
      // The first knows the schema around the field, the second the field.
      telling.push({ ...unit, keyword: 'unknown', instanceLocation: next.instanceLocation })
      at += 1
    }
    if (FRAMES.has(unit.keyword)) continue
    if (!CHOICES.includes(unit.keyword)) {
      telling.push(unit)
      continue
    }
    // The errors of its branches follow.
    const begin = `${unit.keywordLocation}/`
    let end = at + 1
    while (units[end]?.keywordLocation.startsWith(begin) === true) end += 1
    const meant = meantBranch(unit, units.slice(at + 1, end))
    telling.push(...(meant ? tellingOf(meant) : [unit]))
    at = end - 1
  }
  return telling
}

/** The only branch whose type the value has: its faults are further in. */
function meantBranch(choice: OutputUnit, inner: readonly OutputUnit[]): OutputUnit[] | undefined {
  const begin = choice.keywordLocation.length + 1
  const branches = Map.groupBy(inner, ({ keywordLocation }) =>
    keywordLocation.slice(begin).split('/', 1).join(''),
  )
  const [meant, ...others] = [...branches.values()].filter((units) =>
    units.every(
      ({ keyword, instanceLocation }) =>
        instanceLocation !== choice.instanceLocation ||
        !['type', 'const', 'enum', 'false'].includes(keyword),
    ),
  )
  return others.length === 0 ? meant : undefined
}

function spotOf(
  { schema, parts }: PreparedSchema,
  given: unknown,
  { keyword, keywordLocation, instanceLocation }: OutputUnit,
  wording: Wording,
): Spot {
  let value = given
  let parent: unknown
  const path: (string | number)[] = []
  for (const step of stepsOf(instanceLocation)) {
    parent = value
    path.push(Array.isArray(value) ? Number(step) : step)
    value = isObject(value) ? value[step] : undefined
  }
  // The validator followed references.
  const under = (one: unknown, step: string): unknown => {
    if (!isObject(one)) return undefined
    return step === '$ref' ? parts[targetOf(one) ?? ''] : one[step]
  }
  const found = stepsOf(keywordLocation).slice(0, -1).reduce(under, schema)
  // The location of `false` is that of the value.
  const part = isObject(found) && keyword !== 'false' ? found : {}
  const [subject, shown] = [placeOf(path) || wording.whole, shownValue(value, path.at(-1))]
  return { ...{ keyword, path, subject, shown, part, value, parent }, wording }
}

/** The steps of a location as the validator gives it: a JSON pointer in a fragment. */
function stepsOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((step) => decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** As RFC 6901 writes a place. */
function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A fault as a sentence; empty for one that another sentence tells. */
const SENTENCES: Readonly<Record<string, (spot: Spot) => string>> = {
  type: (spot) =>
    `${spot.subject} must be ${typeWords(spot.part.type)}, got ${spot.shown}.${unwrapHint(spot)}`,
  required: missingSentences,
  unknown: unknownSentence,
  false: ({ subject }) => `${subject} is not allowed.`,
  enum: (spot) =>
    `${spot.subject} must be ${listed(spot.part.enum ?? [])}, got ${spot.shown}.${nearestHint(spot)}`,
  const: ({ subject, part, shown }) => `${subject} must be ${text(part.const)}, got ${shown}.`,
  anyOf: choiceSentence,
  oneOf: choiceSentence,
  minimum: boundSentence,
  maximum: boundSentence,
  exclusiveMinimum: boundSentence,
  exclusiveMaximum: boundSentence,
  multipleOf: boundSentence,
  minLength: countSentence('at least', 'character'),
  maxLength: countSentence('at most', 'character'),
  minItems: countSentence('at least', 'element'),
  maxItems: countSentence('at most', 'element'),
  minProperties: countSentence('at least', 'field'),
  maxProperties: countSentence('at most', 'field'),
  uniqueItems: ({ subject }) => `${subject} must not contain duplicate elements.`,
  pattern: ({ subject, part, shown }) =>
    `${subject} must match the pattern ${quoted(part.pattern ?? '', 200)}, got ${shown}.`,
  not: ({ subject, shown }) => `${subject} has a value that is not allowed: ${shown}.`,
}

function boundSentence({ keyword, subject, part, shown }: Spot): string {
  // In draft 4 a second keyword says that a bound is exclusive.
  const isMinimum = keyword === 'minimum' || keyword === 'exclusiveMinimum'
  const isExclusive =
    keyword.startsWith('exclusive') ||
    (isMinimum ? part.exclusiveMinimum : part.exclusiveMaximum) === true
  const [inclusive, exclusive] = isMinimum ? ['at least', 'more than'] : ['at most', 'less than']
  const how = keyword === 'multipleOf' ? 'a multiple of' : isExclusive ? exclusive : inclusive
  return `${subject} must be ${how} ${String(part[keyword])}, got ${shown}.`
}

function countSentence(how: string, what: string): (spot: Spot) => string {
  return ({ keyword, subject, part, value }) => {
    const limit = Number(part[keyword])
    const size =
      typeof value === 'string' ? Array.from(value).length : Object.keys(value ?? {}).length
    return `${subject} must have ${how} ${limit} ${what}${limit === 1 ? '' : 's'}, got ${size}.`
  }
}

function missingSentences({ path, part, value, wording }: Spot): string {
  if (!isObject(value)) return ''
  const { required = [], properties = {} } = part
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(properties, key))
  const inside = path.length === 0 ? '' : ` in ${placeOf(path)}`
  return required
    .filter((name) => !(name in value))
    .slice(0, SHOWN_VALUES)
    .map((name) => {
      const near = wording.isForWriter ? nearKey(name, unknown) : undefined
      const hint = near === undefined ? '' : ` Found ${quoted(near)}: did you mean ${quoted(name)}?`
      const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined
      const { enum: values, type }: Schema = isObject(wanted) ? wanted : {}
      const expected = values ? listed(values as unknown[]) : typeWords(type)
      return `${quoted(name)} is required${inside}: expected ${expected}.${hint}`
    })
    .join(' ')
}

/** A field that the schema does not have, and not one whose value alone does not fit. */
function unknownSentence({ path, part, parent, wording }: Spot): string {
  const name = String(path.at(-1))
  const known = Object.keys(part.properties ?? {})
  const patterns = Object.keys(part.patternProperties ?? {})
  if (known.includes(name) || patterns.some((one) => new RegExp(one, 'u').test(name))) return ''
  const where = path.length === 1 ? quoted(name) : `${quoted(name)} (${placeOf(path)})`
  if (!wording.isForWriter) return `${wording.unknown} ${where}.`
  const missing = known.filter((one) => !(isObject(parent) && one in parent))
  const near = nearKey(name, missing)
  const hint = near === undefined ? 'Remove it.' : `Did you mean ${quoted(near)}?`
  const fields =
    known.length === 0 ? '' : ` Allowed fields: ${joined(known.map((one) => quoted(one)))}.`
  return `${wording.unknown} ${where}. ${hint}${fields}`
}

function choiceSentence(spot: Spot): string {
  const { keyword, subject, shown, part } = spot
  const branches = (part[keyword] ?? []) as readonly Schema[]
  const wanted = branches.flatMap((branch) => {
    if (branch.enum) return [listed(branch.enum as unknown[])]
    if ('const' in branch) return [text(branch.const)]
    return branch.type ? [typeWords(branch.type)] : []
  })
  const what = [...new Set(wanted)].join(' or ') || 'a value that matches the schema'
  return `${subject} must be ${what}, got ${shown}.${unwrapHint(spot)}`
}

/** For a value that is right but for what a model put around it. */
function unwrapHint({ value, part, wording }: Spot): string {
  if (typeof value !== 'string' || !wording.isForWriter) return ''
  const inner = unwrapped(value)
  const types = [part.type ?? ['object', 'array']].flat()
  if (Array.isArray(inner) && types.includes('array'))
    return ' Send the array itself, not its JSON text.'
  if (isObject(inner) && types.includes('object'))
    return ' Send the object itself, not its JSON text.'
  const isNumber =
    typeof inner === 'number' && (types.includes('number') || types.includes('integer'))
  const isBoolean = typeof inner === 'boolean' && types.includes('boolean')
  return isNumber || isBoolean ? ` Remove the quotes: ${String(inner)}.` : ''
}

function nearestHint({ value, part, wording }: Spot): string {
  if (typeof value !== 'string' || !wording.isForWriter) return ''
  const texts = (part.enum ?? []).filter((one): one is string => typeof one === 'string')
  const near = nearKey(value, texts)
  return near === undefined ? '' : ` Closest match: ${quoted(near)}.`
}

function listed(values: readonly unknown[]): string {
  return values.length === 1 ? text(values[0]) : `one of ${joined(values.map(text))}`
}

function joined(values: readonly string[]): string {
  return values.slice(0, SHOWN_VALUES).join(', ') + (values.length > SHOWN_VALUES ? ', …' : '')
}

function text(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value).slice(0, 60)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
