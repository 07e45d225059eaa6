import { homedir } from 'node:os'
import { join } from 'node:path'

import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { DEFAULT_BUNDLE_LIMITS } from '../../core/bundle/archive/bundle-limits'
import { BundleFolder } from '../../core/bundle/bundle-folder'
import { BundleOpener } from '../../core/bundle/bundle-opener'
import { type BundleCheck, BundleUses } from '../../core/bundle/bundle-uses'
import { readManifest } from '../../core/bundle/manifest/read-manifest'
import { checkRuntime } from '../../core/bundle/manifest/runtime-check'
import type { Catalog } from '../../core/catalog/catalog'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { RunnerDoctor } from '../../core/launch/runners/runner-doctor'
import type { SystemNetwork } from '../../core/network/system-network'
import type { OrphanLedger } from '../../core/process/orphans/orphan-ledger'
import type { ServerDirectory } from '../../core/servers/server-directory'

/** Opens bundles, and removes their folders when neither an installation nor a running server uses them any more. */
export function openBundles({
  profileDir,
  store,
  catalog,
  ledger,
  servers,
  doctor,
  network,
  mayFetchBundle: mayFetch,
}: {
  readonly profileDir: string
  readonly store: ProfileDocument
  readonly catalog: Catalog
  readonly ledger: OrphanLedger
  readonly servers: () => ServerDirectory
  readonly doctor: Pick<RunnerDoctor, 'versionOf'>
  readonly network: Pick<SystemNetwork, 'fetch'>
  readonly mayFetchBundle?: ((address: URL) => boolean) | undefined
}): {
  readonly opener: BundleOpener
  readonly checkFor: (installationId: string) => BundleCheck
} {
  const bundles = new BundleFolder(join(profileDir, 'bundles'))
  const uses = new BundleUses({
    // What can be taken back runs from the same folder as before.
    versions: () => [
      ...store.installations,
      ...store.removed.map(({ installation }) => installation),
      ...store.earlier,
    ],
    statusOf: (installationId) => servers().find(installationId)?.status,
  })
  // What could not be read may use a bundle that nobody publishes any more.
  const mayRemove = store.notices.length === 0
  const tell = (): void => {
    if (mayRemove) void bundles.setUsed(uses.hashes())
  }
  // Until then an earlier run's server may still run in one of them.
  void ledger.ready.then(tell)
  store.onDidChange(tell)
  const versionOf = (command: string): Promise<string | undefined> => doctor.versionOf(command)
  const place = { platform: process.platform, home: homedir(), versionOf }
  return {
    opener: new BundleOpener({
      bundles: bundles,
      catalog,
      ...place,
      mayFetch,
      fetch: network.fetch,
    }),
    checkFor: (installationId) => ({
      check: async (pkg) => {
        uses.starts(installationId, pkg)
        tell()
        await bundles.check(pkg)
        await checkRuntimeOf(pkg, versionOf)
      },
    }),
  }
}

/** The manifest lies in the folder of the bundle; other packages have none. */
async function checkRuntimeOf(
  { fileSha256, workingFolder, identifier }: Package,
  versionOf: RunnerDoctor['versionOf'],
): Promise<void> {
  if (fileSha256 === undefined || workingFolder === undefined) return
  const manifest = await readManifest(workingFolder, DEFAULT_BUNDLE_LIMITS.manifestBytes)
  await checkRuntime(manifest, identifier, versionOf)
}
