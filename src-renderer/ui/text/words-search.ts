/** Returns a function that says whether texts contain each word of a search, ignoring case. */
export function wordsSearch(
  search: string,
): (...texts: readonly (string | undefined)[]) => boolean {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean)
  return (...texts) => {
    if (words.length === 0) return true
    const text = texts.join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
}
