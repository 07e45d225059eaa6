import { TurnShare } from '../lifecycle/turn-share'
import type { Redactor } from './redact'

/** The parts of a redactor for uncut text. */
export type FullMask = Pick<Redactor, 'maskWhole' | 'forms'>

type Mask = (text: string) => string
/** Work that can be interrupted between its steps. */
type Steps<T> = Generator<undefined, T>

/** Maximum levels of JSON within JSON, such as a tool's text that contains JSON. */
const MAX_LEVELS = 3
const NUMBER = /-?\d[\d.eE+-]*/gu
/** All characters of numbers. */
const IN_NUMBERS = /^[\d.eE+-]+$/u
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/gu
/** One or more percent-encoded bytes (RFC 3986, section 2.1). */
const PERCENT = /(?:%[\dA-Fa-f]{2})+/gu
/** UTF-16 units processed per step. */
const STEP = 64 * 1024
/** UTF-16 units searched per window of a long text. */
const WINDOW = 1024 * 1024

/**
 * Masks a JSON text and keeps it valid. Covers each text in its decoded form, including nested JSON and addresses, and numbers, which
 * become texts. Everything else stays as it was written. Not recursive.
 */
export function maskJson(json: string, by: FullMask): string {
  const steps = masking(json, by)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Like `maskJson` for a text that may be long: yields to the event loop. */
export async function maskJsonInTurns(json: string, by: FullMask): Promise<string> {
  const steps = masking(json, by)
  const turn = new TurnShare()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (turn.isUsedUp) await turn.next()
  }
}

function* masking(json: string, by: FullMask): Steps<string> {
  if (by.forms.length === 0) return json
  // If no secret occurs literally, only escapes can hide one.
  const areEscapesOnly = !(yield* isAnyIn(json, by))
  const masked = yield* maskedTexts(json, by, areEscapesOnly)
  if (areEscapesOnly && masked === json) return json
  // A secret that is JSON itself may span several texts: the rest is shown as one text.
  return (yield* isAnyIn(masked, by)) ? JSON.stringify(by.maskWhole(masked)) : masked
}

/** Masks the texts and numbers of a JSON text; with `areEscapesOnly`, only texts with escapes. */
function* maskedTexts(
  json: string,
  { maskWhole: mask, forms }: FullMask,
  areEscapesOnly: boolean,
): Steps<string> {
  const hasNumbers = !areEscapesOnly && forms.some((form) => IN_NUMBERS.test(form))
  const done: string[] = []
  const parts: string[] = []
  let copied = 0
  const replace = (from: number, to: number, shown: string): void => {
    parts.push(json.slice(copied, from), shown)
    copied = to
  }
  let at = 0
  let stepped = 0
  for (const { from, to } of textsOf(json)) {
    if (hasNumbers) maskNumbers(json.slice(at, from), at, { mask, replace })
    const text = json.slice(from, to)
    // Escapes may spell anything in a way that no known form of a secret covers.
    const hasEscapes = text.includes('\\') || text.includes('%')
    if (hasEscapes || !areEscapesOnly) {
      const meant = hasEscapes ? (JSON.parse(text) as string) : text.slice(1, -1)
      const shown = hasEscapes ? yield* maskedMeaning(meant, mask) : mask(meant)
      if (shown !== meant) replace(from, to, JSON.stringify(shown))
    }
    at = to
    if (to - stepped < STEP) continue
    stepped = to
    // Many small parts would take more memory than their text.
    done.push(parts.splice(0).join(''))
    yield
  }
  if (hasNumbers) maskNumbers(json.slice(at), at, { mask, replace })
  return copied === 0 ? json : [...done, ...parts, json.slice(copied)].join('')
}

/** Whether a text contains any secret literally. */
function* isAnyIn(text: string, { maskWhole, forms }: FullMask): Steps<boolean> {
  const overlap = (forms[0]?.length ?? 1) - 1
  for (let from = 0; from < text.length; from += WINDOW) {
    const part = text.slice(from, from + WINDOW + overlap)
    if (maskWhole(part) !== part) return true
    yield
  }
  return false
}

/** Yields the ranges of the strings in a JSON text, including quotes. */
function* textsOf(json: string): Generator<{ readonly from: number; readonly to: number }> {
  for (let from = json.indexOf('"'); from !== -1;) {
    let end = json.indexOf('"', from + 1)
    while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
    const to = end === -1 ? json.length : end + 1
    yield { from, to }
    from = json.indexOf('"', to)
  }
}

function isEscaped(json: string, at: number): boolean {
  let before = at
  while (json[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

function maskNumbers(
  between: string,
  at: number,
  by: {
    readonly mask: Mask
    readonly replace: (from: number, to: number, shown: string) => void
  },
): void {
  for (const { 0: number, index } of between.matchAll(NUMBER)) {
    const shown = by.mask(number)
    const from = at + index
    if (shown !== number) by.replace(from, from + number.length, JSON.stringify(shown))
  }
}

/** Returns a text with its secrets masked, also behind more levels of escapes, which are removed then; the same text if there are none. */
function* maskedMeaning(meant: string, mask: Mask): Steps<string> {
  let shown = meant
  let text = meant
  const inspect = (one: string): void => {
    const masked = mask(one)
    if (masked !== one) text = shown = masked
  }
  // A text masked at one level may occur again at the next.
  for (let level = 0; level <= MAX_LEVELS; level += 1) {
    inspect(text)
    if (text.includes('%')) inspect(yield* replaced(text, PERCENT, bytesMeant))
    if (level === MAX_LEVELS || !text.includes('\\')) break
    text = yield* replaced(text, ESCAPE, unitMeant)
  }
  return shown
}

/** Like `replaceAll`, in steps. */
function* replaced(text: string, what: RegExp, by: (found: string) => string): Steps<string> {
  if (text.length < STEP) return text.replace(what, by)
  const done: string[] = []
  const parts: string[] = []
  let copied = 0
  let stepped = 0
  for (const { 0: found, index } of text.matchAll(what)) {
    parts.push(text.slice(copied, index), by(found))
    copied = index + found.length
    if (copied - stepped < STEP) continue
    stepped = copied
    done.push(parts.splice(0).join(''))
    yield
  }
  return [...done, ...parts, text.slice(copied)].join('')
}

function unitMeant(escape: string): string {
  const [, mark = ''] = escape
  if (mark === '"' || mark === '\\' || mark === '/') return mark
  return JSON.parse(`"${escape}"`) as string
}

function bytesMeant(percents: string): string {
  return Buffer.from(percents.replaceAll('%', ''), 'hex').toString()
}
