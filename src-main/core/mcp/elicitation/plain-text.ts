/** Line ends of all kinds, and other spaces. */
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/gu
const SPACES = /(?!\n)[\s\p{Z}]/gu
/** Controls, halves of pairs, what is no character, and all that draws nothing. */
const UNSEEN = /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * A text of a server for a person to read, plain: without control and invisible characters, and at most `longest`
 * UTF-16 units of it, of which a last one that is cut off shows an ellipsis.
 */
export function plainText(text: string, longest: number): string {
  const cleaned = text
    .slice(0, longest)
    .replace(LINE_ENDS, '\n')
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .trim()
  return text.length > longest ? `${cleaned}…` : cleaned
}
