/** Most characters that a field keeps, and most that are looked at. */
const LONGEST = 256
const LOOKED_AT = 8_192

/** Line ends and other spaces: a run of them becomes one space. */
const SPACES = /[\s\p{Z}\u0085]+/gu
/** Controls, halves of pairs, what is no character, and all that draws nothing. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]+/gu
/** Runs that open or close a code block in Markdown; mixed ones too, so that what goes leaves no new one behind. */
const FENCES = /[`~]{3,}/g

/** A text without characters that draw nothing. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '')
}

/**
 * A text of a server as one line that an agent may be shown: without control and invisible characters and fences, at
 * most 256 characters (code points); empty where nothing is left (C6).
 */
export function contextField(text: string): string {
  const line = text
    .slice(0, LOOKED_AT)
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(FENCES, '')
    .replace(SPACES, ' ')
    .trim()
  const characters = Array.from(line)
  if (characters.length <= LONGEST && text.length <= LOOKED_AT) return line
  return `${characters
    .slice(0, LONGEST - 1)
    .join('')
    .trimEnd()}…`
}
