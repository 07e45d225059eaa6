import type { DiffLine } from '../../../../src-shared/domain/agents/host'
import { lineDiff } from '../../line-diff'
import type { HostDocument } from '../formats/host-document'
import { LineMask } from './mask-line'
import { secretsOf } from './text-secrets'

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
