import * as z from 'zod'

import { StoredSecretId } from './stored-secret'

/** Name of an environment variable. */
export const VariableName = z
  .string()
  .max(400)
  .regex(/^[^=\0\s$]+$/)

/** Number of values of a secret with several values; missing for one. */
const ValueCount = z.int().min(2).optional()

/**
 * Location of a field's secret, never its value. In the keychain it is the installation's own, a stored secret, or one that an earlier
 * version keeps because the next had no place for it. It can also be a variable of Patchbay's own environment, which each start reads.
 */
export const SecretPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('own'), count: ValueCount }),
  z.object({ kind: z.literal('stored'), secretId: StoredSecretId, count: ValueCount }),
  z.object({ kind: z.literal('kept'), versionKey: z.string(), count: ValueCount }),
  z.object({ kind: z.literal('environment'), name: VariableName }),
])
export type SecretPlace = z.infer<typeof SecretPlace>

/** Locations of the secrets of an installation, by field key. */
export const SecretPlaces = z.record(z.string(), SecretPlace)
export type SecretPlaces = z.infer<typeof SecretPlaces>

/** Location of a secret that belongs to its installation. */
export const OWN_PLACE: SecretPlace = { kind: 'own' }

/** Returns the location of a field's secret; undefined if the field has none. */
export function placeAt(places: SecretPlaces, fieldKey: string): SecretPlace | undefined {
  return Object.hasOwn(places, fieldKey) ? places[fieldKey] : undefined
}

/** Returns the stored secret that a field uses. */
export function storedAt(places: SecretPlaces, fieldKey: string): string | undefined {
  const place = placeAt(places, fieldKey)
  return place?.kind === 'stored' ? place.secretId : undefined
}

/** Returns the number of values of a secret. */
export function valueCount(place: SecretPlace | undefined): number {
  return place === undefined || place.kind === 'environment' ? 1 : (place.count ?? 1)
}

/** Returns an installation's own location for a number of values. */
export function ownPlaceFor(count: number): SecretPlace {
  return count > 1 ? { kind: 'own', count } : OWN_PLACE
}

/** Whether the user chose a location for a field, so that the installation neither sets nor deletes the secret. */
export function isChosen({ kind }: SecretPlace): boolean {
  return kind === 'stored' || kind === 'environment'
}

/** Returns only the locations that the user chose. */
export function chosenPlaces(places: SecretPlaces): SecretPlaces {
  return Object.fromEntries(Object.entries(places).filter(([, place]) => isChosen(place)))
}

/** Returns only the locations of one kind. */
export function placesOfKind(places: SecretPlaces, kind: SecretPlace['kind']): SecretPlaces {
  return Object.fromEntries(Object.entries(places).filter(([, place]) => place.kind === kind))
}
