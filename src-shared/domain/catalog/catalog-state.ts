import * as z from 'zod'

import { SourceState, SyncProgress } from './catalog-sync'
import { ListedRef } from './listed-ref'

/** A registry as the screens show it; its token stays in the keychain. */
export const SourceView = SourceState.extend({ hasToken: z.boolean() })
export type SourceView = z.infer<typeof SourceView>

/** How the catalog is, without what it lists. */
export const CatalogState = z.object({
  /** The official registry first. */
  sources: z.array(SourceView),
  /** The sync that is under way. */
  progress: SyncProgress.optional(),
  /** Servers that can be found; missing until the catalog's file was opened. */
  servers: z.number().optional(),
  /** How many of them come with Patchbay and are listed by no registry that is followed. */
  starters: z.number(),
  /** Grows whenever a search may find something else. */
  edition: z.number().int(),
  /** The newest first, as are those that were looked at. */
  favourites: z.array(ListedRef),
  viewed: z.array(ListedRef),
})
export type CatalogState = z.infer<typeof CatalogState>
