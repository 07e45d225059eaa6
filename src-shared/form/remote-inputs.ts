import type { KeyValueInput, Remote } from '../domain/server-json'

/** The address of a remote as an input: fixed text, or a template of its variables. */
export function remoteAddress({ url, variables }: Remote): KeyValueInput {
  return { name: 'url', value: url, variables }
}
