import { isJsonObject, put } from './json-object'

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
