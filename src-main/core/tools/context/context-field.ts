/** Maximum characters of a field, and of the text that is read for it. */
const LONGEST = 256
const MAX_SCANNED = 8_192

/** Line endings and other white space; a run becomes one space. */
const SPACES = /[\s\p{Z}\u0085]+/gu
/** Controls, lone surrogates, noncharacters, and invisible characters. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]+/gu
/** Runs that open or close a code block in Markdown; also mixed ones, so that a removal creates no new one. */
const FENCES = /[`~]{3,}/g

/** Returns a text without invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(UNSEEN, '')
}

/**
 * Returns a server's text as one line for an agent (C6): at most 256 characters (code points), without control characters, invisible
 * characters and fences. Empty if nothing is left.
 */
export function contextField(text: string): string {
  const line = text
    .slice(0, MAX_SCANNED)
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(FENCES, '')
    .replace(SPACES, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= LONGEST && text.length <= MAX_SCANNED) return line
  return `${characters
    .slice(0, LONGEST - 1)
    .join('')
    .trimEnd()}…`
}
