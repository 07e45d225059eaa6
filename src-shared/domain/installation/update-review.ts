import * as z from 'zod'

import { CatalogSource } from '../catalog/catalog-entry'
import { FieldValue, FieldValues } from '../server-json/field-values'
import { OfferRef } from '../server-json/offer'
import { ServerJson } from '../server-json/server-json'
import { PageRevision } from './installation'
import { LaunchChanges } from './launch-changes'
import { SecretPlaces } from './secret-place'

/** A value that has no place in the new version; a secret's is not shown. */
export const DroppedField = z.object({
  label: z.string(),
  machineName: z.string().optional(),
  value: FieldValue.optional(),
  reason: z.enum(['gone', 'plainNow', 'singleNow']),
})
export type DroppedField = z.infer<typeof DroppedField>

/** What another version of a server brings to an installation, before anything of it changes. */
export const UpdateReview = z.object({
  source: CatalogSource,
  server: ServerJson,
  offer: OfferRef,
  fromVersion: z.string(),
  /** The installation's values by the keys of the new version. */
  values: FieldValues,
  /** Where the secrets that go along are, by the keys of the new version. */
  secrets: SecretPlaces,
  dropped: z.array(DroppedField),
  /** Keys of fields that the old version did not have. */
  added: z.array(z.string()),
  changes: LaunchChanges,
  /** Of the installation. */
  revision: PageRevision,
})
export type UpdateReview = z.infer<typeof UpdateReview>
