import { createHash } from 'node:crypto'

import { isJsonObject } from '../../../../src-shared/domain/json-object'
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

/** JSON with the keys of every object sorted, as RFC 8785 has it. What JSON has no text for counts as missing in an object and as null elsewhere. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) {
    const text: unknown = JSON.stringify(value)
    return typeof text === 'string' ? text : 'null'
  }
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
  return `{${members.join(',')}}`
}
