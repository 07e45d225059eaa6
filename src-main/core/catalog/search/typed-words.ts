import { spacedPairs } from '../../text/words'
import { fold, wordsOf } from './fold'

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

/** What a user typed, ready to be compared. */
export type TypedText = {
  /** The whole of it, folded: to be compared with whole names. */
  readonly whole: string
  /** Each once. One letter counts where it is alone only: beside others it says too little. */
  readonly words: readonly string[]
  /** Those that stand beside a dot, as in `io.github.ann` and `stripe.com`: they may mean the host of a name. */
  readonly hosts: ReadonlySet<string>
}

/** Reads a search as typed; no character of it has a meaning. */
export function readTypedText(text: string): TypedText {
  const whole = fold(text).replace(ORIGIN, '')
  const all = wordsOf(spacedPairs(whole)).map((word) => word.slice(0, MAX_WORD))
  const long = all.filter((word) => word.length > 1)
  const telling = long.filter((word) => !FILLERS.has(word))
  const wanted = [telling, long, all].find(({ length }) => length > 0) ?? []
  const words = [...new Set(wanted)].slice(0, MAX_WORDS)
  const isBesideDot = (word: string): boolean =>
    whole.includes(`${word}.`) || whole.includes(`.${word}`)
  return { whole, words, hosts: new Set(words.filter(isBesideDot)) }
}

/** What the forms of a word begin with; undefined where it has no ending. */
export function stemOf(word: string): string | undefined {
  const [, verb, noun] = ENDING.exec(word) ?? []
  return verb ?? noun
}

/** A word that may be a plural without its ending. */
export function singularOf(word: string): string | undefined {
  return PLURAL.exec(word)?.[1]
}

/** The full-text expression for words that begin like this one, which must be as `wordsOf` gives it. */
export function beginningsOf(word: string): string {
  return `words : "${word}"*`
}
