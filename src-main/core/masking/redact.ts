import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { MIN_MASKED_LENGTH } from '../../../src-shared/form/secret-warnings'

/** Minimum length of a text that may have been cut, in characters. */
const MIN_CUT_LENGTH = 900
/** An error may have added its full stop. */
const CUT_MARK = / … \([^()]*\)\.?$/u

/** Masks every known secret in a text, including the beginning of one at which a long text was cut. */
export type Redactor = ((text: string) => string) & {
  /** Masks an uncut text. */
  readonly maskWhole: (text: string) => string
  /**
   * Masks a text that arrives in arbitrary parts. `beginsAnywhere`: it may begin inside a secret, so as many characters as the longest
   * secret has are omitted.
   */
  readonly openStream: (beginsAnywhere: boolean) => MaskStream
  /** All masked forms, in folded case, longest first. */
  readonly forms: readonly string[]
}

/**
 * Creates a redactor for these secrets. It covers them literally, in any letter case, and without surrounding spaces, which servers trim.
 * It also covers them in JSON, in addresses, and in Base64 of both alphabets (an Authorization header, a token). Escapes of every character
 * (`%73`, `\u0073`, `\x73`) and hex are covered, too. Each line of a multiline secret counts, because a log arrives line by line.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const maskable = [...secrets].filter((secret) => secret.trim().length >= MIN_MASKED_LENGTH)
  // Servers trim a secret, because users paste line endings and spaces with it.
  const all = new Set(maskable.flatMap((secret) => [secret, secret.trim()]))
  const forms = new Set([...all].flatMap(encodedForms))
  return redactorOfForms([...forms].filter((part) => part.trim().length >= MIN_MASKED_LENGTH))
}

/** Length of a form's end that is searched first, in UTF-16 units: many tokens begin alike. */
const DISTINCT_END = 24

/** Creates a redactor for all these forms. */
export function redactorOfForms(some: Iterable<string>): Redactor {
  const forms = [...new Set([...some].map(foldCase))].toSorted((a, b) => b.length - a.length)
  // One search rules out almost every line; it matches nothing without forms. With whole forms, compiling the search for some hundred
  // tokens would take seconds.
  const ends = new Set(forms.map((form) => escapePattern(form.slice(-DISTINCT_END))))
  const any = new RegExp([...ends].join('|') || '(?!)', 'i')
  const maskWhole = (text: string): string =>
    any.test(text) ? masked(text, spansIn(text, forms)) : text
  const redact = (text: string): string =>
    text.length < MIN_CUT_LENGTH && !CUT_MARK.test(text)
      ? maskWhole(text)
      : masked(text, spansOfCut(text, forms))
  return Object.assign(redact, {
    maskWhole,
    openStream: (beginsAnywhere: boolean) => new MaskStream(forms, beginsAnywhere),
    forms,
  })
}

/** Masks nothing. */
export const NO_REDACTOR = createRedactor([])

/** Maximum number of remembered forms if the text that contains older ones can be forgotten. */
const MAX_FORMS = 4_000

/** Masks all secrets that a server had at any `refresh`, including replaced ones, because earlier text still contains them. */
export class CumulativeRedactor {
  #latest: Redactor | undefined
  #all = NO_REDACTOR

  /**
   * `latest`: returns the current redactor; undefined if the server is gone. `onTooMany`: has to forget everything masked with earlier
   * secrets; without it any number is remembered.
   */
  constructor(
    private readonly latest: () => Redactor | undefined,
    private readonly onTooMany?: () => void,
  ) {
    this.refresh()
  }

