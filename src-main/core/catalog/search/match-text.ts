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
const OWN_DOMAIN = 20
/** What comes with Patchbay was chosen with care. */
const STARTER = 15
const DEPRECATED = -60
/** Letters of a short name from which on it does not matter how long it is. */
const LONG_NAME = 60
/** Fewer finds than this, and the word may be a slip of the keys. */
const FEW = 3

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

  /** Every word has to be found; undefined for a text without words, which all servers match. */
  match(text: string): TextMatch | undefined {
    const { whole, words } = readTypedText(text)
    if (words.length === 0) return undefined
    const corrections: CatalogPage['corrections'] = []
    const fits = words.map((typed) => {
      const known = this.#wordFits.of(typed)
      const taken = known.count < FEW ? this.#nearWords.near(typed) : []
      if (taken.length === 0) return known.fits
      corrections.push({ typed, taken, has: known.count })
      return this.#withNear(known.fits, taken)
    })
    return { scores: this.#scoresOf(fits, whole, words), corrections }
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

  #scoresOf(fits: readonly Uint8Array[], whole: string, words: readonly string[]): Uint16Array {
    const { labels, shorts, traits, size } = this.#columns
    const scores = new Uint16Array(size)
    const bonusOf = bonusFor(whole, words)
    for (let slot = 0; slot < size; slot += 1) {
      let sum = 0
      for (const fit of fits) {
        const one = fit[slot] ?? 0
        sum = one === 0 ? Number.NEGATIVE_INFINITY : sum + one
      }
      if (sum < 0) continue
      const mean = sum / words.length
      const score = SCALE * (mean + bonusOf(labels[slot] ?? '', traits[slot] ?? 0, mean))
      scores[slot] = Math.max(1, score - Math.min(shorts[slot] ?? 0, LONG_NAME))
    }
    return scores
  }
}

/** Puts the exact, the official and what comes with Patchbay first, and the deprecated last. */
function bonusFor(
  whole: string,
  words: readonly string[],
): (label: string, trait: number, mean: number) => number {
  const wholeLine = `\n${whole}\n`
  const firstLine = `${whole}\n`
  const wordLines = words.map((word) => `\n${word}\n`)
  return (label, trait, mean) => {
    const isNamed = mean >= FIT.nameStart
    let bonus = isNamed && (trait & TRAIT.starter) !== 0 ? STARTER : 0
    if ((trait & TRAIT.deprecated) !== 0) bonus += DEPRECATED
    const isDomain = (trait & TRAIT.github) === 0
    if (isDomain) bonus += DOMAIN
    // What is a line of its own begins there.
    if (mean < FIT.start) return bonus
    if (label.startsWith(firstLine) || label.includes(wholeLine)) bonus += EXACT
    if (isDomain && wordLines.some((line) => label.includes(line))) bonus += OWN_DOMAIN
    return bonus
  }
}
