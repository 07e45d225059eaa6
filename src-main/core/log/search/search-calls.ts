import type { LogHit } from '../../../../src-shared/domain/running/log-query'

/** What is looked for: the source and the flags of a regular expression. */
export type SearchPattern = {
  readonly source: string
  readonly flags: string
  /** A text, so that it stands in one line or in none. */
  readonly isPlain: boolean
}

/** What the thread that searches logs answers; it takes as long as the pattern does. */
export type SearchCalls = {
  /** The indexes of the lines in which it stands, for each text; lines end with a newline. */
  readonly findLines: (pattern: SearchPattern, texts: readonly Uint8Array[]) => Uint32Array[]
  /** Where it stands in each line; at most 1,000 places of a line. */
  readonly findHits: (pattern: SearchPattern, lines: readonly string[]) => LogHit[][]
}
