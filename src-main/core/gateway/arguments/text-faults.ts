import { type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser'

import { type Path, placeOf, quoted, unwrapped } from './wording'

/** What a model writes is far shorter; a longer text was put together by a program, which writes no key twice. */
const LONGEST_CHECKED = 4 * 1024 * 1024

/** A key that an object of a JSON text has twice, as a sentence that names it and where; undefined for none. */
export function duplicateKey(text: string): string | undefined {
  if (text.length > LONGEST_CHECKED) return undefined
  const open: Set<string>[] = []
  let found: string | undefined
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set())
    },
    onObjectEnd: () => {
      open.pop()
    },
    onObjectProperty: (key, _offset, _length, _line, _character, path) => {
      const keys = open.at(-1)
      if (found === undefined && keys?.has(key) === true) found = duplicateSentence(key, path())
      keys?.add(key)
    },
  })
  return found
}

function duplicateSentence(key: string, inside: Path): string {
  const place = placeOf(inside)
  const where = place === '' ? '' : ` in ${place}`
  return `Duplicate key ${quoted(key)}${where}. Send it once, with the intended value.`
}

/** Longer texts are not read for the place of a fault. */
const LONGEST_PARSED = 1024 * 1024
const SHOWN_BEFORE = 30

/** What is wrong with arguments that came as a text instead of an object, as sentences. */
export function textFault(text: string): string {
  const inner = unwrapped(text)
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner))
    return 'The arguments are a JSON string. Send the object itself, without quotes or code fences.'
  if (inner !== undefined) return 'The arguments must be an object, got a string.'
  return `The arguments are a string that is not valid JSON${placeOfFault(text)}. Send an object.`
}

function placeOfFault(text: string): string {
  if (text.length > LONGEST_PARSED) return ''
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return ''
  const what = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  const before = text.slice(Math.max(0, first.offset - SHOWN_BEFORE), first.offset)
  const after = before === '' ? '' : `, after ${quoted(before)}`
  return `: ${what.toLowerCase()} at character ${first.offset + 1}${after}`
}

/** An object or a list, and how one comes to it. */
type Held = {
  readonly holder: object
  readonly step?: string | number
  readonly within?: Held
}

/**
 * A key in a value of parsed JSON that holds one half of a character (a surrogate without the other), as a sentence that
 * names it and where; undefined for none. No place with such a key can be written as the validator writes places. Never
 * recurses.
 */
export function loneSurrogateKey(value: object): string | undefined {
  const waiting: Held[] = [{ holder: value }]
  for (let within = waiting.pop(); within; within = waiting.pop()) {
    const { holder } = within
    const isList = Array.isArray(holder)
    for (const key of isList ? holder.keys() : Object.keys(holder)) {
      if (typeof key === 'string' && !key.isWellFormed()) return surrogateSentence(key, within)
      const inner = (holder as Record<string | number, unknown>)[key]
      if (typeof inner === 'object' && inner !== null)
        waiting.push({ holder: inner, step: key, within })
    }
  }
  return undefined
}

function surrogateSentence(key: string, inside: Held): string {
  const steps: (string | number)[] = []
  for (let one: Held | undefined = inside; one; one = one.within)
    if (one.step !== undefined) steps.push(one.step)
  const place = placeOf(steps.toReversed())
  const where = place === '' ? '' : ` in ${place}`
  return `Invalid Unicode in the key ${quoted(key)}${where}: lone surrogate. Send valid Unicode.`
}
