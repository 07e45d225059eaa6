import type { KeyValueInput, Remote } from '../domain/server-json/server-json'

/** Returns the address of a remote as an input: fixed text, or a template of its variables. */
export function remoteAddress({ url, variables }: Remote): KeyValueInput {
  return { name: 'url', value: url, variables }
}

/** Returns the headers with their index; of those with the same name, ignoring case, only the last one counts. */
export function declaredHeaders(
  headers: readonly KeyValueInput[] | undefined,
): { input: KeyValueInput; index: number }[] {
  const all = (headers ?? []).map((input, index) => ({ input, index }))
  const last = new Map(all.map(({ input, index }) => [input.name.toLowerCase(), index]))
  return all.filter(({ input, index }) => last.get(input.name.toLowerCase()) === index)
}
