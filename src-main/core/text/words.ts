/** Scripts that are written without blanks between words. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30fc\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const RUN = new RegExp(`[${UNSPACED}]+`, 'gu')
/** Korean has blanks, but joins nouns and adds endings to them. */
const HANGUL = /\p{sc=Hangul}+/gu

/**
 * A text for an index of words, or for a query of it: runs of scripts without blanks become overlapping pairs of
 * characters, so that any two characters that stand together are found.
 */
export function spacedPairs(text: string): string {
  return text.replaceAll(RUN, (run) => ` ${pairsOf(run).join(' ')} `)
}

/** As `spacedPairs`, and so for Korean: words of two syllables are found in longer ones, and with an ending. */
export function spacedSyllables(text: string): string {
  return spacedPairs(text).replaceAll(HANGUL, (run) => ` ${pairsOf(run).join(' ')} `)
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length < 3) return [run]
  return characters.slice(0, -1).map((character, at) => character + (characters[at + 1] ?? ''))
}

/** Text as it is compared: lower-cased, without marks above and below letters, each run of spaces one space. */
export function fold(text: string): string {
  const isPlain = /^[\x20-\x7E]*$/.test(text)
  const bare = isPlain ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')
  return bare.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a folded text, split where the index splits them: at all that is no letter and no digit. */
export function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}\p{Co}]+/u).filter((word) => word !== '')
}

/** Of `io.github.ann/x` the length of `io.github.`, of `com.stripe/x` that of `com.`: what says nothing of the server. */
export function hostLength(name: string): number {
  return /^(?:io\.github\.(?=[^/])|[^./]+\.)/i.exec(name)?.[0].length ?? 0
}
