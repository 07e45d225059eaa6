import * as z from 'zod'

import { CatalogEntry } from './catalog-entry'
import { ListedServer, ListedVersion } from './catalog-query'
import { RegistryFault } from './catalog-sync'

/** One server of the catalog with all details. */
export const CatalogDetail = z.object({
  listed: ListedServer,
  entry: CatalogEntry,
  /** The source's document as JSON text. */
  raw: z.string(),
})
export type CatalogDetail = z.infer<typeof CatalogDetail>

/** The versions of a server, newest first. */
export const VersionList = z.object({
  versions: z.array(ListedVersion.omit({ raw: true })),
  /** Why the registry request failed; `versions` then comes from its last response, or has the listed version alone. */
  fault: RegistryFault.optional(),
})
export type VersionList = z.infer<typeof VersionList>
