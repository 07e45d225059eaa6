import { type OutputUnit, type Schema, validate } from '@cfworker/json-schema'

import { isJsonObject, type JsonObject, put } from '../reading/json-object'
import { longestTextFor } from '../reading/safe-pattern'
import { type CheckedSchema } from './checked-schema'

/** What a value does against its schema. */
export type Checked = {
  readonly units: readonly OutputUnit[]
  /** False where it could not be looked at to the end: the server decides. */
  readonly isChecked: boolean
}

/** How many schemas may be looked at for one value. */
const MOST_LOOKS = 50_000
/** Most values that are checked here, and most of one list. */
const MOST_VALUES = 20_000
const LONGEST_LIST = 2_000
const DEEPEST = 100
/** Longest text that a format is tried on. */
const LONGEST_FORMATTED = 5_000

class TooMuchError extends Error {}

type Sizes = { values: number; longestText: number }

/** The same value without what every object has, such as `toString`; throws where it is too large to be checked. */
function bare(value: unknown, sizes: Sizes, depth: number): unknown {
  sizes.values += 1
  if (sizes.values > MOST_VALUES || depth > DEEPEST) throw new TooMuchError()
  if (typeof value === 'string') sizes.longestText = Math.max(sizes.longestText, value.length)
  if (Array.isArray(value)) {
    if (value.length > LONGEST_LIST) throw new TooMuchError()
    return value.map((one) => bare(one, sizes, depth + 1))
  }
  if (!isJsonObject(value)) return value
  const made = Object.create(null) as Record<string, unknown>
  for (const [key, one] of Object.entries(value))
    if (one !== undefined) put(made, key, bare(one, sizes, depth + 1))
  return made
}

function isTried(key: string, value: unknown, longestText: number): boolean {
  if (key === 'pattern') return longestText <= longestTextFor(value)
  return key !== 'format' || longestText <= LONGEST_FORMATTED
}

type CountedSchema = {
  readonly schema: Schema | boolean
  readonly lookup: Record<string, Schema | boolean>
  readonly isWhole: boolean
}

/** Words whose values hold no schemas. */
const PLAIN = new Set(['const', 'enum', 'required', 'type'])
/** Words that hold schemas by the names of members. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  'dependentRequired',
])

/**
 * The schema with a counter in its way: whoever looks at one of its parts reads `$ref` first. That bounds how long a
 * check takes, whatever the schema is made of.
 */
function counted(checked: CheckedSchema, longestText: number): CountedSchema {
  const done = new Map<unknown, unknown>()
  const state = { looks: 0, isWhole: checked.isWhole }
  const look = (): void => {
    state.looks += 1
    if (state.looks > MOST_LOOKS) throw new TooMuchError()
  }
  const byName = (map: JsonObject): JsonObject => {
    const made: Record<string, unknown> = {}
    for (const [name, one] of Object.entries(map)) put(made, name, wrap(one))
    return made
  }
  const wordOf = (key: string, one: unknown): unknown => {
    if (PLAIN.has(key)) return one
    return MAPS.has(key) && isJsonObject(one) ? byName(one) : wrap(one)
  }
  const wrap = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(wrap)
    if (!isJsonObject(value)) return value
    if (done.has(value)) return done.get(value)
    const made: Record<string, unknown> = {}
    done.set(value, made)
    for (const [key, one] of Object.entries(value))
      if (isTried(key, one, longestText)) made[key] = wordOf(key, one)
      else state.isWhole = false
    const get = (): unknown => {
      look()
      return value.$ref
    }
    Object.defineProperty(made, '$ref', { enumerable: false, get })
    return made
  }
  const schema = wrap(checked.schema) as CountedSchema['schema']
  const lookup = byName(checked.lookup) as CountedSchema['lookup']
  return { schema, lookup, isWhole: state.isWhole }
}

/** Checks a value without running code of the schema and within a bounded time; never throws. */
export function checkValues(checked: CheckedSchema, value: unknown): Checked {
  const sizes: Sizes = { values: 0, longestText: 0 }
  try {
    const plain = bare(value, sizes, 0)
    const { schema, lookup, isWhole } = counted(checked, sizes.longestText)
    const { errors } = validate(plain, schema, '2020-12', lookup, false)
    return { units: errors, isChecked: isWhole }
  } catch (cause) {
    // A schema that names itself without end, or one that asks for more than a check here may take.
    // A name with half a character cannot be put into the place of an error.
    const isExpected = [TooMuchError, RangeError, URIError].some((kind) => cause instanceof kind)
    if (isExpected) return { units: [], isChecked: false }
    throw cause
  }
}

/** The part of a schema that a place of an error names: its keyword and the schema that it stands in. */
export function keywordAt(checked: CheckedSchema, location: string): JsonObject | undefined {
  const steps = location.split('/').slice(1, -1).map(unescapeStep)
  let place: unknown = checked.schema
  for (const step of steps) {
    if (typeof place !== 'object' || place === null) return undefined
    place = (place as JsonObject)[step]
    if (step === '$ref') place = checked.lookup[String(place)]
  }
  return isJsonObject(place) ? place : undefined
}

/** A step of a place as it was before it was encoded (RFC 6901, and once more as a part of an address). */
export function unescapeStep(step: string): string {
  return decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~')
}
