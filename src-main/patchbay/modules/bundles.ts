import { join } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { RunStatus } from '../../../src-shared/domain/running/run-status'
import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { DEFAULT_BUNDLE_LIMITS } from '../../core/bundle/archive/bundle-error'
import { BundleFolder } from '../../core/bundle/bundle-folder'
import { BundleOpener } from '../../core/bundle/bundle-opener'
import { type BundleCheck, BundleUses, installedOf } from '../../core/bundle/bundle-uses'
import { checkRuntime, readManifest } from '../../core/bundle/manifest/manifest'
import type { Catalog } from '../../core/catalog/catalog'
import type { RunnerDoctor } from '../../core/launch/runners/runner-doctor'
import { background } from '../../core/lifecycle/background'
import type { SystemNetwork } from '../../core/network/system-network'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'
import type { RunnersModule } from './runners'

export type BundlesModule = {
  readonly checkFor: (installationId: string) => BundleCheck
  readonly handlers: HandlersOf<'bundle'>
  close(): void
}

export type BundleDeps = {
  readonly catalog: Catalog
  readonly runners: Pick<RunnersModule, 'ledger' | 'doctor'>
  readonly network: Pick<SystemNetwork, 'fetch'>
  readonly mayFetch: ((address: URL) => boolean) | undefined
  /** Undefined for a removed server. */
  readonly statusOf: (installationId: string) => RunStatus | undefined
}

/** Opens bundles, and removes their folders once no installation and no running server uses them. */
export function openBundles(
  { profileDir, store }: AppContext,
  { catalog, runners, network, mayFetch, statusOf }: BundleDeps,
): BundlesModule {
  const { ledger, doctor } = runners
  const bundles = new BundleFolder(join(profileDir, 'bundles'))
  const uses = new BundleUses({
    // A restored server runs from the same folder as before.
    versions: () => [
      ...store.installations,
      ...store.removed.map(({ installation }) => installation),
      ...store.earlier,
    ],
    statusOf,
  })
  // An unreadable installation may use a bundle that is no longer published.
  const mayRemove = store.notices.length === 0
  const clean = (): void => {
    if (mayRemove) background(bundles.setUsed(uses.hashes()), 'deleting unused bundles')
  }
  // Before that, a server of an earlier run may still run in one of them.
  void ledger.ready.then(clean)
  store.onDidChange(clean)
  const versionOf = (command: string): Promise<string | undefined> => doctor.versionOf(command)
  const opener = new BundleOpener({
    ...{ bundles, catalog, versionOf, mayFetch },
    fetch: network.fetch,
  })
  return {
    checkFor: (installationId) => ({
      check: async (pkg) => {
        uses.starts(installationId, pkg)
        clean()
        await bundles.check(pkg)
        await checkRuntimeOf(pkg, versionOf)
      },
    }),
    handlers: {
      'bundle.open': async ({ openingId, entryId, offer }) => {
        const entry = await catalog.find(entryId)
        const pkg = offer.kind === 'package' ? entry.server.packages[offer.index] : undefined
        if (pkg?.registryType !== 'mcpb')
          throw new AppError('UNSUPPORTED_PACKAGE', `${entry.server.name} has no such bundle.`, {
            hint: 'Choose another package of this server.',
          })
        const opened = await opener.openOffer(openingId, { entry, pkg })
        return { ...opened, installed: [] }
      },
      'bundle.openFile': async ({ openingId, path }) => {
        const opened = await opener.openFile(openingId, path)
        return { ...opened, installed: installedOf(opened, store.installations) }
      },
      'bundle.progress': ({ openingId }) => opener.progress(openingId),
      'bundle.cancel': ({ openingId }) => opener.cancel(openingId),
    },
    close: () => opener[Symbol.dispose](),
  }
}

/** Checks the runtime that a bundle's manifest requires; other packages have no manifest. */
async function checkRuntimeOf(
  { fileSha256, workingFolder, identifier }: Package,
  versionOf: RunnerDoctor['versionOf'],
): Promise<void> {
  if (fileSha256 === undefined || workingFolder === undefined) return
  const manifest = await readManifest(workingFolder, DEFAULT_BUNDLE_LIMITS.manifestBytes)
  await checkRuntime(manifest, identifier, versionOf)
}