  /** Returns the current redactor: the server's own, unless there were other secrets earlier. */
  refresh(): Redactor {
    const latest = this.latest()
    if (!latest || latest === this.#latest) return this.#all
    this.#latest = latest
    const forms = new Set([...latest.forms, ...this.#all.forms])
    const isTooMany = this.onTooMany !== undefined && forms.size > MAX_FORMS
    if (isTooMany) this.onTooMany()
    if (isTooMany || forms.size === latest.forms.length) this.#all = latest
    else if (forms.size > this.#all.forms.length) this.#all = redactorOfForms(forms)
    return this.#all
  }
}

function spansOfCut(text: string, forms: readonly string[]): Span[] {
  const mark = CUT_MARK.exec(text)?.[0] ?? ''
  const end = text.length - mark.length
  const start = end - beginningAtEnd(text.slice(0, end), forms)
  const complete = spansIn(text, forms)
  return start === end ? complete : [...complete, { start, end }].sort((a, b) => a.start - b.start)
}

function masked(text: string, spans: readonly Span[]): string {
  let shown = ''
  let at = 0
  for (const { start, end } of spans) {
    // An overlap with the previous span is already masked.
    if (start >= at) shown += text.slice(at, start) + SECRET_MASK
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** Returns every form of a secret; some may be too short to be masked, and some may be duplicates. */
function encodedForms(secret: string): string[] {
  const lines = secret.split(/\r\n|\n|\r/)
  // A log removes terminal sequences from its lines.
  const shown = [...lines, ...lines.map(plainText)]
  const bytes = Buffer.from(secret)
  return [
    secret,
    ...shown,
    ...shown.map((line) => line.trim()),
    ...inJson(secret),
    ...inAddresses(bytes),
    ...inBase64(bytes),
    ...inHex(secret, bytes),
  ]
}

/** Returns forms with every character as a number; the case of digits is irrelevant. */
function inHex(secret: string, bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  const escaped = (mark: string): string => hex.replace(/../gu, `${mark}$&`)
  return [hex, escaped('%'), escaped(String.raw`\x`), escapeUnit(secret)]
}

function inJson(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(/[^\x20-\x7E]/gu, escapeUnit)
  // The slash may be escaped; some languages always do that.
  return [json, ascii].flatMap((one) => [one, one.replaceAll('/', String.raw`\/`)])
}

/** Escapes a non-ASCII character in JSON as some languages do, one UTF-16 unit at a time. */
function escapeUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Returns percent-encoded forms (RFC 3986, 2.1): languages differ in which characters they keep. */
function inAddresses(bytes: Buffer): string[] {
  // Through bytes: a lone surrogate would make encodeURIComponent throw.
  const address = encodeURIComponent(bytes.toString('utf8'))
  const strict = address.replace(
    /[!'()*]/gu,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const form = strict.replaceAll('%2A', '*').replaceAll('~', '%7E')
  const all = [address, strict]
    .flatMap((one) => [one, one.replaceAll('%2F', '/')])
    .flatMap((one) => [one, one.replaceAll('%20', '+')])
  return [...all, form.replaceAll('%20', '+')]
}

function inBase64(bytes: Buffer): string[] {
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const bases = [base64, ...base64Within(bytes)]
  // The URL-safe alphabet (RFC 4648, section 5).
  return [...bases, ...bases.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))]
}

/**
 * Returns the part of a secret's Base64 that doesn't depend on the text around it (`user:SECRET`), for 0, 1 and 2 preceding bytes of a
 * group of three.
 */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    return text.slice(first, Math.floor(((before + bytes.length) * 8) / 6))
  })
}

/**
 * Masks a text that arrives in parts, with the same result as for the whole text. The end of each part, where a secret may begin, is held
 * until more has arrived.
 */
export class MaskStream {
  readonly #maxLength: number
  #buffered = ''
  /** Number of held and following characters that a mask already covers. */
  #covered: number

  constructor(
    private readonly forms: readonly string[],
    beginsAnywhere: boolean,
  ) {
    this.#maxLength = Math.max(0, ...forms.map((form) => form.length))
    this.#covered = beginsAnywhere ? this.#maxLength : 0
  }

  /** Adds text, and returns the part of the masked text that is final. */
  push(text: string): string {
    const all = this.#buffered + text
    // A later secret may be incomplete.
    return this.#release(all, Math.max(0, Math.min(all.length, all.length - this.#maxLength + 1)))
  }

  /** Returns the rest. With `isCut` the text was cut, so a possible beginning of a secret is masked. */
  end(isCut: boolean): string {
    const all = this.#buffered
    const cut = isCut ? beginningAtEnd(all, this.forms) : 0
    const shown = this.#release(all, all.length - cut)
    return cut > 0 && this.#covered === 0 ? shown + SECRET_MASK : shown
  }

  /** Returns the first `certain` characters masked, and holds the others. */
  #release(all: string, certain: number): string {
    let shown = ''
    let at = this.#covered
    for (const { start, end } of spansIn(all, this.forms)) {
      if (start >= certain) break
      if (start >= at) shown += all.slice(at, start) + SECRET_MASK
      at = Math.max(at, end)
    }
    shown += all.slice(at, Math.max(at, certain))
    this.#buffered = all.slice(certain)
    this.#covered = Math.max(0, at - certain)
    return shown
  }
}

/** Part of a text: offsets, `end` excluded. */
type Span = { readonly start: number; readonly end: number }

/** Fewer characters of a secret reveal nothing. */
const MIN_PART_LENGTH = 4

const ASCII = /^[\0-\x7F]*$/

/** Folds the case of ASCII letters; the length stays the same, so positions match. */
function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Returns every span of `forms` (in folded case) in a text of any case, by start; spans may overlap. */
function spansIn(text: string, forms: readonly string[]): Span[] {
  const spans: Span[] = []
  const folded = forms.length === 0 ? text : foldCase(text)
  for (const form of forms) {
    for (let at = folded.indexOf(form); at !== -1; at = folded.indexOf(form, at + 1)) {
      spans.push({ start: at, end: at + form.length })
    }
  }
  return spans.sort((a, b) => a.start - b.start)
}

/** Returns how many characters at the end of `text` are the beginning of one of `forms`; 0 if too few. */
function beginningAtEnd(text: string, forms: readonly string[]): number {
  const maxLength = Math.max(0, ...forms.map((form) => form.length))
  const end = foldCase(text.slice(Math.max(0, text.length - maxLength)))
  return Math.max(0, ...forms.map((form) => beginningOf(form, end)))
}

function beginningOf(form: string, text: string): number {
  const last = text.charCodeAt(text.length - 1)
  for (let length = Math.min(form.length, text.length); length >= MIN_PART_LENGTH; length -= 1) {
    if (form.charCodeAt(length - 1) === last && text.endsWith(form.slice(0, length))) return length
  }
  return 0
}

/** A color sequence before the character at `at` of the plain text; `codes` such as `1;31`. */
export type ColourCode = { readonly at: number; readonly codes: string }

/** A text without terminal sequences. */
export type TerminalText = {
  readonly text: string
  readonly colours: readonly ColourCode[]
  /** The unfinished sequence at the end of the input; empty if no more may follow. */
  readonly held: string
}

/** Control characters except tab. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

const PARAMETERS = String.raw`(?:\u001b\[|\u009b)([0-?]{0,128})`
/** Start and content of OSC, DCS, SOS, PM and APC: without controls, so that parsing stays linear for any text. */
const STRING = String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]{0,2048}`

/**
 * One sequence as in ECMA-48: CSI, a terminated string, or a few characters. Bounded, so that text without the expected end stays readable.
 */
const SEQUENCE = new RegExp(
  String.raw`${PARAMETERS}([ -/]{0,4}[@-~])|${STRING}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,4}[0-OQ-WYZ\\\x60-~]`,
  'y',
)
/** A text that may become a sequence when more follows. */
const UNFINISHED = new RegExp(
  String.raw`(?:${PARAMETERS}[ -/]{0,4}|${STRING}\u001b?|\u001b[ -/]{0,4})$`,
  'y',
)

/** Removes terminal sequences and control characters; keeps tabs. */
export function plainText(raw: string): string {
  return readTerminalText(raw).text
}

/**
 * Removes terminal sequences and control characters, and returns the color changes. With `isPartial` an unfinished sequence at the end is
 * held, so that a text read in parts gives the same result.
 */
export function readTerminalText(raw: string, isPartial = false): TerminalText {
  const colours: ColourCode[] = []
  let text = ''
  let at = 0
  for (;;) {
    const next = matchAt(CONTROL, raw, at)?.index ?? raw.length
    text += raw.slice(at, next)
    if (next === raw.length) return { text, colours, held: '' }
    const sequence = matchAt(SEQUENCE, raw, next)
    if (!sequence && isPartial && matchAt(UNFINISHED, raw, next))
      return { text, colours, held: raw.slice(next) }
    const [match, codes, final] = sequence ?? [raw.charAt(next)]
    if (final === 'm' && codes !== undefined) colours.push({ at: text.length, codes })
    at = next + match.length
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
