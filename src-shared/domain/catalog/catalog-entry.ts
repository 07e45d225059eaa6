import * as z from 'zod'

import { FieldValues } from '../server-json/field-values'
import { ParseNotice, ServerJson } from '../server-json/server-json'

export const CatalogSource = z.enum(['starter', 'registry', 'pasted', 'bundle', 'hand'])

/** An entry of the catalog: a server.json and its origin. `entryId` is opaque, and stable while the app runs. */
export const CatalogEntry = z.object({
  entryId: z.string(),
  source: CatalogSource,
  /** The registry that lists it. */
  sourceId: z.string().optional(),
  server: ServerJson,
  status: z.enum(['active', 'deprecated', 'deleted']),
  publishedAt: z.string().optional(),
  /** Time of the last status change, RFC 3339; missing if the registry omits it. */
  statusChangedAt: z.string().optional(),
  notices: z.array(ParseNotice),
  /** Initial form values by field key that a default cannot express. */
  proposed: FieldValues.optional(),
})
export type CatalogEntry = z.infer<typeof CatalogEntry>
