import { fold, wordsOf } from './fold'

/** Words beyond these are not looked at: nobody types them. */
const MAX_WORDS = 8
const MAX_WORD = 64

/** What a person typed, ready to be compared. */
export type TypedText = {
  /** The whole of it, folded: to be compared with whole names. */
  readonly whole: string
  /** Each once. */
  readonly words: readonly string[]
}

/** Reads a search as typed; no character of it has a meaning. */
export function readTypedText(text: string): TypedText {
  const whole = fold(text)
  const words = wordsOf(whole).map((word) => word.slice(0, MAX_WORD))
  return { whole, words: [...new Set(words)].slice(0, MAX_WORDS) }
}

/** The full-text expression for words that begin like this one, which must be as `wordsOf` gives it. */
export function beginningsOf(word: string): string {
  return `words : "${word}"*`
}
