import { isJsonObject } from '../../../../src-shared/domain/json-object'

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
/** TypeScript's library lacks the third parameter of a reviver and `rawJSON` (ECMAScript, JSON.parse source text access). */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown
  readonly isRawJSON: (value: unknown) => boolean
}
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Without a match, JavaScript serializes every number of a text as it was written. */
const SUSPECT = /\d(?:\.|[eE]|\d{15})|-0/u
/** Numbers with more digits or a larger exponent than JavaScript certainly represents. */
const LONG = /-?(?=[\d.]{16})\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?\d+(?:\.\d+)?[eE][+-]?\d{3,}/gu

/** Whether a JSON text may contain numbers that JavaScript would serialize differently, such as 1 for 1.0. */
export function mayBeRespelled(text: string): boolean {
  return SUSPECT.test(text)
}

/** Whether a JSON text may contain numbers whose value would change in JavaScript; matches in strings count, too. */
export function mayLoseDigits(text: string): boolean {
  LONG.lastIndex = 0
  for (let found = LONG.exec(text); found; found = LONG.exec(text))
    if (String(Number(found[0])) !== found[0]) return true
  return false
}

/**
 * Parses JSON so that `JSON.stringify` writes each number with its original digits. A number that JavaScript would serialize differently
 * becomes an object that only `JSON.stringify` reads. Throws as `JSON.parse` does.
 */
export function exactJson(text: string): unknown {
  if (!mayBeRespelled(text)) return JSON.parse(text)
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? rawJSON(source)
      : value,
  )
}

/** Returns the member of a JSON text at a path, as `exactJson` parses it; undefined if there is none. */
export function exactAt(text: string, path: readonly string[]): unknown {
  const at = (one: unknown, key: string): unknown => (isJsonObject(one) ? one[key] : undefined)
  return path.reduce(at, exactJson(text))
}

/**
 * Parses JSON with each integer that JavaScript can't represent as a bigint, so that ids compare by their digits. Throws as `JSON.parse`
 * does.
 */
export function parseWithBigInts(text: string): unknown {
  if (!mayLoseDigits(text)) return JSON.parse(text)
  return parse(text, (_key, value, { source }) =>
    source !== undefined && /^-?\d+$/u.test(source) && !Number.isSafeInteger(value)
      ? BigInt(source)
      : value,
  )
}

/** Serializes a value of `parseWithBigInts`, with all digits. */
export function stringifyWithBigInts(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'bigint' ? rawJSON(String(one)) : one,
  )
}

/** A number that JavaScript can't represent: its path in a value, and its digits. */
export type ExactNumber = { readonly path: readonly (string | number)[]; readonly digits: string }

/** Returns the numbers of an `exactJson` value that would change in JavaScript. The caller has to reject deep values. */
export function longNumbersIn(
  exact: unknown,
  path: readonly (string | number)[] = [],
): ExactNumber[] {
  if (isRawJSON(exact)) {
    const digits = JSON.stringify(exact)
    return mayLoseDigits(digits) ? [{ path, digits }] : []
  }
  if (Array.isArray(exact))
    return exact.flatMap((one, index) => longNumbersIn(one, [...path, index]))
  if (typeof exact !== 'object' || exact === null) return []
  return Object.entries(exact).flatMap(([key, one]) => longNumbersIn(one, [...path, key]))
}

/** Returns a value that `JSON.stringify` writes with these digits; a place whose number has changed stays as it is. */
export function withLongNumbers<T>(value: T, numbers: readonly ExactNumber[]): T {
  return numbers.reduce((now, { path, digits }) => withDigits(now, path, digits) as T, value)
}

function withDigits(value: unknown, path: ExactNumber['path'], digits: string): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value === Number(digits) ? rawJSON(digits) : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const members = value as Readonly<Record<string | number, unknown>>
  const now = withDigits(members[key], rest, digits)
  if (now === members[key]) return value
  if (Array.isArray(value)) return value.with(Number(key), now)
  return Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, name === key ? now : one]),
  )
}

export function isRawJson(value: unknown): boolean {
  return isRawJSON(value)
}
