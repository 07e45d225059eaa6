import { spacedPairs } from '../../text/words'
import { fold, wordsOf } from './fold'

/** Words beyond these are not looked at: nobody types them. */
const MAX_WORDS = 8
const MAX_WORD = 64
/** Of an address that somebody pasted: what comes behind it names the server. */
const ORIGIN = /^https?:\/\/[^/ ]+\//

/** What a person typed, ready to be compared. */
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
  const words = [...new Set(long.length > 0 ? long : all)].slice(0, MAX_WORDS)
  const isBesideDot = (word: string): boolean =>
    whole.includes(`${word}.`) || whole.includes(`.${word}`)
  return { whole, words, hosts: new Set(words.filter(isBesideDot)) }
}

/** The full-text expression for words that begin like this one, which must be as `wordsOf` gives it. */
export function beginningsOf(word: string): string {
  return `words : "${word}"*`
}
