import type { DiffLine } from '../../../../src-shared/domain/agents/host'
import { jsonIn } from '../../../../src-shared/domain/attempt'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { findSecrets, flagBefore } from '../../../../src-shared/form/recognize-secrets'
import { lineDiff } from '../../line-diff'
import { type HostValue, isList } from '../apps/host-app'
import type { HostDocument } from '../formats/host-document'

/** Shorter parts of a secret reveal nothing, and occur in too many words. */
const MIN_PART_LENGTH = 4

/** Returns every secret in a value, by its name or its looks, and the longer words of secrets with several words. */
function secretsOf(value: HostValue): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (secret: string): void => {
    if (secret.trim() === '') return
    found.add(secret)
    // A file may split one text over several lines.
    for (const part of secret.split(/\s+/u)) if (part.length >= MIN_PART_LENGTH) found.add(part)
  }
  collect(value, { name: undefined, isSecret: false }, add)
  return found
}

type MemberContext = {
  /** The member's name, or the preceding flag in a list. */
  readonly name: string | undefined
  /** Whether a name above it looks like a secret. */
  readonly isSecret: boolean
}

function collect(value: HostValue, member: MemberContext, add: (secret: string) => void): void {
  if (typeof value === 'number' && member.isSecret) add(String(value))
  if (typeof value === 'string') {
    if (member.isSecret) add(value)
    const context = { place: 'argument', name: member.name } as const
    for (const { start, end } of findSecrets(value, context)) add(value.slice(start, end))
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (isList(value)) {
    const words = value.map((one) => (typeof one === 'string' ? one : ''))
    value.forEach((one, index) => {
      const flag = typeof one === 'string' ? flagBefore(words, index) : undefined
      collect(one, { ...member, name: flag ?? member.name }, add)
    })
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    collect(inner, { name, isSecret: member.isSecret || namesSecret(name) }, add)
  }
}

const MASK = '••••••'

/** Secrets up to this length are masked only as whole words, because they occur in too many others. */
const SHORT = 6
/** Number of characters that distinguish a secret's part from other words. */
const PART = 4
/** Longer lines are generated, and parsing the text has found their secrets. */
const MAX_MEMBER_LENGTH = 4_000
/** Matches a member on its own line, in any syntax; the second group is the value. */
const MEMBER = /^\s*(?:-\s+)?["']?([\w .-]{1,100}?)["']?\s*[:=]\s*(.+?),?\s*$/u
const QUOTED = /"(?:[^"\\]|\\.)*"/gu
/** Matches a value that opens a list, an object or a multi-line text. */
const OPENING = /^(?:[[{].*|[|>][+-]?|"""|''')$/u

/** Masks the secrets in lines: known ones in any spelling, and anything that looks like one. */
class LineMask {
  readonly #secrets: readonly string[]

  constructor(secrets: Iterable<string>) {
    // A longer secret may contain a shorter one.
    this.#secrets = [...secrets].toSorted((a, b) => b.length - a.length)
  }

  mask(line: string): string {
    return maskPatterns(maskMember(this.#maskSecrets(this.#maskEscaped(line))))
  }

  /** Masks a line that continues after a backslash at its end: completely if it has a part of a secret. */
  maskFolded(line: string): string {
    if (!this.#secrets.some((secret) => sharesPart(line, secret))) return this.mask(line)
    return (/^\s*/u.exec(line)?.[0] ?? '') + MASK
  }

  #maskSecrets(line: string): string {
    let masked = line
    for (const secret of this.#secrets) {
      if (secret.length > SHORT) masked = masked.replaceAll(secret, MASK)
      else if (masked.includes(secret)) masked = maskWord(masked, secret)
    }
    return masked
  }

  /** A quoted text may spell a secret with escapes. */
  #maskEscaped(line: string): string {
    if (!line.includes('\\')) return line
    return line.replace(QUOTED, (quoted) => {
      if (!quoted.includes('\\')) return quoted
      // Apps need no escapes other than JSON's.
      const text = jsonIn(quoted)
      const isHarmless = typeof text === 'string' && this.#maskSecrets(text) === text
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
  if (line.length > MAX_MEMBER_LENGTH) return line
  const [, name = '', value = ''] = MEMBER.exec(line) ?? []
  if (value === '' || !namesSecret(name) || OPENING.test(value)) return line
  const at = line.lastIndexOf(value)
  return `${line.slice(0, at)}${MASK}${line.slice(at + value.length)}`
}

function maskPatterns(line: string): string {
  let masked = ''
  let end = 0
  for (const span of findSecrets(line, { place: 'argument', name: undefined })) {
    masked += line.slice(end, span.start) + MASK
    end = span.end
  }
  return masked + line.slice(end)
}

/** In characters; a whole file may be one line. */
const MAX_LINE_LENGTH = 400
const BEFORE_CHANGE = 80

/** Returns the line diff of a change with context, every secret masked; undefined means a missing file. */
export function maskedDiff(
  before: HostDocument | undefined,
  after: HostDocument | undefined,
): DiffLine[] {
  // A change adds no secret.
  const mask = new LineMask(secretsOf((before ?? after)?.value ?? null))
  const lines = lineDiff(before?.text ?? '', after?.text ?? '')
  const masked = lines.map((one, index) => {
    const isFolded = continues(one) || continues(lines[index - 1])
    return { ...one, text: isFolded ? mask.maskFolded(one.text) : mask.mask(one.text) }
  })
  return cutLines(masked)
}

/** TOML and YAML join a line that ends with a backslash with the next one. */
function continues(line: DiffLine | undefined): boolean {
  return line?.text.endsWith('\\') ?? false
}

/** Truncates long lines; a changed line shows what changed. */
function cutLines(lines: readonly DiffLine[]): DiffLine[] {
  return lines.map((one, index) => {
    if (one.text.length <= MAX_LINE_LENGTH) return one
    const counterparts = runOf(lines, index)
    const from = counterparts
      .map(({ text }) => commonLength(one.text, text))
      .toSorted((a, b) => b - a)[0]
    return { ...one, text: cut(one.text, Math.max(0, (from ?? 0) - BEFORE_CHANGE)) }
  })
}

/** Returns the lines of the other kind in the same change. */
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
  const start = Math.min(from, text.length - MAX_LINE_LENGTH)
  const end = start + MAX_LINE_LENGTH
  const before = start > 0 ? `… ${String(start)} characters … ` : ''
  const after = end < text.length ? ` … ${String(text.length - end)} characters …` : ''
  return `${before}${text.slice(start, end)}${after}`
}
