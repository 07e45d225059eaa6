import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { findSecrets, flagBefore } from '../../../../src-shared/form/recognize-secrets'
import type { HostValue } from '../apps/host-app'
import { isList } from './bridge-entry'

/** Shorter parts of a secret say nothing, and stand in too many words. */
const SHORTEST_PART = 4

/** Every secret that stands in a value, by the name it stands under and by how it looks; and the longer parts of those of several words. */
export function secretsOf(value: HostValue): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (secret: string): void => {
    if (secret.trim() === '') return
    found.add(secret)
    // A file may write one text in several lines.
    for (const part of secret.split(/\s+/u)) if (part.length >= SHORTEST_PART) found.add(part)
  }
  collect(value, { name: undefined, isSecret: false }, add)
  return found
}

type Place = {
  /** The name of the member, or the flag before it in a list. */
  readonly name: string | undefined
  /** Something above it is called like a secret. */
  readonly isSecret: boolean
}

function collect(value: HostValue, place: Place, add: (secret: string) => void): void {
  if (typeof value === 'number' && place.isSecret) add(String(value))
  if (typeof value === 'string') {
    if (place.isSecret) add(value)
    const context = { place: 'argument', name: place.name } as const
    for (const { start, end } of findSecrets(value, context)) add(value.slice(start, end))
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (isList(value)) {
    const words = value.map((one) => (typeof one === 'string' ? one : ''))
    value.forEach((one, index) => {
      const flag = typeof one === 'string' ? flagBefore(words, index) : undefined
      collect(one, { ...place, name: flag ?? place.name }, add)
    })
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    collect(inner, { name, isSecret: place.isSecret || namesSecret(name) }, add)
  }
}
