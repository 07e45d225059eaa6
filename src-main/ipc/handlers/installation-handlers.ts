import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { findOffer, type Offer, type OfferRef } from '../../../src-shared/domain/offer'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import type { Catalog } from '../../core/catalog/catalog'
import { readLegacyValues } from '../../core/installation/import-legacy'
import type { InstallationService } from '../../core/installation/installation-service'
import { offerOf } from '../../core/installation/installation-service'
import { folderWarnings } from '../../core/launch/folder-warnings'
import type { LogArchive } from '../../core/log/log-archive'
import type { ServerDirectory } from '../../core/session/server-directory'
import type { StateFeed } from '../../core/state-feed'
import type { Handlers } from '../answer'

export type InstallationParts = {
  readonly catalog: Catalog
  readonly installations: InstallationService
  readonly servers: ServerDirectory
  readonly archive: LogArchive
  readonly feed: StateFeed
}

type OfferQuestion = ParsedInput<'launch.preview'>['of']

/** Answers what the forms ask, and brings each change to the servers and to the screens. */
export function installationHandlers(
  parts: InstallationParts,
): Pick<Handlers, Extract<keyof Handlers, `installation.${string}` | 'launch.preview'>> {
  const { catalog, installations, servers, archive, feed } = parts
  const offerAt = (of: OfferQuestion): Offer =>
    'installationId' in of
      ? offerOf(installations.read(of.installationId))
      : offerIn(catalog.read(of.entryId), of.offer)
  return {
    'launch.preview': async ({ of, values, cwd }) => {
      const kept = 'installationId' in of ? installations.read(of.installationId).secretKeys : []
      const preview = installations.preview(offerAt(of), values, kept, cwd)
      return { ...preview, warnings: [...preview.warnings, ...(await folderWarnings(cwd))] }
    },
    'installation.create': async ({ entryId, offer, start, asItIs, ...draft }) => {
      const entry = catalog.read(entryId)
      offerIn(entry, offer)
      const options = { asItIs, enabled: start }
      const { installationId } = await installations.create(entry, offer, draft, options)
      servers.add(installationId)
      feed.serverChanged(installationId)
      if (start) servers.read(installationId).supervisor.start()
      return { installationId }
    },
    'installation.read': ({ installationId }) => installations.read(installationId),
    'installation.update': async ({ installationId, ...draft }) => {
      await installations.update(installationId, draft)
      feed.serverChanged(installationId)
    },
    'installation.approve': ({ installationId, approvedPlan }) => {
      installations.approve(installationId, approvedPlan)
      feed.serverChanged(installationId)
    },
    'installation.setEnabled': ({ installationId, enabled }) => {
      installations.setEnabled(installationId, enabled)
      feed.serverChanged(installationId)
      const { supervisor } = servers.read(installationId)
      if (enabled) supervisor.start()
      else void supervisor.stop()
    },
    'installation.remove': async ({ installationId, deleteSecrets }) => {
      await servers.stop(installationId)
      await installations.remove(installationId, deleteSecrets)
      // It may have been started while its secrets were deleted.
      await servers.remove(installationId)
      await archive.remove(installationId)
      feed.serverRemoved(installationId)
    },
    'installation.readLegacy': ({ of, text }) => readLegacyValues(fieldsOfOffer(offerAt(of)), text),
  }
}

function offerIn(entry: CatalogEntry, ref: OfferRef): Offer {
  const found = findOffer(entry.server, ref)
  if (found) return found
  throw new AppError('UNSUPPORTED_PACKAGE', `${entry.server.name} has no such ${ref.kind}.`, {
    hint: 'Choose another package or another entry of the catalog.',
  })
}
