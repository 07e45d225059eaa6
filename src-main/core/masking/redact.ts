import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { SHORTEST_MASKED } from '../../../src-shared/form/secret-warnings'

/** From this length on a text may have been cut, in characters. */
const SHORTEST_CUT = 900
/** Behind it an error may have put its full stop. */
const CUT_MARK = / … \([^()]*\)\.?$/u

/** Masks every known secret value in a text; where a long text was cut inside a secret, its beginning too. */
export type Redactor = ((text: string) => string) & {
  /** Masks a text that was not cut. */
  readonly maskWhole: (text: string) => string
  /**
   * Masks a text that arrives in parts, whatever the parts are. `beginsAnywhere`: it may begin inside a
   * secret, so as much of it as the longest one has is left out.
   */
  readonly openStream: (beginsAnywhere: boolean) => MaskStream
  /** All that it masks, in folded case, the longest first. */
  readonly forms: readonly string[]
}

/**
 * A redactor for these secrets: as they are, in any case of letters, and without the spaces around them, which servers take
 * away; as they stand in JSON, in an address and in Base64 of both alphabets (an Authorization header, a token); with every
 * character escaped (`%73`, `\u0073`, `\x73`) and in hex; and each line of a secret of several lines, for a log arrives line by line.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const maskable = [...secrets].filter((secret) => secret.trim().length >= SHORTEST_MASKED)
  // A server that reads the secret takes away what is around it, as people paste line ends and spaces along.
  const all = new Set(maskable.flatMap((secret) => [secret, secret.trim()]))
  const forms = new Set([...all].flatMap(encodedForms))
  return redactorOfForms([...forms].filter((part) => part.trim().length >= SHORTEST_MASKED))
}

/** How much of a form is looked for first: its end, as many tokens begin alike. In UTF-16 units. */
const DISTINCT_END = 24

