/** Below this many characters a secret is too likely to be an ordinary word of a log to be masked there. */
export const SHORTEST_MASKED = 4

/** What is odd about a secret as it was typed, as sentences; it is kept as it is all the same. */
export function secretWarnings(text: string): string[] {
  const bare = text.trim()
  if (bare === '') return text === '' ? [] : ['The value contains only spaces.']
  return [
    ...edgeWarnings(text),
    ...(bare.length < SHORTEST_MASKED
      ? [`Values with fewer than ${String(SHORTEST_MASKED)} characters aren’t masked in the log.`]
      : []),
  ]
}

function edgeWarnings(text: string): string[] {
  const begins = edgeWord(/^\s+/u.exec(text)?.[0])
  const ends = edgeWord(/\s+$/u.exec(text)?.[0])
  const what =
    begins === undefined
      ? ends && `ends with ${ends}`
      : ends === undefined
        ? `begins with ${begins}`
        : `begins with ${begins} and ends with ${ends}`
  return what === undefined ? [] : [`The value ${what}. Patchbay keeps it as typed.`]
}

function edgeWord(edge: string | undefined): string | undefined {
  if (edge === undefined) return undefined
  return /[\r\n]/u.test(edge) ? 'a line break' : 'a space'
}
