import { jsonIn } from '../domain/attempt'

/** Begins the stored text of several values; a keychain entry holds one text. */
const LIST_PREFIX = 'patchbay-values:'

/** Several values of one secret as the text that the secret store holds; one value is stored as typed. */
export function joinSecretList(values: readonly string[]): string {
  const [only, ...more] = values
  const isPlain = only !== undefined && more.length === 0 && !only.startsWith(LIST_PREFIX)
  return isPlain ? only : `${LIST_PREFIX}${JSON.stringify(values)}`
}

/** The values that `joinSecretList` stored; any other text is one value. */
export function splitSecretList(stored: string): readonly string[] {
  if (!stored.startsWith(LIST_PREFIX)) return [stored]
  const list = jsonIn(stored.slice(LIST_PREFIX.length))
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : [stored]
}
