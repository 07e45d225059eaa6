import type { OutputUnit } from '@cfworker/json-schema'

import type { LeanSchema } from './lean-schema'
import { type PreparedSchema, targetOf } from './prepared-schema'
import {
  nearKey,
  type Path,
  pathOf,
  placeOf,
  quoted,
  shownValue,
  typeWords,
  unwrapped,
} from './wording'

/** Where something does not fit: the part of the schema, the value there and the one around it. */
type Spot = {
  readonly place: string
  readonly key: string | number | undefined
  readonly part: LeanSchema
  readonly value: unknown
  readonly parent: unknown
  readonly wording: Wording
}

/** In which words a fault is told. */
export type Wording = {
  /** What all of the value is called. */
  readonly whole: string
  /** Stands before the name of an unknown field. */
  readonly unknown: string
  /** Whether it is for who wrote the value, who is told how to mend it. */
  readonly isForWriter: boolean
}

/** For a model that wrote arguments. */
const ARGUMENTS: Wording = {
  whole: 'The arguments',
  unknown: 'Unknown argument',
  isForWriter: true,
}
/** For a person who reads what a tool answered. */
export const STRUCTURED_CONTENT: Wording = {
  whole: 'The structured content',
  unknown: 'Unknown field',
  isForWriter: false,
}

const SHOWN_VALUES = 12

/** One fault as a sentence; empty for one that another sentence tells. */
export function describeFault(
  prepared: PreparedSchema,
  value: unknown,
  unit: OutputUnit,
  wording = ARGUMENTS,
): string {
  const spot: Spot = { ...spotOf(prepared, value, unit), wording }
  const describe = SENTENCES[unit.keyword]
  return describe ? describe(spot) : `${subject(spot)} is invalid: ${unit.error}`
}

const SENTENCES: Readonly<Record<string, (spot: Spot) => string>> = {
  type: (spot) =>
    `${subject(spot)} must be ${typeWords(spot.part.type)}, got ${shown(spot)}.${mendHint(spot, unwrapHint)}`,
  required: missingSentence,
  unknown: unknownSentence,
  false: (spot) => `${subject(spot)} is not allowed.`,
  enum: (spot) =>
    `${subject(spot)} must be ${listed(spot.part.enum ?? [])}, got ${shown(spot)}.${mendHint(spot, nearestHint)}`,
  const: (spot) => `${subject(spot)} must be ${text(spot.part.const)}, got ${shown(spot)}.`,
  anyOf: (spot) => choiceSentence(spot, spot.part.anyOf ?? []),
  oneOf: (spot) => choiceSentence(spot, spot.part.oneOf ?? []),
  minimum: (spot) =>
    bound(spot, spot.part.exclusiveMinimum === true ? 'more than' : 'at least', 'minimum'),
  maximum: (spot) =>
    bound(spot, spot.part.exclusiveMaximum === true ? 'less than' : 'at most', 'maximum'),
  exclusiveMinimum: (spot) => bound(spot, 'more than', 'exclusiveMinimum'),
  exclusiveMaximum: (spot) => bound(spot, 'less than', 'exclusiveMaximum'),
  multipleOf: (spot) => bound(spot, 'a multiple of', 'multipleOf'),
  minLength: (spot) => counted(spot, 'at least', 'minLength', 'character'),
  maxLength: (spot) => counted(spot, 'at most', 'maxLength', 'character'),
  minItems: (spot) => counted(spot, 'at least', 'minItems', 'element'),
  maxItems: (spot) => counted(spot, 'at most', 'maxItems', 'element'),
  minProperties: (spot) => counted(spot, 'at least', 'minProperties', 'field'),
  maxProperties: (spot) => counted(spot, 'at most', 'maxProperties', 'field'),
  uniqueItems: (spot) => `${subject(spot)} must not contain duplicate elements.`,
  pattern: (spot) =>
    `${subject(spot)} must match the pattern ${quoted(spot.part.pattern ?? '', 200)}, got ${shown(spot)}.`,
  not: (spot) => `${subject(spot)} has a value that is not allowed: ${shown(spot)}.`,
}

function spotOf(
  { lean, parts }: PreparedSchema,
  args: unknown,
  { keyword, keywordLocation, instanceLocation }: OutputUnit,
): Omit<Spot, 'wording'> {
  const { path, value, parent } = valueAt(args, pathOf(instanceLocation))
  // The location of `false` is that of the value, and not of the keyword.
  const part = keyword === 'false' ? {} : partAt(lean, parts, pathOf(keywordLocation).slice(0, -1))
  return { place: placeOf(path), key: path.at(-1), part, value, parent }
}

function valueAt(
  args: unknown,
  steps: readonly string[],
): { readonly path: Path; readonly value: unknown; readonly parent: unknown } {
  let value = args
  let parent: unknown
  const path: (string | number)[] = []
  for (const step of steps) {
    parent = value
    path.push(Array.isArray(value) ? Number(step) : step)
    value = isObject(value) ? value[step] : undefined
  }
  return { path, value, parent }
}

/** Follows the way of the validator through a schema, references too. */
function partAt(
  lean: LeanSchema,
  parts: PreparedSchema['parts'],
  steps: readonly string[],
): LeanSchema {
  let at: unknown = lean
  for (const step of steps) {
    if (!isObject(at)) return {}
    at = step === '$ref' ? parts[targetOf(at) ?? ''] : at[step]
  }
  return isObject(at) ? at : {}
}

