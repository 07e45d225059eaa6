import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { CatalogPage } from '../../../../src-shared/domain/catalog/catalog-query'
import { fold, spacedPairs, wordsOf } from '../../text/words'
import { Vocabulary } from './near-words'

/** How well a word fits a server; the best place counts. */
const FIT = {
  /** Only the host of its name is like it, which thousands share: see `hostLength`. */
  host: 1,
  /** A word of the description, an argument or a variable begins like it. */
  text: 10,
  /** Within a word of the name, title, publisher or package. */
  within: 20,
  /** A word of the publisher or package begins like it. */
  start: 30,
  /** A word of the short name or title begins like it, */
  nameStart: 40,
  /** or is it. */
  nameWord: 50,
} as const
/** Everything that says what a server is; the host of its name does not. */
const ANYWHERE = '{head rest words}'

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

/** One place where a word is looked for, as a full-text expression, and how well it fits there. */
type Place = readonly [fit: number, expression: string]

/** What servers fit a text: their rows are in the temporary table `found`, and `order` is the SQL of their score. */
export type TextMatch = {
  readonly order: string
  readonly values: readonly string[]
  readonly corrections: CatalogPage['corrections']
  /** Whether no server has all words, so that those with the most of them are shown. */
  readonly isPartial: boolean
}

/** Finds what was typed, and what was meant where nobody uses a word that was typed. */
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

  /** To be called when the catalog has changed. */
  forget(): void {
    this.#vocabulary.forget()
  }

  /** Reads the words that a slip of the keys is compared with. */
  prepare(): void {
    this.#vocabulary.prepare()
  }

  /** Servers that have every word, or the most of them where none has all; undefined for a text without words, which all servers match. */
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

  /** Of the servers that have a word, or one that begins so, the first few; undefined for a word that the index cannot hold. */
  #countOf(word: string): number | undefined {
    try {
      return Number(this.#count.get(`${ANYWHERE} : "${word}"*`)?.count)
    } catch (error) {
      // A letter that is newer than SQLite's table of them parts the word, and the index knows no phrases.
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
    // One letter begins a word of nearly every description.
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

  /** Notes each server with how many of the words it has and how well those fit, hosts left aside; gives the most words of one. */
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

/** What fits a word that was taken in place of the typed one fits half as well. */
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

/** Two words that were typed as one: `bravesearch`. Both have to begin words of a name. */
function partsOf(typed: string): Place[] {
  const parts: string[] = []
  for (let at = LEAST_PART; at <= typed.length - LEAST_PART; at += 1)
    parts.push(`("${typed.slice(0, at)}"* AND "${typed.slice(at)}"*)`)
  if (parts.length === 0) return []
  const either = parts.join(' OR ')
  return [
    [FIT.nameStart, `head : (${either})`],
    [FIT.start, `{head rest} : (${either})`],
  ]
}

/**
 * Puts the exact, the official and what comes with Patchbay first, and the deprecated last. `meant` are the typed words and
 * those that were taken in their place.
 */
function scoreOf(whole: string, meant: readonly string[]): Pick<TextMatch, 'order' | 'values'> {
  const own = [...meant, meant.join('')]
  const starts = meant.filter((word) => word.length >= LEAST_START)
  const isOwnStart = ['0', ...starts.map(() => 'owner GLOB ?')].join(' OR ')
  const order = `${WORD_STEP} * words + ${SCALE} * (mean
    + ${EXACT} * (mean >= ${FIT.start} AND instr(char(10) || label, char(10) || ? || char(10)) > 0)
    + CASE WHEN owner IN (SELECT value FROM json_each(?)) THEN ${OWN} WHEN ${isOwnStart} THEN ${OWN_START} ELSE 0 END
    + ${STARTER} * (mean >= ${FIT.nameStart} AND source_id = 'starter')
    + ${DEPRECATED} * (status = 'deprecated') + ${DOMAIN} * (namespace = 'domain'))
    - min(instr(label, char(10)) - 1, ${LONG_NAME}) DESC`
  return { order, values: [whole, JSON.stringify(own), ...starts.map((word) => `${word}*`)] }
}

/** Words beyond these are not looked at: nobody types them. */
const MAX_WORDS = 8
const MAX_WORD = 64
/** Of an address that somebody pasted: what comes behind it names the server. */
const ORIGIN = /^https?:\/\/[^/ ]+\//

/** Words that say nothing of a server here: they do not have to fit, beside others. */
const FILLERS = new Set(
  'a an and for how i in my of on or the to use using want need with mcp server servers tool tools npx uvx'.split(
    ' ',
  ),
)
/** Endings of one word in its forms: `automate`, `automation`. What stands before them begins all of them. */
const ENDING = /^(?:(.{3,}at)(?:e|es|ed|ing|ions?|ors?|ic)|(.{5,})(?:ings?|ions?|ed))$/u
/** The end of a plural: words are looked for by their beginning, so that without it both forms are found. */
const PLURAL = /^(.{4,}?)(?:ies|(?<!s)s)$/u

type TypedText = {
  /** The whole of it, folded: to be compared with whole names. */
  readonly whole: string
  /** Each once. One letter counts where it is alone only: beside others it says too little. */
  readonly words: readonly string[]
  /** Those that stand beside a dot, as in `io.github.ann` and `stripe.com`: they may mean the host of a name. */
  readonly hosts: ReadonlySet<string>
}

/** Reads a search as typed; no character of it has a meaning. */
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

/** What the forms of a word begin with; undefined where it has no ending. */
function stemOf(word: string): string | undefined {
  const [, verb, noun] = ENDING.exec(word) ?? []
  return verb ?? noun
}
