/** Control characters but tab and newline, those that turn the text around them, and those that carry text of their own unseen. */
const UNSEEN =
  /[\p{Cc}\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu

/** All that leaves no mark, those among it that join letters or emoji too. */
const UNMARKED = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

function asCode(char: string): string {
  if (char === '\t' || char === '\n') return char
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `<U+${code}>`
}

/**
 * A text from outside with every character made visible that could hide or turn others: they become
 * their code, such as `<U+202E>`. Tab and newline stay.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, asCode)
}

/** A text to be judged: every character that leaves no mark becomes its code, even where it joins two emoji. Tab and newline stay. */
export function writtenOut(text: string): string {
  return text.replace(UNMARKED, asCode)
}

/** Longer names and labels of a server would fill the page, in UTF-16 units. */
const LONGEST_LABEL = 200

function shortened(text: string, show: (text: string) => string): string {
  if (text.length <= LONGEST_LABEL) return show(text)
  return `${show(text.slice(0, LONGEST_LABEL).toWellFormed())}…`
}

/** A label from outside: as `visibleText`, and no more than a line or two of it. */
export function shortText(text: string): string {
  return shortened(text, visibleText)
}

/** A name from outside: as `writtenOut`, and no more than a line or two of it. */
export function shortName(text: string): string {
  return shortened(text, writtenOut)
}
