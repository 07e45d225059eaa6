import { TurnShare } from '../lifecycle/turn-share'
import type { Redactor } from './redact'

/** What of a redactor a text is masked by that was not cut. */
export type WholeMask = Pick<Redactor, 'maskWhole' | 'forms'>

type Mask = (text: string) => string
/** Work that may be left between its steps. */
type Steps<T> = Generator<undefined, T>

/** JSON within JSON that is looked into, such as a tool's text that is JSON itself. */
const MOST_LEVELS = 3
const NUMBER = /-?\d[\d.eE+-]*/gu
/** All that stands in a number. */
const IN_NUMBERS = /^[\d.eE+-]+$/u
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/gu
/** One or more bytes as an address has them (RFC 3986, section 2.1). */
const PERCENT = /(?:%[\dA-Fa-f]{2})+/gu
/** UTF-16 units that are gone through in one step. */
const STEP = 64 * 1024
/** Of a text that is searched in parts. */
const WINDOW = 1024 * 1024

/**
 * Masks a JSON text, which stays one: each of its texts as it is meant, whatever escapes it is written with, also those of
 * JSON or of an address that stands in a text; and numbers, which become texts then. All else stays as it was written.
 * Never recurses.
 */
export function maskJson(json: string, by: WholeMask): string {
  const steps = masking(json, by)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same for a text that may be long: others have their turns meanwhile. */
export async function maskJsonInTurns(json: string, by: WholeMask): Promise<string> {
  const steps = masking(json, by)
  const turn = new TurnShare()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (turn.isOver) await turn.next()
  }
}

function* masking(json: string, by: WholeMask): Steps<string> {
  if (by.forms.length === 0) return json
  // Where nothing of it stands as it is, only escapes can hide a secret.
  const areEscapesOnly = !(yield* isAnyIn(json, by))
  const masked = yield* maskedTexts(json, by, areEscapesOnly)
  if (areEscapesOnly && masked === json) return json
  // A secret that is JSON itself may stand across several texts: what it leaves is shown as one text.
  return (yield* isAnyIn(masked, by)) ? JSON.stringify(by.maskWhole(masked)) : masked
}

/** A JSON text with its texts and numbers masked; where `areEscapesOnly`, only the texts that have escapes. */
function* maskedTexts(
  json: string,
  { maskWhole: mask, forms }: WholeMask,
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
    // These may write anything in a way that no form of a secret has.
    const hasEscapes = text.includes('\\') || text.includes('%')
    if (hasEscapes || !areEscapesOnly) {
      const meant = hasEscapes ? (JSON.parse(text) as string) : text.slice(1, -1)
      const shown = hasEscapes ? yield* maskedMeaning(meant, mask) : mask(meant)
      if (shown !== meant) replace(from, to, JSON.stringify(shown))
    }
    at = to
    if (to - stepped < STEP) continue
    stepped = to
    // Many small parts would take more room than their text.
    done.push(parts.splice(0).join(''))
    yield
  }
  if (hasNumbers) maskNumbers(json.slice(at), at, { mask, replace })
  return copied === 0 ? json : [...done, ...parts, json.slice(copied)].join('')
}

/** Whether anything that is masked stands in a text as it is. */
function* isAnyIn(text: string, { maskWhole, forms }: WholeMask): Steps<boolean> {
  const overlap = (forms[0]?.length ?? 1) - 1
  for (let from = 0; from < text.length; from += WINDOW) {
    const part = text.slice(from, from + WINDOW + overlap)
    if (maskWhole(part) !== part) return true
    yield
  }
  return false
}

/** Where the texts of a JSON text are, with their quotes. */
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

/** A text with its secrets masked, also where they stand with more escapes, which are gone then; the same text where there are none. */
function* maskedMeaning(meant: string, mask: Mask): Steps<string> {
  let shown = meant
  let text = meant
  const look = (one: string): void => {
    const masked = mask(one)
    if (masked !== one) text = shown = masked
  }
  // What is masked at one level may stand there once more at the next.
  for (let level = 0; level <= MOST_LEVELS; level += 1) {
    look(text)
    if (text.includes('%')) look(yield* replaced(text, PERCENT, bytesMeant))
    if (level === MOST_LEVELS || !text.includes('\\')) break
    text = yield* replaced(text, ESCAPE, unitMeant)
  }
  return shown
}

/** As `replaceAll`, in steps. */
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
