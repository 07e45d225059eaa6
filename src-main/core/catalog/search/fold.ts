/** Text as it is compared: lower-cased, without marks above and below letters, each run of spaces one space. */
export function fold(text: string): string {
  const isPlain = /^[\x20-\x7E]*$/.test(text)
  const bare = isPlain ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')
  return bare.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The words of a folded text, split where the index splits them: at all that is no letter and no digit. */
export function wordsOf(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}\p{Co}]+/u).filter((word) => word !== '')
}

/** Of `io.github.ann/x` the length of `io.github.`, of `com.stripe/x` that of `com.`: what says nothing of the server. */
export function hostLength(name: string): number {
  return /^(?:io\.github\.(?=[^/])|[^./]+\.)/i.exec(name)?.[0].length ?? 0
}
