import { homedir } from 'node:os'
import { join } from 'node:path'

import { BundleOpener } from './core/bundle/bundle-opener'
import { BundleShelf } from './core/bundle/bundle-shelf'
import type { Catalog } from './core/catalog/catalog'
import type { InstallationStore } from './core/installation/installation-store'
import type { OrphanLedger } from './core/process/orphan-ledger'

/** Opens bundles, and removes their folders when no installation uses them any more. */
export function openBundles({
  profileDir,
  store,
  catalog,
  ledger,
  mayFetchBundle: mayFetch,
}: {
  readonly profileDir: string
  readonly store: InstallationStore
  readonly catalog: Catalog
  readonly ledger: OrphanLedger
  readonly mayFetchBundle?: ((address: URL) => boolean) | undefined
}): { readonly shelf: BundleShelf; readonly opener: BundleOpener } {
  const shelf = new BundleShelf(join(profileDir, 'bundles'))
  // What could not be read may use a bundle that nobody publishes any more.
  if (store.notices.length === 0) {
    const tell = (): void => void shelf.setUsed(hashesIn(store))
    // Until then an earlier run's server may still run in one of them.
    void ledger.ready.then(tell)
    store.onDidChange(tell)
  }
  const place = { platform: process.platform, home: homedir() }
  return { shelf, opener: new BundleOpener({ shelf, catalog, ...place, mayFetch }) }
}

function hashesIn({ installations }: InstallationStore): Set<string> {
  const packages = installations.flatMap(({ server }) => server.packages)
  return new Set(packages.flatMap(({ fileSha256 }) => fileSha256 ?? []))
}
