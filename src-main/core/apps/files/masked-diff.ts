import type { DiffLine } from '../../../../src-shared/domain/agents/host'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { findSecrets, flagBefore } from '../../../../src-shared/form/recognize-secrets'
import { lineDiff } from '../../line-diff'
import { type HostValue, isList } from '../apps/host-app'
import type { HostDocument } from '../formats/host-document'

/** Shorter parts of a secret say nothing, and stand in too many words. */
const SHORTEST_PART = 4

/** Every secret that stands in a value, by the name it stands under and by how it looks; and the longer parts of those of several words. */
function secretsOf(value: HostValue): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (secret: string): void => {
    if (secret.trim() === '') return
    found.add(secret)
    // A file may write one text in several lines.
    for (const part of secret.split(/\s+/u)) if (part.length >= SHORTEST_PART) found.add(part)
  }
  collect(value, { name: undefined, isSecret: false }, add)
  return found
}

type Place = {
  /** The name of the member, or the flag before it in a list. */
  readonly name: string | undefined
  /** Something above it is called like a secret. */
  readonly isSecret: boolean
}

function collect(value: HostValue, place: Place, add: (secret: string) => void): void {
  if (typeof value === 'number' && place.isSecret) add(String(value))
  if (typeof value === 'string') {
    if (place.isSecret) add(value)
    const context = { place: 'argument', name: place.name } as const
    for (const { start, end } of findSecrets(value, context)) add(value.slice(start, end))
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (isList(value)) {
    const words = value.map((one) => (typeof one === 'string' ? one : ''))
    value.forEach((one, index) => {
      const flag = typeof one === 'string' ? flagBefore(words, index) : undefined
      collect(one, { ...place, name: flag ?? place.name }, add)
    })
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    collect(inner, { name, isSecret: place.isSecret || namesSecret(name) }, add)
  }
}

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

/** Masks the secrets of lines: those that are known, in any way they are written, and what looks like one. */
class LineMask {
  readonly #secrets: readonly string[]

  constructor(secrets: Iterable<string>) {
    // A longer one may hold a shorter one.
    this.#secrets = [...secrets].toSorted((a, b) => b.length - a.length)
  }

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
      // What JSON does not know, no other text of a host needs.
      const text = jsonIn(quoted)
      const isHarmless = typeof text === 'string' && this.#maskKnown(text) === text
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

/** A file may be one line. */
const LONGEST_LINE = 400
const BEFORE_CHANGE = 80

/** What a change does to a text, with a few lines around it and every secret masked; undefined stands for no file. */
export function maskedDiff(
  before: HostDocument | undefined,
  after: HostDocument | undefined,
): DiffLine[] {
  // A change adds no secret.
  const mask = new LineMask(secretsOf((before ?? after)?.value ?? null))
  const lines = lineDiff(before?.text ?? '', after?.text ?? '')
  const masked = lines.map((one, index) => {
    const isFolded = goesOn(one) || goesOn(lines[index - 1])
    return { ...one, text: isFolded ? mask.maskFolded(one.text) : mask.mask(one.text) }
  })
  return cutLines(masked)
}

/** TOML and YAML join a line that ends so with the next one. */
function goesOn(line: DiffLine | undefined): boolean {
  return line?.text.endsWith('\\') ?? false
}

/** Cuts long lines; of one that was changed, what changed is shown. */
function cutLines(lines: readonly DiffLine[]): DiffLine[] {
  return lines.map((one, index) => {
    if (one.text.length <= LONGEST_LINE) return one
    const others = runOf(lines, index)
    const from = others.map(({ text }) => commonLength(one.text, text)).toSorted((a, b) => b - a)[0]
    return { ...one, text: cut(one.text, Math.max(0, (from ?? 0) - BEFORE_CHANGE)) }
  })
}

/** The lines of the same change that are of the other kind. */
function runOf(lines: readonly DiffLine[], index: number): DiffLine[] {
  const kind = lines[index]?.kind
  if (kind === undefined || kind === 'same') return []
  let from = index
  let to = index
  while (from > 0 && isChange(lines[from - 1])) from -= 1
  while (isChange(lines[to + 1])) to += 1
  return lines.slice(from, to + 1).filter((one) => one.kind !== kind)
}

function isChange(line: DiffLine | undefined): boolean {
  return line !== undefined && line.kind !== 'same'
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function cut(text: string, from: number): string {
  const start = Math.min(from, text.length - LONGEST_LINE)
  const end = start + LONGEST_LINE
  const before = start > 0 ? `… ${String(start)} characters … ` : ''
  const after = end < text.length ? ` … ${String(text.length - end)} characters …` : ''
  return `${before}${text.slice(start, end)}${after}`
}
