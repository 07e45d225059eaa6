import { jsonIn } from '../domain/attempt'

/** Prefix of the stored text of several values, because a keychain entry holds one text. */
const LIST_PREFIX = 'patchbay-values:'

/** Joins several values of one secret to the text for the secret store; one value is stored as typed. */
export function joinSecretList(values: readonly string[]): string {
  const [only, ...more] = values
  const isPlain = only !== undefined && more.length === 0 && !only.startsWith(LIST_PREFIX)
  return isPlain ? only : `${LIST_PREFIX}${JSON.stringify(values)}`
}

/** Returns the values that `joinSecretList` joined; any other text is one value. */
export function splitSecretList(stored: string): readonly string[] {
  if (!stored.startsWith(LIST_PREFIX)) return [stored]
  const list = jsonIn(stored.slice(LIST_PREFIX.length))
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : [stored]
}
