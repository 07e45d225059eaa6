/** Control characters except tab and newline, direction overrides, and characters that carry invisible text. */
const UNSEEN =
  /[\p{Cc}\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu

/** All invisible characters, including those that join letters or emoji. */
const UNMARKED = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu

function asCode(char: string): string {
  if (char === '\t' || char === '\n') return char
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `<U+${code}>`
}

/** Replaces characters in an untrusted text that could hide or reverse others by their code, such as `<U+202E>`. Tab and newline stay. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, asCode)
}

/** Replaces every invisible character in a text that the user decides on by its code, even between two emoji. Tab and newline stay. */
export function escapeInvisible(text: string): string {
  return text.replace(UNMARKED, asCode)
}

/** Maximum length of a server's name or label, in UTF-16 units: a longer one would fill the page. */
const MAX_LABEL_LENGTH = 200

function shortened(text: string, show: (text: string) => string): string {
  if (text.length <= MAX_LABEL_LENGTH) return show(text)
  return `${show(text.slice(0, MAX_LABEL_LENGTH).toWellFormed())}…`
}

/** Returns an untrusted label like `visibleText`, cut to a line or two. */
export function shortText(text: string): string {
  return shortened(text, visibleText)
}

/** Returns an untrusted name like `writtenOut`, cut to a line or two. */
export function shortName(text: string): string {
  return shortened(text, escapeInvisible)
}
