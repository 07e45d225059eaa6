import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { CatalogPage } from '../../../../src-shared/domain/catalog/catalog-query'
import { fold, spacedPairs, wordsOf } from '../../text/words'
import { Vocabulary } from './near-words'

/** Score of a word's best match in a server. */
const FIT = {
  /** Only the shared host of the name matches; see `hostLength`. */
  host: 1,
  /** Prefix of a word in the description, an argument or a variable. */
  text: 10,
  /** Inside a word of the name, title, publisher or package. */
  within: 20,
  /** Prefix of a word in the publisher or package. */
  start: 30,
  /** Prefix of a word in the short name or title, */
  nameStart: 40,
  /** or the whole word. */
  nameWord: 50,
} as const
/** All columns except the name's host. */
const ANYWHERE = '{head rest words}'

/** Multiplies a match score, so that the bonuses below only order equal matches. */
const SCALE = 20
/** The whole text is the short name, the title, the full name or the publisher's own name. */
const EXACT = 100
const DOMAIN = 5
/** A word is the publisher's name, */
const OWN = 20
/** or its prefix. */
const OWN_START = 15
/** Shortest prefix that identifies a publisher. */
const MIN_START = 3
/** Bundled servers are chosen with care. */
const STARTER = 15
const DEPRECATED = -60
/** The length of a short name doesn't matter beyond this. */
const LONG_NAME = 60
/** More than any score of servers that match one word less. */
const WORD_STEP = 4_000
/** Shortest part of two words typed as one. */
const MIN_PART = 3
/** With fewer results than this, the word may be a typo. */
const FEW = 3

/** A full-text expression for a word, and its match score. */
type Place = readonly [fit: number, expression: string]

/** Servers that match a text: their rows are in the temporary table `found`; `order` is their score in SQL. */
export type TextMatch = {
  readonly order: string
  readonly values: readonly string[]
  readonly corrections: CatalogPage['corrections']
  /** Whether no server has all words, so that those with the most are shown. */
  readonly isPartial: boolean
}

/** Finds the typed words, and the intended ones if nobody uses a typed word. */
export class TextMatcher {
  readonly #vocabulary: Vocabulary
  readonly #count: StatementSync

  constructor(private readonly reader: DatabaseSync) {
    this.#vocabulary = new Vocabulary(reader)
    reader.exec('CREATE TEMP TABLE found (id INTEGER PRIMARY KEY, words INTEGER, mean REAL)')
    this.#count = reader.prepare(
      `SELECT count(*) AS count FROM (SELECT 1 FROM server_word JOIN server ON server.id = server_word.rowid
       JOIN source USING (source_id) WHERE server_word MATCH ? AND source.enabled = 1 LIMIT ${FEW})`,
    )
  }

  /** Call when the catalog has changed. */
  forget(): void {
    this.#vocabulary.forget()
  }

  /** Reads the words that typos are compared with. */
  prepare(): void {
    this.#vocabulary.prepare()
  }

  /**
   * Finds servers with every word, or with the most words if none has all; undefined for a text without words, which matches every server.
   */
  match(text: string): TextMatch | undefined {
    const { whole, words, hosts } = readTypedText(text)
    if (words.length === 0) return undefined
    const corrections: CatalogPage['corrections'] = []
    const meant = [...words]
    const places = words.map((typed): Place[] => {
      const has = this.#countOf(typed)
      if (has === undefined) return []
      const isRare = has < FEW
      const taken = isRare ? this.#vocabulary.near(typed) : []
      const forms = [stemOf(typed), isRare ? PLURAL.exec(typed)?.[1] : undefined]
      if (taken.length > 0) corrections.push({ typed, taken, has })
      meant.push(...taken)
      return [
        ...(hosts.has(typed) ? [[FIT.host, `host : "${typed}"*`] as const] : []),
        ...this.#placesOf(typed),
        ...halved([...taken, ...forms.filter((form) => form !== undefined)]),
        ...(has === 0 && taken.length === 0 ? partsOf(typed) : []),
      ]
    })
    const most = this.#fill(places)
    const isPartial = most > 0 && most < words.length
    if (isPartial) {
      const missing = words.filter((_, index) => !places[index]?.some((place) => this.#has(place)))
      corrections.push(...missing.map((typed) => ({ typed, taken: [], has: 0 })))
      this.reader.prepare('DELETE FROM found WHERE words < ?').run(Math.max(1, most - 1))
    } else if (most > 0) this.reader.prepare('DELETE FROM found WHERE words < ?').run(words.length)
    return { ...scoreOf(whole, meant), corrections, isPartial }
  }

  /** Counts the servers of a word or prefix up to a limit; undefined for a word the index can't contain. */
  #countOf(word: string): number | undefined {
    try {
      return Number(this.#count.get(`${ANYWHERE} : "${word}"*`)?.count)
    } catch (error) {
      // A character newer than SQLite's tables splits the word, and the index has no phrases.
      if (error instanceof Error && error.message.includes('phrase queries')) return undefined
      throw error
    }
  }

  #has([fit, expression]: Place): boolean {
    return fit > FIT.host && Number(this.#count.get(expression)?.count) > 0
  }

  #placesOf(word: string): Place[] {
    const starts: Place[] = [
      [FIT.nameWord, `head : "${word}"`],
      [FIT.nameStart, `head : "${word}"*`],
      [FIT.start, `rest : "${word}"*`],
    ]
    // One letter is a prefix in nearly every description.
    if (word.length === 1) return starts
    const within = this.#vocabulary.containing(word).map((term) => `"${term}"`)
    return [
      ...starts,
      [FIT.text, `words : "${word}"*`],
      ...(within.length > 0
        ? [[FIT.within, `{head rest} : (${within.join(' OR ')})`] as const]
        : []),
    ]
  }

  /** Stores for each server how many words it has and how well they match, without hosts; returns the highest word count. */
  #fill(words: readonly (readonly Place[])[]): number {
    const places = words.flatMap((some, index) => some.map((place) => [index, ...place]))
    this.reader.exec('DELETE FROM found')
    this.reader
      .prepare(
        `WITH place (word, fit, expression) AS MATERIALIZED
           (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)),
         best (id, fit) AS (SELECT server_word.rowid, max(fit) FROM place CROSS JOIN server_word
           WHERE server_word MATCH expression GROUP BY server_word.rowid, word)
         INSERT INTO found SELECT id, count(*), avg(fit) FILTER (WHERE fit > ${FIT.host}) FROM best
           GROUP BY id HAVING max(fit) > ${FIT.host}`,
      )
      .run(JSON.stringify(places))
    this.reader.exec(
      `DELETE FROM found WHERE id IN (SELECT id FROM server JOIN source USING (source_id) WHERE enabled = 0)`,
    )
    return Number(this.reader.prepare('SELECT max(words) AS most FROM found').get()?.most)
  }
}

