/** Scripts without spaces between words. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const RUN = new RegExp(`[${UNSPACED}]+`, 'gu')
/** Korean has spaces, but joins nouns and adds endings. */
const HANGUL = /\p{sc=Hangul}+/gu

/**
 * Prepares text for a full-text index or query: runs of scripts without spaces become overlapping character pairs, so that any two adjacent
 * characters are found.
 */
export function spacedPairs(text: string): string {
  return text.replaceAll(RUN, (run) => ` ${pairsOf(run).join(' ')} `)
}

/** Like `spacedPairs`, also for Korean: words of two syllables are found in longer ones, and with an ending. */
export function spacedSyllables(text: string): string {
  return spacedPairs(text).replaceAll(HANGUL, (run) => ` ${pairsOf(run).join(' ')} `)
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length < 3) return [run]
  return characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ''))
}

/** Folds text for comparison: lower case, without diacritics, each run of spaces as one. */
export function fold(text: string): string {
  const isPlain = /^[\x20-\x7E]*$/.test(text)
  const bare = isPlain ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')
  return bare.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a folded text, split where the index splits: at anything but letters and digits. */
export function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}\p{Co}]+/u).filter((word) => word !== '')
}

/** The length of the host prefix: `io.github.` of `io.github.ann/x`, `com.` of `com.stripe/x`. */
export function hostLength(name: string): number {
  return /^(?:io\.github\.(?=[^/])|[^./]+\.)/i.exec(name)?.[0].length ?? 0
}
