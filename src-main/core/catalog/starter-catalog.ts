import documents from '../../../resources/starter-catalog.json'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'
import { starterEntryId } from './entry-of-document'

/** The server.json of each server that Patchbay knows without a network, in the order of the file. */
export const starterDocuments: readonly unknown[] = documents

/** The same as entries; `entryId` is `starter:NAME`. */
export function starterCatalog(): CatalogEntry[] {
  return starterDocuments.map((document) => {
    const { server, notices } = parseServerJson(document)
    return {
      entryId: starterEntryId(server.name),
      source: 'starter',
      server,
      status: 'active',
      notices,
    }
  })
}