/** A redactor for all that others mask. */
export function redactorOfForms(some: Iterable<string>): Redactor {
  const forms = [...new Set([...some].map(foldCase))].toSorted((a, b) => b.length - a.length)
  // One search tells of almost every line that there is nothing to do; it finds nothing in no forms. Of whole forms, some
  // hundred tokens would have the search itself take seconds to be made.
  const ends = new Set(forms.map((form) => escapePattern(form.slice(-DISTINCT_END))))
  const any = new RegExp([...ends].join('|') || '(?!)', 'i')
  const maskWhole = (text: string): string =>
    any.test(text) ? masked(text, spansIn(text, forms)) : text
  const redact = (text: string): string =>
    text.length < SHORTEST_CUT && !CUT_MARK.test(text)
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

/** Forms of secrets that are remembered where more can be forgotten with all that has them. */
const MOST_FORMS = 4_000

/** Masks all that was a secret of a server whenever it was looked at, also what is none any more: it still stands in what was said before. */
export class KeptRedactor {
  #latest: Redactor | undefined
  #all = NO_REDACTOR

  /**
   * `latest`: masks what is a secret now; undefined where the server is gone. `onTooMany`: what was masked with those of
   * before is to be forgotten; without it any number is remembered.
   */
  constructor(
    private readonly latest: () => Redactor | undefined,
    private readonly onTooMany?: () => void,
  ) {
    this.look()
  }

  /** What masks by now; that of the server itself, unless it masked more before. */
  look(): Redactor {
    const latest = this.latest()
    if (!latest || latest === this.#latest) return this.#all
    this.#latest = latest
    const forms = new Set([...latest.forms, ...this.#all.forms])
    const isTooMany = this.onTooMany !== undefined && forms.size > MOST_FORMS
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
  const whole = spansIn(text, forms)
  return start === end ? whole : [...whole, { start, end }].sort((a, b) => a.start - b.start)
}

function masked(text: string, spans: readonly Span[]): string {
  let shown = ''
  let at = 0
  for (const { start, end } of spans) {
    // What overlaps the one before is behind its mask already.
    if (start >= at) shown += text.slice(at, start) + SECRET_MASK
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** Every text that a secret may stand as; some may be too short to be masked, and some may come twice. */
function encodedForms(secret: string): string[] {
  const lines = secret.split(/\r\n|\n|\r/)
  // As a log keeps it, which frees its lines of terminal sequences.
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

/** Every character by its number; the case of the digits doesn't count. */
function inHex(secret: string, bytes: Buffer): string[] {
  const hex = bytes.toString('hex')
  const escaped = (mark: string): string => hex.replace(/../gu, `${mark}$&`)
  return [hex, escaped('%'), escaped(String.raw`\x`), escapeUnit(secret)]
}

function inJson(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(/[^\x20-\x7E]/gu, escapeUnit)
  // The slash may be escaped, and some languages do it always.
  return [json, ascii].flatMap((one) => [one, one.replaceAll('/', String.raw`\/`)])
}

/** As some languages write what is beyond ASCII in JSON, one UTF-16 unit after the other. */
function escapeUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** Percent-encoded (RFC 3986, 2.1): languages differ in which signs they leave. */
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
  // As it stands in addresses and tokens (RFC 4648, section 5).
  return [...bases, ...bases.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** What is the same of its Base64 whatever stands around it (`user:SECRET`): behind 0, 1 and 2 bytes of a group of three. */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    return text.slice(first, Math.floor(((before + bytes.length) * 8) / 6))
  })
}

/**
 * Masks a text that arrives in parts and gives the same as for the whole text, wherever it is cut: the
 * end of each part, in which a secret may have begun, is kept until more of it is there.
 */
export class MaskStream {
  readonly #longest: number
  #held = ''
  /** How much of what is held, and of what follows, a mask stands for already. */
  #covered: number

  constructor(
    private readonly forms: readonly string[],
    beginsAnywhere: boolean,
  ) {
    this.#longest = Math.max(0, ...forms.map((form) => form.length))
    this.#covered = beginsAnywhere ? this.#longest : 0
  }

  /** The part of the masked text that is certain by now. */
  push(text: string): string {
    const all = this.#held + text
    // A secret that begins further on may not be there as a whole.
    return this.#take(all, Math.max(0, Math.min(all.length, all.length - this.#longest + 1)))
  }

  /** The rest. With `isCut` the text broke off, so that what may be the beginning of a secret is masked. */
  end(isCut: boolean): string {
    const all = this.#held
    const cut = isCut ? beginningAtEnd(all, this.forms) : 0
    const shown = this.#take(all, all.length - cut)
    return cut > 0 && this.#covered === 0 ? shown + SECRET_MASK : shown
  }

  /** Gives out the first `certain` characters and holds the others. */
  #take(all: string, certain: number): string {
    let shown = ''
    let at = this.#covered
    for (const { start, end } of spansIn(all, this.forms)) {
      if (start >= certain) break
      if (start >= at) shown += all.slice(at, start) + SECRET_MASK
      at = Math.max(at, end)
    }
    shown += all.slice(at, Math.max(at, certain))
    this.#held = all.slice(certain)
    this.#covered = Math.max(0, at - certain)
    return shown
  }
}

/** Part of a text: offsets, `end` excluded. */
type Span = { readonly start: number; readonly end: number }

/** Fewer characters of a secret tell nothing. */
const SHORTEST_PART = 4

const ASCII = /^[\0-\x7F]*$/

/** A text with the letters of ASCII in one case: it has the same length, so that places in one are places in the other. */
function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Every place where one of `forms`, whose case is folded, stands in a text in any case, by their begin; they may overlap. */
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

/** How many characters at the end of `text` are the beginning of one of `forms`; 0 for fewer than tell anything. */
function beginningAtEnd(text: string, forms: readonly string[]): number {
  const longest = Math.max(0, ...forms.map((form) => form.length))
  const end = foldCase(text.slice(Math.max(0, text.length - longest)))
  return Math.max(0, ...forms.map((form) => beginningOf(form, end)))
}

function beginningOf(form: string, text: string): number {
  const last = text.charCodeAt(text.length - 1)
  for (let length = Math.min(form.length, text.length); length >= SHORTEST_PART; length -= 1) {
    if (form.charCodeAt(length - 1) === last && text.endsWith(form.slice(0, length))) return length
  }
  return 0
}

/** A colour sequence that stood before the character at `at` of the plain text; `codes` such as `1;31`. */
export type ColourCode = { readonly at: number; readonly codes: string }

/** A text freed of what is meant for a terminal. */
export type TerminalText = {
  readonly text: string
  readonly colours: readonly ColourCode[]
  /** The end of what was given, from where an unfinished sequence begins; empty where nothing may follow. */
  readonly held: string
}

/** Control characters but tab. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g

const PARAMETERS = String.raw`(?:\u001b\[|\u009b)([0-?]{0,128})`
/** Begins and content of OSC, DCS, SOS, PM and APC: without controls, so that a text is read once whatever is in it. */
const STRING = String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]{0,2048}`

/**
 * One sequence as ECMA-48 has them: CSI, a string with its end, or a few characters. Bounded, so that a
 * text without the end that it promises stays to be read.
 */
const SEQUENCE = new RegExp(
  String.raw`${PARAMETERS}([ -/]{0,4}[@-~])|${STRING}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]{0,4}[0-OQ-WYZ\\\x60-~]`,
  'y',
)
/** What may still become a sequence when more follows. */
const UNFINISHED = new RegExp(
  String.raw`(?:${PARAMETERS}[ -/]{0,4}|${STRING}\u001b?|\u001b[ -/]{0,4})$`,
  'y',
)

/** Terminal sequences and control characters out, tabs kept. */
export function plainText(raw: string): string {
  return readTerminalText(raw).text
}

/**
 * Takes terminal sequences and control characters out of a text and says where its colours change. With
 * `mayGoOn` an unfinished sequence at the end is kept, so that a text read in parts gives the same.
 */
export function readTerminalText(raw: string, mayGoOn = false): TerminalText {
  const colours: ColourCode[] = []
  let text = ''
  let at = 0
  for (;;) {
    const next = matchAt(CONTROL, raw, at)?.index ?? raw.length
    text += raw.slice(at, next)
    if (next === raw.length) return { text, colours, held: '' }
    const sequence = matchAt(SEQUENCE, raw, next)
    if (!sequence && mayGoOn && matchAt(UNFINISHED, raw, next))
      return { text, colours, held: raw.slice(next) }
    const [whole, codes, final] = sequence ?? [raw.charAt(next)]
    if (final === 'm' && codes !== undefined) colours.push({ at: text.length, codes })
    at = next + whole.length
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
