import type { Catalog } from '../../core/catalog/catalog'
import { searchRegistry } from '../../core/catalog/registry-client'
import type { InstallationStore } from '../../core/installation/installation-store'
import type { Handlers } from '../answer'

/** Answers what the catalog's screens ask. */
export function catalogHandlers(
  catalog: Catalog,
  store: InstallationStore,
): Pick<Handlers, 'catalog.list' | 'catalog.search' | 'catalog.paste' | 'catalog.read'> {
  return {
    'catalog.list': () => catalog.list(),
    'catalog.search': async ({ query }) => {
      const found = await searchRegistry({ baseUrl: store.settings.registryUrl, query })
      catalog.remember(found.entries)
      return found
    },
    'catalog.paste': ({ text }) => catalog.paste(text),
    'catalog.read': ({ entryId }) => catalog.read(entryId),
  }
}
