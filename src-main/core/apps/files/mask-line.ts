import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { findSecrets } from '../../../../src-shared/form/recognize-secrets'

/** What stands where a secret is. */
const MASK = '••••••'

/** Up to here a secret is masked as a word alone, as it stands in too many others. */
const SHORT = 6
/** So many characters of a secret tell a part of it from other words. */
const PART = 4
/** Longer lines are written by programs, and what is read of the text tells their secrets. */
const LONGEST_MEMBER = 4_000
/** A member on a line of its own, in any of the syntaxes; the second group is its value. */
const MEMBER = /^\s*(?:-\s+)?["']?([\w .-]{1,100}?)["']?\s*[:=]\s*(.+?),?\s*$/u
const QUOTED = /"(?:[^"\\]|\\.)*"/gu
/** A value that opens a list, an object or a text of several lines. */
const OPENING = /^(?:[[{].*|[|>][+-]?|"""|''')$/u

/** Masks the secrets of lines: those that are known, whichever way they are written, and what looks like one. */
export class LineMask {
  readonly #secrets: readonly string[]

  constructor(secrets: Iterable<string>) {
    // A longer one may hold a shorter one.
    this.#secrets = [...secrets].toSorted((a, b) => b.length - a.length)
  }

  /** The line without its secrets. */
  mask(line: string): string {
    return maskLooks(maskMember(this.#maskKnown(this.#maskEscaped(line))))
  }

  /** A line of a text that goes on behind a backslash at its end: all of it, where it has a part of a secret. */
  maskFolded(line: string): string {
    if (!this.#secrets.some((secret) => sharesPart(line, secret))) return this.mask(line)
    return (/^\s*/u.exec(line)?.[0] ?? '') + MASK
  }

  #maskKnown(line: string): string {
    let masked = line
    for (const secret of this.#secrets) {
      if (secret.length > SHORT) masked = masked.replaceAll(secret, MASK)
      else if (masked.includes(secret)) masked = maskWord(masked, secret)
    }
    return masked
  }

  /** A text in quotes may be written in ways that do not hold the secret letter by letter. */
  #maskEscaped(line: string): string {
    if (!line.includes('\\')) return line
    return line.replace(QUOTED, (quoted) => {
      if (!quoted.includes('\\')) return quoted
      const text = unquoted(quoted)
      const isHarmless = text !== undefined && this.#maskKnown(text) === text
      return isHarmless ? quoted : `"${MASK}"`
    })
  }
}

function sharesPart(line: string, secret: string): boolean {
  for (let from = 0; from + PART <= secret.length; from += 1)
    if (line.includes(secret.slice(from, from + PART))) return true
  return false
}

function maskWord(line: string, secret: string): string {
  const word = secret.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
  return line.replace(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'gu'), MASK)
}

/** Undefined for what JSON does not know: no other text of a host needs that. */
function unquoted(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

function maskMember(line: string): string {
  if (line.length > LONGEST_MEMBER) return line
  const [, name = '', value = ''] = MEMBER.exec(line) ?? []
  if (value === '' || !namesSecret(name) || OPENING.test(value)) return line
  const at = line.lastIndexOf(value)
  return `${line.slice(0, at)}${MASK}${line.slice(at + value.length)}`
}

function maskLooks(line: string): string {
  let masked = ''
  let end = 0
  for (const span of findSecrets(line, { place: 'argument', name: undefined })) {
    masked += line.slice(end, span.start) + MASK
    end = span.end
  }
  return masked + line.slice(end)
}
