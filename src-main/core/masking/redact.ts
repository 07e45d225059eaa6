import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { SHORTEST_MASKED } from '../../../src-shared/form/secret-warnings'
import { encodedForms } from './encoded-forms'
import { MaskStream } from './mask-stream'
import { beginningAtEnd, foldCase, type Span, spansIn } from './secret-spans'

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
  const told = [...secrets].filter((secret) => secret.trim().length >= SHORTEST_MASKED)
  const forms = new Set(told.flatMap(encodedForms))
  return redactorOfForms([...forms].filter((part) => part.trim().length >= SHORTEST_MASKED))
}

/** How much of a form is looked for first: its end, as many tokens begin alike. In UTF-16 units. */
const TELLING_END = 24

/** A redactor for all that others mask. */
export function redactorOfForms(some: Iterable<string>): Redactor {
  const forms = [...new Set([...some].map(foldCase))].toSorted((a, b) => b.length - a.length)
  // One search tells of almost every line that there is nothing to do; it finds nothing in no forms. Of whole forms, some
  // hundred tokens would have the search itself take seconds to be made.
  const ends = new Set(forms.map((form) => escapePattern(form.slice(-TELLING_END))))
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
