import * as z from 'zod'

import { FieldValues } from '../server-json/field-values'
import { ParseNotice, ServerJson } from '../server-json/server-json'

export const CatalogSource = z.enum(['starter', 'registry', 'pasted', 'bundle', 'hand'])

/** What a catalog lists: a server.json with where it came from. `entryId` is opaque and stable while the app runs. */
export const CatalogEntry = z.object({
  entryId: z.string(),
  source: CatalogSource,
  /** The registry that lists it. */
  sourceId: z.string().optional(),
  server: ServerJson,
  status: z.enum(['active', 'deprecated', 'deleted']),
  publishedAt: z.string().optional(),
  /** Since when it has its status, RFC 3339; missing where its registry does not say. */
  statusChangedAt: z.string().optional(),
  notices: z.array(ParseNotice),
  /** What its form starts with, by field key, where a default cannot say it. */
  proposed: FieldValues.optional(),
})
export type CatalogEntry = z.infer<typeof CatalogEntry>
