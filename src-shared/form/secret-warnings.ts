/** Shorter secrets are too likely to be ordinary words of a log to be masked there. */
export const MIN_MASKED_LENGTH = 4

/** Returns warnings about a typed secret, as sentences; the secret is stored unchanged. */
export function secretWarnings(text: string): string[] {
  const bare = text.trim()
  if (bare === '') return text === '' ? [] : ['The value contains only spaces.']
  return [
    ...edgeWarnings(text),
    ...(bare.length < MIN_MASKED_LENGTH
      ? [`Values with fewer than ${String(MIN_MASKED_LENGTH)} characters aren’t masked in the log.`]
      : []),
  ]
}

function edgeWarnings(text: string): string[] {
  const edges = [
    { verb: 'begins', space: /^\s+/u.exec(text) },
    { verb: 'ends', space: /\s+$/u.exec(text) },
  ].flatMap(({ verb, space }) =>
    space ? `${verb} with a ${/[\r\n]/u.test(space[0]) ? 'line break' : 'space'}` : [],
  )
  return edges.length === 0 ? [] : [`The value ${edges.join(' and ')}. Patchbay keeps it as typed.`]
}
