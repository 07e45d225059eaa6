import type { LogHit, LogSearch } from '../../../../src-shared/domain/running/log-query'

/** Source and flags of a regular expression. */
export type SearchPattern = {
  readonly source: string
  readonly flags: string
  /** A plain text, which never spans lines. */
  readonly isPlain: boolean
}

/** Functions of the search thread; they take as long as the pattern does. */
export type SearchCalls = {
  /** Indexes of the matching lines of each text; lines end with a newline. */
  readonly findLines: (pattern: SearchPattern, texts: readonly Uint8Array[]) => Uint32Array[]
  /** Matches in each line, at most 1,000 per line. */
  readonly findHits: (pattern: SearchPattern, lines: readonly string[]) => LogHit[][]
}

/** Most matches reported per line. */
const MAX_HITS = 1_000
const SPECIAL = /[.*+?^${}()|[\]\\/]/g

/** The pattern of a search. Throws a SyntaxError for an invalid regular expression. */
export function patternOf({ text, isRegex, isCaseSensitive }: LogSearch): SearchPattern {
  const source = isRegex ? text : text.replace(SPECIAL, String.raw`\$&`)
  const flags = isCaseSensitive ? '' : 'i'
  return { source: new RegExp(source, flags).source, flags, isPlain: !isRegex }
}

/** Indexes of the matching lines; each line of `text` ends with a newline. */
export function findLines({ source, flags, isPlain }: SearchPattern, text: string): number[] {
  const pattern = new RegExp(source, flags)
  const found: number[] = []
  // Faster than testing each line.
  if (isPlain && !pattern.test(text)) return found
  let index = 0
  for (let start = 0; start < text.length; index += 1) {
    const end = text.indexOf('\n', start)
    if (pattern.test(text.slice(start, end))) found.push(index)
    start = end + 1
  }
  return found
}

/** Matches in a line; at most 1,000, none of them empty. */
export function findHits({ source, flags }: SearchPattern, line: string): LogHit[] {
  const hits: LogHit[] = []
  for (const { index, 0: found } of line.matchAll(new RegExp(source, `${flags}g`))) {
    if (found !== '') hits.push({ start: index, end: index + found.length })
    if (hits.length === MAX_HITS) break
  }
  return hits
}
