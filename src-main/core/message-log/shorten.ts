/** Of a name, a method or an id, in UTF-16 units; a longer one is shortened. */
export const LONGEST_KEPT = 160
/** How much of one is looked through for secrets before the cut, which lies far before its end. */
const LOOKED_THROUGH = 2_000

/** The beginning of a long text, longer than what is not shortened by a sign; nothing of the whole text stays in memory for it. */
export function shorten(text: string, mask: (text: string) => string): string {
  const start = mask(text.slice(0, LOOKED_THROUGH)).slice(0, LONGEST_KEPT)
  return `${Buffer.from(start).toString()}…`
}
