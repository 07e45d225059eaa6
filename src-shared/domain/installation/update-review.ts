import * as z from 'zod'

import { CatalogSource } from '../catalog/catalog-entry'
import { FieldValue, FieldValues } from '../server-json/field-values'
import { OfferRef } from '../server-json/offer'
import { ServerJson } from '../server-json/server-json'
import { PageRevision } from './installation'
import { LaunchChanges } from './launch-changes'
import { SecretPlaces } from './secret-place'

/** A value without a place in the new version; a secret's is hidden. */
export const DroppedField = z.object({
  label: z.string(),
  machineName: z.string().optional(),
  value: FieldValue.optional(),
  reason: z.enum(['gone', 'plainNow', 'singleNow']),
})
export type DroppedField = z.infer<typeof DroppedField>

/** Effects of another version on an installation, before anything changes. */
export const UpdateReview = z.object({
  source: CatalogSource,
  server: ServerJson,
  offer: OfferRef,
  fromVersion: z.string(),
  /** The installation's values by the keys of the new version. */
  values: FieldValues,
  /** Locations of the secrets that move along, by the keys of the new version. */
  secrets: SecretPlaces,
  dropped: z.array(DroppedField),
  /** Keys of fields that the old version lacks. */
  added: z.array(z.string()),
  changes: LaunchChanges,
  /** Revision of the installation. */
  revision: PageRevision,
})
export type UpdateReview = z.infer<typeof UpdateReview>
