import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** Which lines are shown; `all` sets no limit. */
export type LogFilter = {
  /** The least level that is shown. */
  readonly level: 'all' | LogEntry['level']
  readonly source: 'all' | LogEntry['source']
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** The lines that a filter lets through, in order. */
export function filterLines(
  entries: readonly LogEntry[],
  { level, source }: LogFilter,
): readonly LogEntry[] {
  if (level === 'all' && source === 'all') return entries
  const least = level === 'all' ? 0 : LEVELS.indexOf(level)
  return entries.filter(
    (entry) =>
      LEVELS.indexOf(entry.level) >= least && (source === 'all' || entry.source === source),
  )
}

/** One place where the searched text stands: the index of its line and the offset in it. */
export type LogMatch = { readonly row: number; readonly start: number }

const MOST_MATCHES = 10_000

/** Every place where `query` stands, letter case aside; at most 10,000, none for an empty query. */
export function findMatches(entries: readonly LogEntry[], query: string): readonly LogMatch[] {
  if (query === '') return []
  const pattern = patternOf(query)
  const found: LogMatch[] = []
  for (const [row, { text }] of entries.entries()) {
    for (const match of text.matchAll(pattern)) {
      found.push({ row, start: match.index })
      if (found.length === MOST_MATCHES) return found
    }
  }
  return found
}

function patternOf(query: string): RegExp {
  return new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'giu')
}

/** A line cut at the searched text: pieces in order, with their offset and whether they match. */
export function splitAtMatches(
  text: string,
  query: string,
): readonly { readonly text: string; readonly start: number; readonly hit: boolean }[] {
  if (query === '') return [{ text, start: 0, hit: false }]
  const pieces: { text: string; start: number; hit: boolean }[] = []
  let end = 0
  for (const { index, 0: found } of text.matchAll(patternOf(query))) {
    if (index > end) pieces.push({ text: text.slice(end, index), start: end, hit: false })
    pieces.push({ text: found, start: index, hit: true })
    end = index + found.length
  }
  if (end < text.length || pieces.length === 0) {
    pieces.push({ text: text.slice(end), start: end, hit: false })
  }
  return pieces
}
