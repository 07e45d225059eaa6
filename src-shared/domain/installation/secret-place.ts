import * as z from 'zod'

import { StoredSecretId } from './stored-secret'

/**
 * Which entry of the keychain the secret of a field is in: the installation's own, that of a stored secret, or one that an earlier
 * version has for itself because the next had no place for it. Never the value.
 */
export const SecretPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('own') }),
  z.object({ kind: z.literal('stored'), secretId: StoredSecretId }),
  z.object({ kind: z.literal('kept'), versionKey: z.string() }),
])
export type SecretPlace = z.infer<typeof SecretPlace>

/** Where the secrets of an installation are, by the keys of its fields. */
export const SecretPlaces = z.record(z.string(), SecretPlace)
export type SecretPlaces = z.infer<typeof SecretPlaces>

/** The place of a secret that its installation has for itself. */
export const OWN_PLACE: SecretPlace = { kind: 'own' }

/** Where the secret of a field is; undefined where it has none. */
export function placeAt(places: SecretPlaces, fieldKey: string): SecretPlace | undefined {
  return Object.hasOwn(places, fieldKey) ? places[fieldKey] : undefined
}

/** The stored secret that a field uses. */
export function storedAt(places: SecretPlaces, fieldKey: string): string | undefined {
  const place = placeAt(places, fieldKey)
  return place?.kind === 'stored' ? place.secretId : undefined
}

/** The places of one kind alone. */
export function placesOfKind(places: SecretPlaces, kind: SecretPlace['kind']): SecretPlaces {
  return Object.fromEntries(Object.entries(places).filter(([, place]) => place.kind === kind))
}
