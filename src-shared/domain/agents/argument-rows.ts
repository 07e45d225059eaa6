import * as z from 'zod'

import { isJsonObject } from '../json-object'

/** A folded run of characters that would push others out of sight, with its length. */
const Fold = z.object({
  fold: z.enum(['space', 'line break', 'combining mark']),
  count: z.number(),
})
type Fold = z.infer<typeof Fold>

/** One argument of a call, or a value inside one, as the approval shows it. */
export const ArgumentRow = z.object({
  /** Path of the value, such as `options.paths[2]`. */
  name: z.string(),
  /** Invisible characters are written as codes. */
  value: z.array(z.union([z.string(), Fold])),
  /** A text, a text that would read as another value without quotes, or JSON. */
  kind: z.enum(['text', 'quoted', 'json']),
  /** Number of characters of name and value that are not shown. */
  more: z.number(),
})
export type ArgumentRow = z.infer<typeof ArgumentRow>

/** The text of an argument, cut if it is too long for a window. */
export const ArgumentText = z.object({ text: z.string(), isCut: z.boolean() })
export type ArgumentText = z.infer<typeof ArgumentText>

/** A row with a function that returns its complete text. */
export type WholeArgument = { readonly row: ArgumentRow; readonly whole: () => string }

/** Maximum number of rows of nested values and of arguments. A larger container becomes one row. */
const MAX_NESTED = 200
const MAX_ARGUMENTS = 500
/** Deeper values become one row. */
const MAX_LEVELS = 12
/** A list or object with at most this many characters becomes one row. */
const SHORT = 80
/** Maximum length of a shown value, in characters. A line break or a fold counts as more, because it takes more room. */
const MAX_VALUE_LENGTH = 240
const MAX_NAME_LENGTH = 100
const LINE_BREAK_COST = MAX_VALUE_LENGTH / 6
const FOLD_COST = 24
/** Longer runs are folded. */
const MAX_SPACES = 16
const MAX_BREAKS = 2
const MAX_MARKS = 3

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu
/** A run of spaces and line breaks, a run of combining marks, or one character. */
const TOKEN = /([\p{White_Space}\u2800]+)|(\p{M}+)|([^])/uy
/** Invisible or misleading characters, except plain space, tab and line feed. */
const UNMARKED =
  /(?![ \t\n])[\p{White_Space}\u2800\p{C}\p{Default_Ignorable_Code_Point}]|(?<=\p{M}{3})\p{M}/gu
const READS_AS_VALUE = /^(?:|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|["[{][^]*)$/u
const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/u
const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean }

/** Replaces every invisible character by its code, such as `<U+202E>`. Space, tab and line feed stay. */
export function escapeInvisible(text: string): string {
  return text.replace(UNMARKED, asCode)
}

/**
 * Returns the arguments of a call as rows: one for each argument, and for each nested value while there is room, so that a long value hides
 * no other. Numbers keep the digits that are sent (see `exactJson`).
 */
export function argumentRows(args: unknown): readonly WholeArgument[] {
  const entries = isContainer(args) ? entriesOf(args) : []
  const shown = entries.slice(0, MAX_ARGUMENTS)
  const opened = openedIn(shown.map(([, value]) => value))
  const rows: WholeArgument[] = []
  const add = (path: string, value: unknown): void => {
    if (!opened.has(value)) rows.push(rowOf(path, value))
    else for (const [key, inner] of entriesOf(value as object)) add(path + stepOf(key, path), inner)
  }
  for (const [key, value] of shown) add(stepOf(key, ''), value)
  const others = Object.fromEntries(entries.slice(MAX_ARGUMENTS))
  const omitted = entries.length - shown.length
  if (omitted > 0) {
    const whole = escapeInvisible(JSON.stringify(others))
    const name = `${String(omitted)} more arguments`
    const row: ArgumentRow = { name, value: [], kind: 'json', more: whole.length }
    rows.push({ row, whole: () => whole })
  }
  return rows
}

/** Returns the rows as plain lines for an app that shows text only; undefined if the lines would not show all of them. */
export function argumentLines(
  rows: readonly ArgumentRow[],
  most: { readonly lines: number; readonly characters: number },
): string | undefined {
  if (rows.length > most.lines || rows.some(({ more }) => more > 0)) return undefined
  const lines = rows.map(({ name, value, kind }) => {
    const isText = kind !== 'json'
    // A line break in a value would start another row.
    const parts = value.map((part) =>
      typeof part === 'string' && isText ? JSON.stringify(part).slice(1, -1) : plain(part),
    )
    return isText ? `${name}: "${parts.join('')}"` : `${name}: ${parts.join('')}`
  })
  const text = lines.join('\n')
  return text.length > most.characters ? undefined : text
}

function plain(part: string | Fold): string {
  if (typeof part === 'string') return part
  const { fold, count } = part
  return `<${count.toLocaleString('en-US')} ${fold}${count === 1 ? '' : 's'}>`
}

/**
 * Returns the containers whose members get rows of their own: outer ones first, and of these the small ones, so that a large one hides no
 * other.
 */
function openedIn(values: readonly unknown[]): ReadonlySet<unknown> {
  const opened = new Set<unknown>()
  let remaining = MAX_NESTED
  let level = values
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    const next: unknown[] = []
    const containers = level.filter((value) => isContainer(value))
    const bySize = containers.toSorted((a, b) => sizeOf(a) - sizeOf(b))
    for (const value of bySize) {
      const size = sizeOf(value)
      if (size === 0 || size > remaining || isShort(value)) continue
      remaining -= size
      opened.add(value)
      for (const [, inner] of entriesOf(value)) next.push(inner)
    }
    level = next
  }
  return opened
}

