import * as z from 'zod'

import { SourceState, SyncProgress } from './catalog-sync'
import { ListedRef } from './listed-ref'

/** A registry as the screens show it; the keychain holds its token. */
export const SourceView = SourceState.extend({ hasToken: z.boolean() })
export type SourceView = z.infer<typeof SourceView>

/** State of the catalog without its servers. */
export const CatalogState = z.object({
  /** The official registry first. */
  sources: z.array(SourceView),
  /** The sync in progress. */
  progress: SyncProgress.optional(),
  /** Number of searchable servers; missing until the catalog's file is open. */
  servers: z.number().optional(),
  /** How many of them come with Patchbay and are in no enabled registry. */
  starters: z.number(),
  /** Rises whenever a search may return something else. */
  edition: z.number().int(),
  /** Newest first, like `viewed`. */
  favorites: z.array(ListedRef),
  viewed: z.array(ListedRef),
})
export type CatalogState = z.infer<typeof CatalogState>
