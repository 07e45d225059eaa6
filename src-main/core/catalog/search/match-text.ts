import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { CatalogPage } from '../../../../src-shared/domain/catalog/catalog-query'
import { keepNewest } from '../../lifecycle/keep-newest'
import { NearWords } from './near-words'
import { type ServerColumns, TRAIT } from './server-columns'
import { beginningsOf, readTypedText, singularOf, stemOf } from './typed-words'

/** How well a word fits a server; the best place counts. */
export const FIT = {
  /** Only the host of its name is like it, which thousands share: see `hostLength`. */
  host: 1,
  /** A word of the description, an argument or a variable begins like it. */
  text: 10,
  /** Within the name, title, publisher or package. */
  within: 20,
  /** A word of the publisher or package begins like it. */
  start: 30,
  /** A word of the short name or title begins like it, */
  nameStart: 40,
  /** or is it. */
  nameWord: 50,
} as const

/** Words whose fits are kept: all of a text but the one that is being typed were looked for a moment ago. */
const MOST_KEPT = 32

/** How well one word fits each slot, 0 where it does not, and how many it fits by more than a host. */
type WordFit = { readonly fits: Uint8Array; readonly count: number }

/** Looks words up in the columns, and in the full-text index of what the columns do not hold. */
export class WordFits {
  readonly #columns: ServerColumns
  readonly #beginnings: StatementSync
  readonly #kept = new Map<string, WordFit>()

  constructor(columns: ServerColumns, reader: DatabaseSync) {
    this.#columns = columns
    // As one text: rows of their own take twice as long where there are thousands.
    this.#beginnings = reader.prepare(
      'SELECT json_group_array(rowid) AS ids FROM server_word WHERE server_word MATCH ?',
    )
  }

  of(word: string): WordFit {
    const found = this.#kept.get(word) ?? this.#find(word)
    keepNewest(this.#kept, word, found, MOST_KEPT)
    return found
  }

  /** To be called when the columns have changed. */
  forget(): void {
    this.#kept.clear()
  }

  #find(word: string): WordFit {
    const fits = new Uint8Array(this.#columns.size)
    const count = this.#addLabels(word, fits)
    // One letter begins a word of nearly every description.
    return { fits, count: word.length > 1 ? count + this.#addText(word, fits) : count }
  }

  #addLabels(word: string, fits: Uint8Array): number {
    const { text, starts } = this.#columns.text()
    let count = 0
    let slot = 0
    let at = text.indexOf(word)
    while (at >= 0) {
      while (at >= (starts[slot + 1] ?? 0)) slot += 1
      const place = this.#placeOf(slot, starts[slot] ?? 0)
      const before = fits[slot] ?? 0
      const best = Math.max(before, fitAt(text, place, word, at))
      if (before <= FIT.host && best > FIT.host) count += 1
      fits[slot] = best
      // No other place in this label can be better.
      const isBest = best === FIT.nameWord || (at > place.head && best >= FIT.start)
      at = text.indexOf(word, isBest ? starts[slot + 1] : at + 1)
    }
    return count
  }

  #placeOf(slot: number, start: number): LabelPlace {
    const { heads, hosts } = this.#columns
    return { head: start + (heads[slot] ?? 0), hostEnd: start + (hosts[slot] ?? 0) }
  }

  /**
   * A letter that is newer than SQLite's table of them parts a word for it, and the index knows no phrases: then
   * nothing of it begins so.
   */
  #rowsOf(word: string): readonly number[] {
    try {
      return JSON.parse(String(this.#beginnings.get(beginningsOf(word))?.ids)) as number[]
    } catch (error) {
      if (error instanceof Error && error.message.includes('phrase queries')) return []
      throw error
    }
  }

  #addText(word: string, fits: Uint8Array): number {
    let count = 0
    for (const id of this.#rowsOf(word)) {
      const slot = this.#columns.slotOf(id)
      if (slot === undefined || (fits[slot] ?? 0) > FIT.host) continue
      fits[slot] = FIT.text
      count += 1
    }
    return count
  }
}

/** Where the head of a label ends, which the full name follows, and where the host of that does. */
type LabelPlace = { readonly head: number; readonly hostEnd: number }

function fitAt(text: string, { head, hostEnd }: LabelPlace, word: string, at: number): number {
  if (at > head && at < hostEnd) return FIT.host
  if (isLetterAt(text, at - 1)) return FIT.within
  if (at < head) return isLetterAt(text, at + word.length) ? FIT.nameStart : FIT.nameWord
  if (text.charAt(at - 1) !== '.') return FIT.start
  return isTopAt(text, text.slice(head + 1, hostEnd - 1), word, at) ? FIT.host : FIT.start
}

/** The host begins the full name, and ends the domain that stands for it. */
function isTopAt(text: string, top: string, word: string, at: number): boolean {
  return top.startsWith(word) && text.startsWith(top, at) && !isLetterAt(text, at + top.length)
}

function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (Number.isNaN(code)) return false
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  return /[\p{L}\p{N}]/u.test(text.charAt(at))
}

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
