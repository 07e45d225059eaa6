import type { DatabaseSync } from 'node:sqlite'

import type { CatalogPage } from '../../../../src-shared/domain/catalog/catalog-query'
import { NearWords } from './near-words'
import { type ServerColumns, TRAIT } from './server-columns'
import { readTypedText, singularOf, stemOf } from './typed-words'
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
/** Above each score of servers that fit one word less. */
const WORD_STEP = 4_000
/** Letters of each part of two words that were typed as one. */
const LEAST_PART = 3
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
  /** Whether no server has all words, so that those with the most of them are shown. */
  readonly isPartial: boolean
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

  /** Servers that have every word, or the most of them where none has all; undefined for a text without words, which all servers match. */
  match(text: string): TextMatch | undefined {
    const { whole, words, hosts } = readTypedText(text)
    if (words.length === 0) return undefined
    const corrections: CatalogPage['corrections'] = []
    const meant: string[] = [...words]
    const wanted = words.map((typed): WantedWord => {
      const mayBeHost = hosts.has(typed)
      const known = this.#wordFits.of(typed)
      const isRare = known.count < FEW
      const taken = isRare ? this.#nearWords.near(typed) : []
      const forms = [stemOf(typed), isRare ? singularOf(typed) : undefined]
      const all = this.#withNear(known.fits, [
        ...taken,
        ...forms.filter((form) => form !== undefined),
      ])
      if (known.count === 0 && taken.length === 0) this.#addParts(typed, all)
      if (taken.length === 0) return { fits: all, mayBeHost }
      corrections.push({ typed, taken, has: known.count })
      meant.push(...taken)
      return { fits: all, mayBeHost }
    })
    const bonusOf = bonusFor(this.#columns, whole, meant)
    const most = this.#mostFitting(wanted)
    const isPartial = most > 0 && most < wanted.length
    if (isPartial) corrections.push(...missing(words, wanted))
    const least = isPartial ? Math.max(1, most - 1) : wanted.length
    return { scores: this.#scoresOf(wanted, bonusOf, least), corrections, isPartial }
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

  /** Two words that were typed as one: `bravesearch`. Both have to begin words of a name. */
  #addParts(typed: string, fits: Uint8Array): void {
    for (let at = LEAST_PART; at <= typed.length - LEAST_PART; at += 1) {
      const first = this.#wordFits.of(typed.slice(0, at))
      // A longer beginning has no more.
      if (first.count === 0) return
      const second = this.#wordFits.of(typed.slice(at))
      if (second.count === 0) continue
      for (let slot = 0; slot < fits.length; slot += 1) {
        const both = Math.min(first.fits[slot] ?? 0, second.fits[slot] ?? 0)
        if (both >= FIT.start) fits[slot] = Math.max(fits[slot] ?? 0, both)
      }
    }
  }

  /** How many words the server has that has the most of them. */
  #mostFitting(wanted: readonly WantedWord[]): number {
    let most = 0
    for (let slot = 0; slot < this.#columns.size && most < wanted.length; slot += 1)
      most = Math.max(most, fitting(wanted, slot))
    return most
  }

  #scoresOf(
    wanted: readonly WantedWord[],
    bonusOf: ReturnType<typeof bonusFor>,
    least: number,
  ): Uint16Array {
    const { shorts, size } = this.#columns
    const scores = new Uint16Array(size)
    for (let slot = 0; slot < size; slot += 1) {
      const count = fitting(wanted, slot)
      if (count < least || count === 0) continue
      const mean = meanFit(wanted, slot)
      const score = SCALE * (mean + bonusOf(slot, mean)) + (count - least) * WORD_STEP
      scores[slot] = Math.max(1, score - Math.min(shorts[slot] ?? 0, LONG_NAME))
    }
    return scores
  }
}

/** How many words a server has; none where all that fit are only hosts. */
function fitting(wanted: readonly WantedWord[], slot: number): number {
  let count = 0
  let hosts = 0
  for (const { fits, mayBeHost } of wanted) {
    const fit = fits[slot] ?? 0
    if (fit > FIT.host) count += 1
    else if (fit !== 0 && mayBeHost) hosts += 1
  }
  return count === 0 ? 0 : count + hosts
}

/** How well the words fit on the average that do, hosts left aside. */
function meanFit(wanted: readonly WantedWord[], slot: number): number {
  let sum = 0
  let count = 0
  for (const { fits } of wanted) {
    const fit = fits[slot] ?? 0
    if (fit <= FIT.host) continue
    sum += fit
    count += 1
  }
  return count === 0 ? 0 : sum / count
}

/** The words that no server has, nor another one in their place. */
function missing(
  words: readonly string[],
  wanted: readonly WantedWord[],
): CatalogPage['corrections'] {
  return words
    .filter((_, index) => wanted[index]?.fits.every((fit) => fit <= FIT.host) ?? true)
    .map((typed) => ({ typed, taken: [], has: 0 }))
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
