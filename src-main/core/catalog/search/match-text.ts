import type { DatabaseSync } from 'node:sqlite'

import type { CatalogPage } from '../../../../src-shared/domain/catalog/catalog-query'
import { NearWords } from './near-words'
import { type ServerColumns, TRAIT } from './server-columns'
import { readTypedText } from './typed-words'
import { FIT, WordFits } from './word-fits'

/** Steps of a score for each step of a fit, so that what is added below it only orders equals. */
const SCALE = 20
/** The whole text is the short name, the title, the full name or the publisher's own name. */
const EXACT = 100
const DOMAIN = 5
/** A word is the name of its publisher, */
const OWN = 20
/** or the beginning of it. */
const OWN_START = 15
/** Letters from which on the beginning of a publisher's name says who is meant. */
const LEAST_START = 3
/** What comes with Patchbay was chosen with care. */
const STARTER = 15
const DEPRECATED = -60
/** Letters of a short name from which on it does not matter how long it is. */
const LONG_NAME = 60
/** Fewer finds than this, and the word may be a slip of the keys. */
const FEW = 3

/** One word of what was typed. */
type WantedWord = {
  /** By slot, those of the words that are taken for it as well. */
  readonly fits: Uint8Array
  /** Whether a server that has it in its host alone fits by its other words. */
  readonly mayBeHost: boolean
}

/** How well each slot fits what was typed; 0 where it does not. */
export type TextMatch = {
  readonly scores: Uint16Array
  readonly corrections: CatalogPage['corrections']
}

/** Finds what was typed, and what was meant where nobody uses a word that was typed. */
export class TextMatcher {
  readonly #columns: ServerColumns
  readonly #nearWords: NearWords
  readonly #wordFits: WordFits

  constructor(columns: ServerColumns, reader: DatabaseSync) {
    this.#columns = columns
    this.#nearWords = new NearWords(reader)
    this.#wordFits = new WordFits(columns, reader)
  }

  /** To be called when the columns have changed. */
  forget(): void {
    this.#wordFits.forget()
    this.#nearWords.forget()
  }

  /** Reads the words that a slip of the keys is compared with. */
  prepare(): void {
    this.#nearWords.prepare()
  }

  /** Every word has to be found; undefined for a text without words, which all servers match. */
  match(text: string): TextMatch | undefined {
    const { whole, words, hosts } = readTypedText(text)
    if (words.length === 0) return undefined
    const corrections: CatalogPage['corrections'] = []
    const meant: string[] = [...words]
    const wanted = words.map((typed): WantedWord => {
      const mayBeHost = hosts.has(typed)
      const known = this.#wordFits.of(typed)
      const taken = known.count < FEW ? this.#nearWords.near(typed) : []
      if (taken.length === 0) return { fits: known.fits, mayBeHost }
      corrections.push({ typed, taken, has: known.count })
      meant.push(...taken)
      return { fits: this.#withNear(known.fits, taken), mayBeHost }
    })
    return { scores: this.#scoresOf(wanted, bonusFor(this.#columns, whole, meant)), corrections }
  }

  /** What fits a word that was taken in place of the typed one fits half as well. */
  #withNear(typed: Uint8Array, taken: readonly string[]): Uint8Array {
    const all = Uint8Array.from(typed)
    for (const word of taken) {
      const { fits } = this.#wordFits.of(word)
      for (let slot = 0; slot < all.length; slot += 1) {
        const half = (fits[slot] ?? 0) >> 1
        if (half > (all[slot] ?? 0)) all[slot] = half
      }
    }
    return all
  }

  #scoresOf(wanted: readonly WantedWord[], bonusOf: ReturnType<typeof bonusFor>): Uint16Array {
    const { shorts, size } = this.#columns
    const scores = new Uint16Array(size)
    for (let slot = 0; slot < size; slot += 1) {
      const mean = meanFit(wanted, slot)
      if (mean === 0) continue
      const score = SCALE * (mean + bonusOf(slot, mean))
      scores[slot] = Math.max(1, score - Math.min(shorts[slot] ?? 0, LONG_NAME))
    }
    return scores
  }
}

/** How well all words fit on the average, hosts left aside; 0 where one does not fit, or all are only hosts. */
function meanFit(wanted: readonly WantedWord[], slot: number): number {
  let sum = 0
  let count = 0
  for (const { fits, mayBeHost } of wanted) {
    const fit = fits[slot] ?? 0
    if (fit > FIT.host) {
      sum += fit
      count += 1
    } else if (fit === 0 || !mayBeHost) return 0
  }
  return count === 0 ? 0 : sum / count
}

/**
 * Puts the exact, the official and what comes with Patchbay first, and the deprecated last. `meant` are the typed words and
 * those that were taken in their place.
 */
function bonusFor(
  columns: ServerColumns,
  whole: string,
  meant: readonly string[],
): (slot: number, mean: number) => number {
  const own = new Set([...meant, meant.join('')])
  const starts = meant.filter((word) => word.length >= LEAST_START)
  return (slot, mean) => {
    const trait = columns.traits[slot] ?? 0
    const owner = columns.owners[slot] ?? ''
    const isNamed = mean >= FIT.nameStart
    let bonus = isNamed && (trait & TRAIT.starter) !== 0 ? STARTER : 0
    if ((trait & TRAIT.deprecated) !== 0) bonus += DEPRECATED
    if ((trait & TRAIT.github) === 0) bonus += DOMAIN
    if (own.has(owner)) bonus += OWN
    else if (starts.some((word) => owner.startsWith(word))) bonus += OWN_START
    // What is a line of its own begins there.
    if (mean < FIT.start) return bonus
    return isLine(columns, slot, whole) ? bonus + EXACT : bonus
  }
}

/**
 * Whether a text is the whole of the short name, the title, the full name or the publisher's own name. The length is
 * compared first: the labels themselves lie far apart in memory.
 */
function isLine(
  { labels, owners, shorts, heads }: ServerColumns,
  slot: number,
  whole: string,
): boolean {
  const { length } = whole
  const isAt = (at: number): boolean => labels[slot]?.startsWith(`${whole}\n`, at) ?? false
  const [short, head] = [shorts[slot] ?? 0, heads[slot] ?? 0]
  if (short === length && isAt(0)) return true
  if (head - short - 1 === length && isAt(short + 1)) return true
  return owners[slot] === whole || (whole.includes('/') && isAt(head + 1))
}