/** Whether one row shows all of a container. */
function isShort(value: object): boolean {
  return lengthUpTo(value, SHORT) <= SHORT && headOf(JSON.stringify(value), SHORT).more === 0
}

/** Approximate length of a value as JSON; at least `most` if it is longer. */
function lengthUpTo(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (!isContainer(value)) return 4
  let length = 2
  for (const [key, inner] of entriesOf(value)) {
    length += String(key).length + lengthUpTo(inner, most - length)
    if (length > most) break
  }
  return length
}

function rowOf(path: string, value: unknown): WholeArgument {
  const isText = typeof value === 'string'
  const text = isText ? value : JSON.stringify(value)
  const name = headOf(path, MAX_NAME_LENGTH)
  const head = headOf(text, MAX_VALUE_LENGTH)
  return {
    row: {
      name: name.value.map(plain).join(''),
      value: head.value,
      kind: isText ? (readsAsValue(text) ? 'quoted' : 'text') : 'json',
      more: name.more + head.more,
    },
    whole: () => {
      const all = escapeInvisible(isText ? value : JSON.stringify(value, null, 2))
      return name.more > 0 ? `${escapeInvisible(path)}\n${all}` : all
    },
  }
}

/** Whether a text would read as a number, a keyword, a structure of JSON or an empty value. */
function readsAsValue(text: string): boolean {
  return text.trim() !== text || READS_AS_VALUE.test(text)
}

/** Returns as much of a text as there is room for, with long runs folded. */
function headOf(text: string, maxLength: number): Pick<ArgumentRow, 'value' | 'more'> {
  const value: ArgumentRow['value'] = []
  let [at, room] = [0, maxLength]
  const add = (part: string | Fold, cost: number): void => {
    room -= cost
    const before = value.at(-1)
    if (typeof part === 'string' && typeof before === 'string')
      value[value.length - 1] = before + part
    else value.push(part)
  }
  while (at < text.length && room > 0) {
    TOKEN.lastIndex = at
    const [token = '', space, marks] = TOKEN.exec(text) ?? []
    if (token === '') break
    at += token.length
    if (space !== undefined) for (const [part, cost] of spaceParts(space)) add(part, cost)
    else if (marks !== undefined && marks.length > MAX_MARKS) {
      const first = Array.from(marks.slice(0, 2 * MAX_MARKS))
        .slice(0, MAX_MARKS)
        .join('')
      add(first, MAX_MARKS)
      add({ fold: 'combining mark', count: marks.length - first.length }, FOLD_COST)
    } else {
      const shown = escapeInvisible(token)
      add(shown, shown.length)
    }
  }
  return { value, more: text.length - at }
}

/** Returns the shown parts of a run of spaces and line breaks, with the cost of each. */
function spaceParts(run: string): readonly (readonly [string | Fold, number])[] {
  const breaks = run.match(BREAK)?.length ?? 0
  const spaces = run.length - (run.match(BREAK)?.join('').length ?? 0)
  if (breaks <= MAX_BREAKS && spaces <= MAX_SPACES) {
    const shown = escapeInvisible(run)
    return [[shown, shown.length + breaks * LINE_BREAK_COST]]
  }
  const folds: Fold[] = [
    { fold: 'space', count: spaces },
    { fold: 'line break', count: breaks },
  ]
  return folds.filter(({ count }) => count > 0).map((fold) => [fold, FOLD_COST] as const)
}

function isContainer(value: unknown): value is object {
  return (isJsonObject(value) && !isRawJSON(value)) || Array.isArray(value)
}

function sizeOf(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function entriesOf(value: object): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value)
}

function stepOf(key: string | number, path: string): string {
  if (typeof key === 'number') return `[${String(key)}]`
  if (!PLAIN_KEY.test(key)) return path === '' ? key : `[${JSON.stringify(key)}]`
  return path === '' ? key : `.${key}`
}

function asCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `<U+${code}>`
}
