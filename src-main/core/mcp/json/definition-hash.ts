import { createHash } from 'node:crypto'

import { madeOnce } from '../../lifecycle/same-object'

/**
 * SHA-256 in hex over the whole definition of a tool: agents are given every field of it, such as `_meta`, `icons` and
 * `execution`, and a field that nothing covers could change after the approval. Kept as long as the definition.
 */
export const definitionHash = madeOnce((definition: object) => hashOf(definition))

/** SHA-256 in hex over the canonical JSON of a value. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** A list or object that is being written, and how far it is; of a list the places stand for the keys. */
type Open = {
  readonly of: Readonly<Record<string | number, unknown>>
  readonly keys: readonly string[] | undefined
  readonly length: number
  at: number
}

/**
 * JSON with the keys of every object sorted, as RFC 8785 has it, however deep: what is open waits in a list and not on
 * the stack. What JSON has no text for counts as missing in an object and as null elsewhere.
 */
export function canonicalJson(value: unknown): string {
  const [opening, ...open] = begun(value)
  let text = opening
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { of, keys, at } = top
    if (at === top.length) {
      text += keys ? '}' : ']'
      open.pop()
      continue
    }
    top.at += 1
    const key = keys?.[at]
    const [begin, inner] = begun(of[key ?? at])
    text += `${at > 0 ? ',' : ''}${key === undefined ? '' : `${JSON.stringify(key)}:`}${begin}`
    if (inner) open.push(inner)
  }
  return text
}

/** How the text of a value begins, and what of it is still to be written. */
function begun(value: unknown): [text: string, open?: Open] {
  if (typeof value !== 'object' || value === null) {
    const text: unknown = JSON.stringify(value)
    return [typeof text === 'string' ? text : 'null']
  }
  const of = value as Open['of']
  if (Array.isArray(value)) return ['[', { of, keys: undefined, length: value.length, at: 0 }]
  const keys = Object.keys(value)
    .filter((key) => of[key] !== undefined)
    .sort()
  return ['{', { of, keys, length: keys.length, at: 0 }]
}
