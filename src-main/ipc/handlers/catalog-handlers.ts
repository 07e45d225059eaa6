import type { Catalog } from '../../core/catalog/catalog'
import { searchRegistry } from '../../core/catalog/registry-client'
import type { InstallationService } from '../../core/installation/installation-service'
import type { InstallationStore } from '../../core/installation/installation-store'
import type { Handlers } from '../answer'

export type CatalogParts = {
  readonly catalog: Catalog
  readonly store: InstallationStore
  readonly installations: InstallationService
}

/** Answers what the catalog's screens ask. */
export function catalogHandlers({
  catalog,
  store,
  installations,
}: CatalogParts): Pick<Handlers, Extract<keyof Handlers, `catalog.${string}`>> {
  return {
    'catalog.list': () => catalog.list(),
    'catalog.search': async ({ query }) => {
      const found = await searchRegistry({ baseUrl: store.settings.registryUrl, query })
      catalog.remember(found.entries)
      return found
    },
    'catalog.paste': ({ text }) => catalog.paste(text),
    'catalog.read': ({ entryId }) => catalog.read(entryId),
    'catalog.readInstalled': ({ installationId }) =>
      catalog.keepInstalled(installations.read(installationId)),
  }
}