function missingSentence(spot: Spot): string {
  const { part, value, wording } = spot
  if (!isObject(value)) return ''
  const keys = Object.keys(value)
  const missing = (part.required ?? []).filter((name) => !(name in value))
  const wanted = new Set(Object.keys(part.properties ?? {}))
  const odd = keys.filter((key) => !wanted.has(key))
  return missing
    .slice(0, SHOWN_VALUES)
    .map((name) => {
      const near = wording.isForWriter ? nearKey(name, odd) : undefined
      const hint = near === undefined ? '' : ` Found ${quoted(near)}: did you mean ${quoted(name)}?`
      const inside = spot.place === '' ? '' : ` in ${spot.place}`
      return `${quoted(name)} is required${inside}: expected ${wantedOf(part, name)}.${hint}`
    })
    .join(' ')
}

function wantedOf({ properties }: LeanSchema, name: string): string {
  const wanted: unknown = properties?.[name]
  if (!isObject(wanted)) return 'a value'
  return wanted.enum ? listed(wanted.enum as unknown[]) : typeWords(wanted.type as string)
}

/** A field that the schema does not have, and not one whose value alone does not fit. */
function unknownSentence({ place, key, part, parent, wording }: Spot): string {
  const name = String(key)
  const known = Object.keys(part.properties ?? {})
  const isKnown = known.includes(name)
  if (isKnown || Object.keys(part.patternProperties ?? {}).some((one) => matches(one, name)))
    return ''
  const given = isObject(parent) ? parent : {}
  const near = nearKey(
    name,
    known.filter((one) => !(one in given)),
  )
  const hint = near === undefined ? 'Remove it.' : `Did you mean ${quoted(near)}?`
  const isOutermost = place === placeOf([name])
  const where = isOutermost ? quoted(name) : `${quoted(name)} (${place})`
  if (!wording.isForWriter) return `${wording.unknown} ${where}.`
  return `${wording.unknown} ${where}. ${hint} ${fieldsOf(known)}`.trimEnd()
}

function fieldsOf(known: readonly string[]): string {
  if (known.length === 0) return ''
  const more = known.length > SHOWN_VALUES ? ', …' : ''
  const names = known.slice(0, SHOWN_VALUES).map((name) => quoted(name))
  return `Allowed fields: ${names.join(', ')}${more}.`
}

function matches(pattern: string, name: string): boolean {
  return new RegExp(pattern, 'u').test(name)
}

function choiceSentence(spot: Spot, branches: readonly LeanSchema[]): string {
  const wanted = branches.map((branch) => {
    if (branch.enum) return listed(branch.enum as unknown[])
    return 'const' in branch ? text(branch.const) : branch.type && typeWords(branch.type)
  })
  const told = [...new Set(wanted.filter((one) => one !== undefined))]
  const what = told.length > 0 ? told.join(' or ') : 'a value that matches the schema'
  return `${subject(spot)} must be ${what}, got ${shown(spot)}.${mendHint(spot, unwrapHint)}`
}

function bound(
  spot: Spot,
  how: string,
  keyword: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf',
): string {
  return `${subject(spot)} must be ${how} ${String(spot.part[keyword])}, got ${shown(spot)}.`
}

function counted(
  spot: Spot,
  how: string,
  keyword: 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties',
  what: string,
): string {
  const { [keyword]: limit = 0 } = spot.part
  const { value } = spot
  const has =
    typeof value === 'string'
      ? Array.from(value).length
      : Array.isArray(value)
        ? value.length
        : Object.keys(value ?? {}).length
  return `${subject(spot)} must have ${how} ${limit} ${what}${limit === 1 ? '' : 's'}, got ${has}.`
}

function mendHint(spot: Spot, hintOf: (spot: Spot) => string): string {
  return spot.wording.isForWriter ? hintOf(spot) : ''
}

/** A value that is right but for what a model put around it. */
function unwrapHint({ value, part }: Spot): string {
  if (typeof value !== 'string') return ''
  const inner = unwrapped(value)
  const types = part.type === undefined ? ['object', 'array'] : [part.type].flat()
  if (Array.isArray(inner) && types.includes('array'))
    return ' Send the array itself, not its JSON text.'
  if (isObject(inner) && types.includes('object'))
    return ' Send the object itself, not its JSON text.'
  const isNumber =
    typeof inner === 'number' && (types.includes('number') || types.includes('integer'))
  const isBoolean = typeof inner === 'boolean' && types.includes('boolean')
  return isNumber || isBoolean ? ` Remove the quotes: ${String(inner)}.` : ''
}

function nearestHint({ value, part }: Spot): string {
  if (typeof value !== 'string') return ''
  const texts = (part.enum ?? []).filter((one): one is string => typeof one === 'string')
  const near = nearKey(value, texts)
  return near === undefined ? '' : ` Closest match: ${quoted(near)}.`
}

function subject({ place, wording }: Spot): string {
  return place === '' ? wording.whole : place
}

function shown({ value, key }: Spot): string {
  return shownValue(value, key)
}

function listed(values: readonly unknown[]): string {
  const shownOnes = values.slice(0, SHOWN_VALUES).map(text)
  const more = values.length > SHOWN_VALUES ? ', …' : ''
  return shownOnes.length === 1 && more === ''
    ? (shownOnes[0] ?? '')
    : `one of ${shownOnes.join(', ')}${more}`
}

function text(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value).slice(0, 60)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
