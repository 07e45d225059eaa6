import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'

/** The value of a JSON text, or its syntax error with line and column from 1. */
export type ReadJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | {
      readonly kind: 'fault'
      readonly message: string
      readonly line: number
      readonly column: number
    }

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
/** The TypeScript library lacks the third parameter of a reviver (ECMAScript, JSON.parse source text access). */
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

const INTEGER = /^-?\d+$/u

/** Whether a JSON integer would be sent as a different number. */
export function losesDigits(source: string): boolean {
  if (!INTEGER.test(source) || Number.isSafeInteger(Number(source))) return false
  const read = Number(source)
  if (!Number.isFinite(read)) return true
  return String(read) !== source && BigInt(read) !== BigInt(source)
}

function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Returns the position in the engine's error message; undefined if it has none. */
function positionIn(message: string): number | undefined {
  const position = /position (\d+)/u.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

/** Whether no continuation can make a prefix valid JSON. */
function isUnrecoverable(prefix: string): boolean {
  try {
    JSON.parse(prefix)
    return false
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const isUnfinished = /Unexpected end|Unterminated/u.test(cause.message)
    return !isUnfinished && (positionIn(cause.message) ?? 0) < prefix.length
  }
}

/** Returns the position of the error: the engine's, or else the end of the shortest prefix that no text can complete. */
function faultAt(text: string, message: string): number {
  const position = positionIn(message)
  if (position !== undefined) return Math.min(position, text.length)
  let [completable, broken] = [0, text.length + 1]
  while (broken - completable > 1) {
    const middle = Math.floor((completable + broken) / 2)
    if (isUnrecoverable(text.slice(0, middle))) broken = middle
    else completable = middle
  }
  return Math.min(broken - 1, text.length)
}

function reasonOf(text: string, at: number): string {
  const sign = text.slice(at, at + 1)
  if (sign === '') return 'Unexpected end of text'
  return sign === '\n' ? 'Unexpected end of line' : `Unexpected ${JSON.stringify(sign)}`
}

/** Parses JSON. An integer that would lose digits is an error, because another number would be sent. */
export function readJson(text: string): ReadJson {
  const mangled: { source?: string } = {}
  try {
    const value = parse(text, (_key, one, { source }) => {
      if (typeof one === 'number' && source !== undefined && losesDigits(source))
        mangled.source ??= source
      return one
    })
    if (mangled.source === undefined) return { kind: 'value', value }
    const message = `${mangled.source} has too many digits and would be sent as ${String(Number(mangled.source))}`
    return { kind: 'fault', message, ...lineAndColumn(text, text.indexOf(mangled.source)) }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    const at = faultAt(text, cause.message)
    return { kind: 'fault', message: reasonOf(text, at), ...lineAndColumn(text, at) }
  }
}

/** Formats an error: "Line 2, column 5: Unexpected "}".". */
export function faultMessage(fault: Extract<ReadJson, { kind: 'fault' }>): string {
  return `Line ${fault.line}, column ${fault.column}: ${fault.message}.`
}

/** Prefix of a value that holds invalid JSON input; no keyboard types it. */
const MARK = '\u{0}unread:'

/** Wraps invalid JSON input as a form value. */
export function asRaw(text: string): string {
  return MARK + text
}

/** Returns the wrapped JSON input; undefined for any other value. */
export function rawText(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined
}

/** Returns the paths of all values that hold invalid JSON input. */
export function rawPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (rawText(value) !== undefined) return [[...path]]
  if (Array.isArray(value))
    return value.flatMap((one, index) => rawPaths(one, [...path, String(index)]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => rawPaths(one, [...path, name]))
}

/** Removes the members without a value from form values. */
export function withoutUnset(values: unknown): unknown {
  if (Array.isArray(values)) return values.map((one) => withoutUnset(one) ?? null)
  if (!isJsonObject(values)) return values
  const made: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(values))
    if (one !== undefined) setOwn(made, name, withoutUnset(one))
  return made
}

/** Returns a value as text: other types as JSON, undefined as an empty text. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined)
  return text ?? ''
}

/** Pretty-prints arguments as JSON. */
export function prettyJson(values: unknown): string {
  return JSON.stringify(values, null, 2)
}

/** Whether a value is a schema (JSON Schema 2020-12, 4.3: an object or a boolean). */
export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** Returns an own member; undefined for inherited ones such as `toString`. */
export function getOwn(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Returns the strings of a list; empty for any other value. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Sets an own member, whatever its name is. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
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

/** Required types of the keywords that the form uses (JSON Schema 2020-12). */
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

/** Returns the first fault of a schema itself, without its subschemas: `"required" must be a list of names`. */
export function schemaFault(schema: JsonObject): string | undefined {
  for (const [key, [isFit, message]] of Object.entries(RULES))
    if (Object.hasOwn(schema, key) && !isFit(schema[key])) return `"${key}" must be ${message}`
  return undefined
}
