/**
 * Patterns whose time grows with the length of a text alone: from its begin on, characters, escapes and classes one
 * after the other, one of them at most repeated a number of times that is not fixed. One class may have 200 characters.
 */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[dDwWsS.\-/\\+*?()[\]{}|$^]|\.|\[(?:[^\\\]]|\\.){1,200}\])`
const TAME = new RegExp(
  String.raw`^\^(?:${ATOM}(?:\{\d{1,2}\})?)*(?:${ATOM}(?:[*+?]|\{\d{1,4},(?:\d{1,4})?\})(?:${ATOM}(?:\{\d{1,2}\})?)*)?\$?$`,
)
const LONGEST_TAME = 200

/** A pattern of a schema that cannot run away; undefined for others and for what is no pattern. */
export function tamePattern(pattern: string): RegExp | undefined {
  return pattern.length <= LONGEST_TAME && TAME.test(pattern) ? compiled(pattern) : undefined
}

/** A pattern that can be read without the flag of Unicode alone counts as read so; one that can't be read at all, as none. */
function compiled(pattern: string): RegExp | undefined {
  // Without the flag these mean something else.
  const ways = /\\[pPuk]/u.test(pattern) ? ['u'] : ['u', '']
  for (const flags of ways) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      continue // with the next flags, else unsure
    }
  }
  return undefined
}
