import { stripVTControlCharacters } from 'node:util'

import { SECRET_MASK } from '../../../src-shared/domain/launch-plan'

/** Below this length a value is too likely to be an ordinary word of the log. */
const SHORTEST_SECRET = 4
/** From this length on a text may have been cut, in characters. */
const SHORTEST_CUT = 900
const CUT_MARK = / … \([^()]*\)$/u

/**
 * A function that masks every known secret value in a text, the longest first: as it is, as it stands in
 * JSON, in an address and in Base64 (an Authorization header), and each line of a secret of several
 * lines, for a log arrives line by line. Where a long text was cut inside a secret, its beginning too.
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const known = [...new Set([...secrets].flatMap(formsOf))]
    .filter((part) => part.trim().length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length)
  if (known.length === 0) return (text) => text
  const pattern = new RegExp(known.map(escapePattern).join('|'), 'g')
  return (text) => maskCut(text.replace(pattern, SECRET_MASK), known)
}

function formsOf(secret: string): string[] {
  if (secret.trim().length < SHORTEST_SECRET) return []
  const lines = secret.split(/\r\n|\n|\r/)
  const json = JSON.stringify(secret).slice(1, -1)
  const bytes = Buffer.from(secret)
  // Through bytes: a lone surrogate would make encodeURIComponent throw.
  const address = encodeURIComponent(bytes.toString('utf8'))
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  // As a log keeps it, which frees its lines of terminal sequences.
  const shown = lines.map((line) => stripVTControlCharacters(line).replace(/[^\P{Cc}\t]/gu, ''))
  return [secret, ...lines, ...shown, json, address, base64]
}

function maskCut(text: string, known: readonly string[]): string {
  if (text.length < SHORTEST_CUT) return text
  const mark = CUT_MARK.exec(text)?.[0] ?? ''
  const body = text.slice(0, text.length - mark.length)
  const length = Math.max(0, ...known.map((part) => beginningAtEnd(body, part)))
  return length === 0 ? text : `${body.slice(0, -length)}${SECRET_MASK}${mark}`
}

/** How many characters at the end of `text` are the beginning of `part`; 0 for fewer than tell anything. */
function beginningAtEnd(text: string, part: string): number {
  for (let length = Math.min(part.length, text.length); length >= SHORTEST_SECRET; length -= 1) {
    if (text.endsWith(part.slice(0, length))) return length
  }
  return 0
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
