import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { SHORTEST_MASKED } from '../../../src-shared/form/secret-doubts'
import { MaskStream } from './mask-stream'
import { beginningAtEnd, type Span, spansIn } from './secret-spans'
import { plainText } from './terminal-text'

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
  /** All that it masks, the longest first. */
  readonly forms: readonly string[]
}

/**
 * A redactor for these secrets: as they are, as they stand in JSON, in an address and in Base64 of both
 * alphabets (an Authorization header, a token), and each line of a secret of several lines, for a log arrives line by line.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = new Set([...secrets].flatMap(formsOf))
  return redactorOfForms([...forms].filter((part) => part.trim().length >= SHORTEST_MASKED))
}

/** How much of a form is looked for first: its end, as many tokens begin alike. In UTF-16 units. */
const TELLING_END = 24

/** A redactor for all that others mask. */
export function redactorOfForms(some: Iterable<string>): Redactor {
  const forms = [...some].toSorted((a, b) => b.length - a.length)
  // One search tells of almost every line that there is nothing to do; it finds nothing in no forms. Of whole forms, some
  // hundred tokens would have the search itself take seconds to be made.
  const ends = new Set(forms.map((form) => escapePattern(form.slice(-TELLING_END))))
  const any = new RegExp([...ends].join('|') || '(?!)')
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

function formsOf(secret: string): string[] {
  if (secret.trim().length < SHORTEST_MASKED) return []
  const lines = secret.split(/\r\n|\n|\r/)
  const json = JSON.stringify(secret).slice(1, -1)
  const bytes = Buffer.from(secret)
  // Through bytes: a lone surrogate would make encodeURIComponent throw.
  const address = encodeURIComponent(bytes.toString('utf8'))
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const ascii = json.replace(/[^\x20-\x7E]/gu, escapeUnit)
  const lowerAddress = address.replace(/%[\dA-F]{2}/gu, (escape) => escape.toLowerCase())
  // As a log keeps it, which frees its lines of terminal sequences.
  const shown = lines.map(plainText)
  const bases = [base64, ...base64Within(bytes)]
  const others = [json, ascii, address, lowerAddress, ...bases, ...bases.map(inAddress)]
  return [secret, ...lines, ...shown, ...others]
}

/** Base64 as it stands in addresses and tokens (RFC 4648, section 5). */
function inAddress(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

/** As some languages write what is beyond ASCII in JSON, one UTF-16 unit after the other. */
function escapeUnit(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}

/** What is the same of its Base64 whatever stands around it (`user:SECRET`): behind 0, 1 and 2 bytes of a group of three. */
function base64Within(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    return text.slice(first, Math.floor(((before + bytes.length) * 8) / 6))
  })
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
