import documents from '../../../resources/starter-catalog.json'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { parseServerJson } from '../../../src-shared/domain/parse-server-json'

/** The servers that Patchbay knows without a network, in the order of the file; `entryId` is `starter:NAME`. */
export function starterCatalog(): CatalogEntry[] {
  const list: readonly unknown[] = documents
  return list.map((document) => {
    const { server, notices } = parseServerJson(document)
    return {
      entryId: `starter:${server.name}`,
      source: 'starter',
      server,
      status: 'active',
      notices,
    }
  })
}
