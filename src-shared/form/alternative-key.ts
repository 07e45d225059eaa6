import type { FormField } from './form-field'

/**
 * The key of the environment variable that seems to take the same secret as a secret argument: its name has
 * the words of the argument, as `ESIOS_API_KEY` has those of `--api-key`. Undefined for other fields, and
 * where several could be meant.
 */
export function alternativeKey(field: FormField, fields: readonly FormField[]): string | undefined {
  const { place } = field.target
  const isArgument = place === 'runtimeArguments' || place === 'packageArguments'
  const words = wordsOf(field)
  if (!field.secret || !isArgument || words.length === 0) return undefined
  const candidates = fields.filter(
    ({ target, secret }) =>
      secret && target.place === 'environmentVariables' && target.variable === undefined,
  )
  const endings = candidates.filter((one) => endsWith(wordsOf(one), words))
  const found =
    endings.length > 0 ? endings : candidates.filter((one) => holds(wordsOf(one), words))
  const exact = found.filter((one) => wordsOf(one).length === words.length)
  const chosen = exact.length > 0 ? exact : found
  return chosen.length === 1 ? chosen[0]?.key : undefined
}

function wordsOf({ machineName }: FormField): string[] {
  return (machineName ?? '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

function endsWith(words: readonly string[], ending: readonly string[]): boolean {
  const from = words.length - ending.length
  return from >= 0 && ending.every((word, index) => words[from + index] === word)
}

/** In the same order, with others between them. */
function holds(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0
  for (const word of words) if (word === wanted[next]) next += 1
  return next === wanted.length
}