/** Replacement words score half. */
function halved(words: readonly string[]): Place[] {
  if (words.length === 0) return []
  const all = words.map((word) => `"${word}"`)
  const starts = all.map((word) => `${word}*`).join(' OR ')
  return [
    [FIT.nameWord / 2, `head : (${all.join(' OR ')})`],
    [FIT.nameStart / 2, `head : (${starts})`],
    [FIT.start / 2, `rest : (${starts})`],
    [FIT.text / 2, `words : (${starts})`],
  ]
}

/** Two words typed as one, such as `bravesearch`; both have to be prefixes of name words. */
function partsOf(typed: string): Place[] {
  const parts: string[] = []
  for (let at = MIN_PART; at <= typed.length - MIN_PART; at += 1)
    parts.push(`("${typed.slice(0, at)}"* AND "${typed.slice(at)}"*)`)
  if (parts.length === 0) return []
  const either = parts.join(' OR ')
  return [
    [FIT.nameStart, `head : (${either})`],
    [FIT.start, `{head rest} : (${either})`],
  ]
}

/** Ranks exact, official and bundled servers first, and deprecated ones last. `meant` are the typed and the replacement words. */
function scoreOf(whole: string, meant: readonly string[]): Pick<TextMatch, 'order' | 'values'> {
  const own = [...meant, meant.join('')]
  const starts = meant.filter((word) => word.length >= MIN_START)
  const isOwnStart = ['0', ...starts.map(() => 'owner GLOB ?')].join(' OR ')
  const order = `${WORD_STEP} * words + ${SCALE} * (mean
    + ${EXACT} * (mean >= ${FIT.start} AND instr(char(10) || label, char(10) || ? || char(10)) > 0)
    + CASE WHEN owner IN (SELECT value FROM json_each(?)) THEN ${OWN} WHEN ${isOwnStart} THEN ${OWN_START} ELSE 0 END
    + ${STARTER} * (mean >= ${FIT.nameStart} AND source_id = 'starter')
    + ${DEPRECATED} * (status = 'deprecated') + ${DOMAIN} * (namespace = 'domain'))
    - min(instr(label, char(10)) - 1, ${LONG_NAME}) DESC`
  return { order, values: [whole, JSON.stringify(own), ...starts.map((word) => `${word}*`)] }
}

/** Further words are ignored. */
const MAX_WORDS = 8
const MAX_WORD = 64
/** Origin of a pasted address; the rest names the server. */
const ORIGIN = /^https?:\/\/[^/ ]+\//

/** Words without meaning here: they need not match if there are others. */
const FILLERS = new Set(
  'a an and for how i in my of on or the to use using want need with mcp server servers tool tools npx uvx'.split(
    ' ',
  ),
)
/** Endings of a word's forms, such as `automate` and `automation`, which share a prefix. */
const ENDING = /^(?:(.{3,}at)(?:e|es|ed|ing|ions?|ors?|ic)|(.{5,})(?:ings?|ions?|ed))$/u
/** Plural ending: words match by prefix, so both forms are found without it. */
const PLURAL = /^(.{4,}?)(?:ies|(?<!s)s)$/u

type TypedText = {
  /** The whole text, folded, for comparison with whole names. */
  readonly whole: string
  /** Without duplicates. A single letter counts only if it is the only word. */
  readonly words: readonly string[]
  /** Words next to a dot, as in `io.github.ann` and `stripe.com`, which may mean a name's host. */
  readonly hosts: ReadonlySet<string>
}

/** Parses a typed search; no character is special. */
function readTypedText(text: string): TypedText {
  const whole = fold(text).replace(ORIGIN, '')
  const all = wordsOf(spacedPairs(whole)).map((word) => word.slice(0, MAX_WORD))
  const long = all.filter((word) => word.length > 1)
  const distinct = long.filter((word) => !FILLERS.has(word))
  const wanted = [distinct, long, all].find(({ length }) => length > 0) ?? []
  const words = [...new Set(wanted)].slice(0, MAX_WORDS)
  const isBesideDot = (word: string): boolean =>
    whole.includes(`${word}.`) || whole.includes(`.${word}`)
  return { whole, words, hosts: new Set(words.filter(isBesideDot)) }
}

/** The common prefix of a word's forms; undefined if it has no ending. */
function stemOf(word: string): string | undefined {
  const [, verb, noun] = ENDING.exec(word) ?? []
  return verb ?? noun
}
