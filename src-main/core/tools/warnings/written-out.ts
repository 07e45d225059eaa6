/** Controls, what is no character at all, spaces that are not the plain one, and all that draws nothing. */
const UNSEEN = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu

/** The number of a character as Unicode writes it, such as `U+200B`. */
export function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${code.padStart(4, '0')}`
}

/** A text of a server to cite in a sentence: at most `limit` characters of it, each that cannot be seen as its code, such as `<U+200B>`. */
export function writtenOut(text: string, limit = 60): string {
  // Cut before it is taken apart: a name may have megabytes.
  const characters = Array.from(text.slice(0, 2 * (limit + 1)))
  const shown = characters.slice(0, limit).join('')
  const rest = characters.length > limit ? '…' : ''
  return shown.replace(UNSEEN, (character) => `<${codeOf(character)}>`) + rest
}
