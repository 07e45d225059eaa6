import * as z from 'zod'

import { CatalogEntry } from './catalog-entry'
import { ListedServer, ListedVersion } from './catalog-query'
import { RegistryFault } from './catalog-sync'

/** One server of the catalog in full. */
export const CatalogDetail = z.object({
  listed: ListedServer,
  entry: CatalogEntry,
  /** The document of its source, as JSON text. */
  raw: z.string(),
})
export type CatalogDetail = z.infer<typeof CatalogDetail>

/** The versions of a server, newest first. */
export const VersionList = z.object({
  versions: z.array(ListedVersion.omit({ raw: true })),
  /** Why the registry could not be asked; they are then those of its last answer, or the listed one alone. */
  fault: RegistryFault.optional(),
})
export type VersionList = z.infer<typeof VersionList>
