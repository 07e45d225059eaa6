import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Shorter words are close to too many others. */
const MIN_LENGTH = 4
/** Length from which two typos are likely. */
const LONG = 8
const MOST = 3
/** Longer words are no typos, and comparing them would take long. */
const MAX_LENGTH = 24
/** How long the words may lag behind the catalog, which a sync changes with each page. */
const MAX_AGE_MS = 30_000

/** Shorter words are contained in too many others. */
const MIN_WITHIN = 3
const MAX_WITHIN = 200

/** The words of the catalog, with each word's letters as bits. */
type Terms = {
  readonly terms: readonly string[]
  readonly letters: Int32Array
  /** Number of servers per word. */
  readonly uses: Int32Array
}

/** Vocabulary of the catalog: finds words that contain a typed one, and the intended word for a typo. */
export class Vocabulary {
  readonly #known: StatementSync
  #terms: Terms | undefined
  #readAt = 0
  #isBehind = false

  constructor(reader: DatabaseSync) {
    this.#known = reader.prepare(
      `SELECT term, doc FROM known_word WHERE length(term) >= ${MIN_WITHIN}`,
    )
    this.#known.setReturnArrays(true)
  }

  /** Call when the catalog has changed. */
  forget(): void {
    this.#isBehind = true
  }

  /** Loads the words in advance. */
  prepare(): void {
    this.#words()
  }

  /** Words that contain it after their first letter. */
  containing(word: string): string[] {
    if (word.length < MIN_WITHIN) return []
    return this.#words()
      .terms.filter((term) => term.includes(word, 1))
      .slice(0, MAX_WITHIN)
  }

  /** The nearest words, at most one typo away (two for long ones), most frequent first. */
  near(word: string): string[] {
    const { length } = word
    if (length < MIN_LENGTH || length > MAX_LENGTH || /\p{N}/u.test(word)) return []
    const { terms, letters, uses } = this.#words()
    const slips = length < LONG ? 1 : 2
    const own = lettersOf(word)
    const found: { term: string; uses: number; distance: number }[] = []
    for (let index = 0; index < terms.length; index += 1) {
      // A typo changes at most two letters, so only one word of hundreds has to be compared.
      if (bitsIn(own ^ (letters[index] ?? 0)) > 2 * slips) continue
      const term = terms[index] ?? ''
      const distance = slipsBetween(word, term, slips)
      if (distance) found.push({ term, uses: uses[index] ?? 0, distance })
    }
    const nearest = Math.min(...found.map(({ distance }) => distance))
    return found
      .filter(({ distance }) => distance === nearest)
      .toSorted((a, b) => b.uses - a.uses)
      .slice(0, MOST)
      .map(({ term }) => term)
  }

  #words(): Terms {
    const isOld = this.#isBehind && performance.now() - this.#readAt > MAX_AGE_MS
    if (this.#terms && !isOld) return this.#terms
    const rows = this.#known.all() as unknown as [string, number][]
    const words = {
      terms: rows.map(([term]) => term),
      letters: Int32Array.from(rows, ([term]) => lettersOf(term)),
      uses: Int32Array.from(rows, ([, uses]) => uses),
    }
    this.#terms = words
    this.#readAt = performance.now()
    this.#isBehind = false
    return words
  }
}

/** One bit per letter; letters beyond a to z share bits. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsIn(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/**
 * Number of typos between two words: missing, additional, replaced or swapped letters (optimal string alignment). Undefined if more than
 * `most`, found early.
 */
export function slipsBetween(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1
      const one = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + other)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(isSwap ? Math.min(one, at(before, j - 2) + 1) : one)
    }
    // A swap skips one row, so both rows have to be too far.
    if (Math.min(...row) > most && Math.min(...above) > most) return undefined
    before = above
    above = row
  }
  const distance = at(above, b.length)
  return distance <= most ? distance : undefined
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
