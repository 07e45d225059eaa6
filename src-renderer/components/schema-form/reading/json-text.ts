/** What a text of JSON says, or what is wrong with it and where: line and column from 1. */
export type ReadJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'fault'
      readonly message: string
      readonly line: number
      readonly column: number
    }

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
/** The third parameter of a reviver is not in the library of types yet (ECMAScript, JSON.parse source text access). */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

const WHOLE = /^-?\d+$/u

/** Whether a number of JSON is a whole one that would be sent as another. */
export function isMangled(source: string): boolean {
  if (!WHOLE.test(source) || Number.isSafeInteger(Number(source))) return false
  const read = Number(source)
  if (!Number.isFinite(read)) return true
  return String(read) !== source && BigInt(read) !== BigInt(source)
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Where the engine says that the fault is; undefined where it does not say. */
function placeIn(message: string): number | undefined {
  const position = /position (\d+)/u.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

/** Whether no further text can fix a beginning of JSON. */
function isBeyondMending(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return false
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const isUnfinished = /Unexpected end|Unterminated/u.test(cause.message)
    return !isUnfinished && (placeIn(cause.message) ?? 0) < beginning.length
  }
}

/** Where the fault is: named by the engine, or found as the end of the shortest beginning that cannot be fixed. */
function faultAt(text: string, message: string): number {
  const place = placeIn(message)
  if (place !== undefined) return Math.min(place, text.length)
  let [whole, broken] = [0, text.length + 1]
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2)
    if (isBeyondMending(text.slice(0, middle))) broken = middle
    else whole = middle
  }
  return Math.min(broken - 1, text.length)
}

function reasonOf(text: string, at: number): string {
  const sign = text.slice(at, at + 1)
  if (sign === '') return 'Unexpected end of text'
  return sign === '\n' ? 'Unexpected end of line' : `Unexpected ${JSON.stringify(sign)}`
}

/** Reads JSON; whole numbers that would lose digits are a fault, as they would be sent as others. */
export function readJson(text: string): ReadJson {
  const mangled: { source?: string } = {}
  try {
    const value = parse(text, (_key, one, { source }) => {
      if (typeof one === 'number' && source !== undefined && isMangled(source))
        mangled.source ??= source
      return one
    })
    if (mangled.source === undefined) return { kind: 'value', value }
    const message = `${mangled.source} has too many digits and would be sent as ${String(Number(mangled.source))}`
    return { kind: 'fault', message, ...placeOf(text, text.indexOf(mangled.source)) }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const at = faultAt(text, cause.message)
    return { kind: 'fault', message: reasonOf(text, at), ...placeOf(text, at) }
  }
}

/** A fault in words: "Line 2, column 5: Unexpected "}".". */
export function faultWords(fault: Extract<ReadJson, { kind: 'fault' }>): string {
  return `Line ${fault.line}, column ${fault.column}: ${fault.message}.`
}

/** Before a text that was typed as JSON and is none; no keyboard writes it. */
const MARK = '\u{0}unread:'

/** A text that waits to become JSON, as a value of a form. */
export function asUnread(text: string): string {
  return MARK + text
}

/** What was typed; undefined for every other value. */
export function unreadText(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined
}

/** The places that hold a text that waits to become JSON. */
export function unreadPlaces(value: unknown, path: readonly string[] = []): string[][] {
  if (unreadText(value) !== undefined) return [[...path]]
  if (Array.isArray(value))
    return value.flatMap((one, place) => unreadPlaces(one, [...path, String(place)]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => unreadPlaces(one, [...path, name]))
}

/** The values of a form without what was left out: those that have a name but no value. */
export function withoutUnset(values: unknown): unknown {
  if (Array.isArray(values)) return values.map((one) => withoutUnset(one) ?? null)
  if (!isJsonObject(values)) return values
  const made: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(values))
    if (one !== undefined) put(made, name, withoutUnset(one))
  return made
}

/** A value as text: one of another type as JSON, and none as nothing. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined)
  return text ?? ''
}

/** Arguments as lines of JSON. */
export function writtenJson(values: unknown): string {
  return JSON.stringify(values, null, 2)
}

/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value can stand where a schema is expected (JSON Schema 2020-12, 4.3: an object or a boolean). */
export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** A member that an object has itself; never one of every object, such as `toString`. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The texts of a list; nothing of what is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Sets a member as an own one, whatever its name is. */
export function put(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

function isTypes(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  return types.length > 0 && types.every((one) => TYPES.some((type) => type === one))
}

function isSchemas(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

type Rule = readonly [isFit: (value: unknown) => boolean, words: string]

const SCHEMA: Rule = [isSchema, 'a schema']
const SCHEMAS: Rule = [isSchemas, 'a list of schemas']
const MAP: Rule = [
  (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  'an object of schemas',
]
const COUNT: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 0,
  'a whole number, 0 or more',
]
const NUMBER: Rule = [Number.isFinite, 'a number']

/** What the words that a form is made of must be (JSON Schema 2020-12). */
const RULES: Readonly<Record<string, Rule>> = {
  type: [isTypes, 'a type such as "string", or a list of them'],
  properties: MAP,
  patternProperties: MAP,
  required: [isTexts, 'a list of names'],
  enum: [Array.isArray, 'a list of values'],
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  prefixItems: SCHEMAS,
  items: [(value) => isSchema(value) || isSchemas(value), 'a schema'],
  additionalProperties: SCHEMA,
  not: SCHEMA,
  if: SCHEMA,
  then: SCHEMA,
  else: SCHEMA,
  $ref: [(value) => typeof value === 'string', 'a text'],
  pattern: [(value) => typeof value === 'string', 'a text'],
  format: [(value) => typeof value === 'string', 'a text'],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: [(value) => Number.isFinite(value) && Number(value) > 0, 'a number above 0'],
}

/** What is wrong with a schema itself, not with what stands inside of it: `"required" must be a list of names`. */
export function schemaFault(schema: JsonObject): string | undefined {
  for (const [key, [isFit, words]] of Object.entries(RULES))
    if (Object.hasOwn(schema, key) && !isFit(schema[key])) return `"${key}" must be ${words}`
  return undefined
}
