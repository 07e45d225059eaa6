import type { DatabaseSync, StatementSync } from 'node:sqlite'

import { keepNewest } from '../../lifecycle/keep-newest'
import type { ServerColumns } from './server-columns'
import { beginningsOf } from './typed-words'

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
export type WordFit = { readonly fits: Uint8Array; readonly count: number }

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
