import * as z from 'zod'

import { StoredSecretId } from './stored-secret'

/** The name of a variable of the environment. */
export const VariableName = z
  .string()
  .max(400)
  .regex(/^[^=\0\s$]+$/)

/** How many values a secret has that takes several; missing for one. */
const ValueCount = z.int().min(2).optional()

/**
 * Where the secret of a field is. In the keychain it is the installation's own, that of a stored secret, or one that an earlier
 * version has for itself because the next had no place for it. It can also be a variable of the environment that Patchbay
 * runs in, which each start reads. Never the value.
 */
export const SecretPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('own'), count: ValueCount }),
  z.object({ kind: z.literal('stored'), secretId: StoredSecretId, count: ValueCount }),
  z.object({ kind: z.literal('kept'), versionKey: z.string(), count: ValueCount }),
  z.object({ kind: z.literal('environment'), name: VariableName }),
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

/** How many values a secret has at its place. */
export function valueCount(place: SecretPlace | undefined): number {
  return place === undefined || place.kind === 'environment' ? 1 : (place.count ?? 1)
}

/** An installation's own place for a number of values. */
export function ownPlaceFor(count: number): SecretPlace {
  return count > 1 ? { kind: 'own', count } : OWN_PLACE
}

/** Whether a place was chosen for a field, and is not the installation's to fill or to delete. */
export function isChosen({ kind }: SecretPlace): boolean {
  return kind === 'stored' || kind === 'environment'
}

/** The places alone that were chosen. */
export function chosenPlaces(places: SecretPlaces): SecretPlaces {
  return Object.fromEntries(Object.entries(places).filter(([, place]) => isChosen(place)))
}

/** The places of one kind alone. */
export function placesOfKind(places: SecretPlaces, kind: SecretPlace['kind']): SecretPlaces {
  return Object.fromEntries(Object.entries(places).filter(([, place]) => place.kind === kind))
}
