import { AppError } from '../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../src-shared/domain/catalog/catalog-entry'
import { OFFICIAL_SOURCE } from '../../src-shared/domain/catalog/listed-ref'
import type { Installation } from '../../src-shared/domain/installation/installation'
import type { InstallationService } from '../core/installation/installation-service'
import type { InstalledServers } from '../core/installed/installed-servers'
import { hasVersions, isVersionOf, knownUpdate } from '../core/updates/newer-version'
import { reviewUpdate } from '../core/updates/review-update'
import { viewEarlier } from '../core/updates/view-earlier'
import type { HandlersOf } from '../ipc/answer'
import type { CatalogModule } from './catalog'

/** Answers what concerns other versions of an installed server. */
export function updateHandlers(
  { catalog, registry }: CatalogModule,
  installations: InstallationService,
  installed: InstalledServers,
): HandlersOf<'update'> {
  const versionAt = async (
    installationId: string,
    entryId: string,
  ): Promise<[Installation, CatalogEntry]> => {
    const installation = installations.read(installationId)
    if (installation.source === 'hand') throw noVersions(installation)
    const entry = await catalog.find(entryId)
    if (isVersionOf(entry, installation)) return [installation, entry]
    throw otherServer(entry.server.name, installation.server.name)
  }
  return {
    'update.check': async ({ installationId }) => {
      const installation = readVersioned(installations, installationId)
      const { server, sourceId = OFFICIAL_SOURCE } = installation
      const latest = await registry.askLatest({ sourceId, name: server.name })
      if (latest) catalog.remember([latest])
      return knownUpdate(catalog, installation) ?? null
    },
    'update.review': async ({ installationId, entryId }) =>
      reviewUpdate(installations, ...(await versionAt(installationId, entryId))),
    'update.apply': async ({ installationId, entryId, offer, start, ...draft }) => {
      const [, entry] = await versionAt(installationId, entryId)
      return { earlier: await installed.upgrade(installationId, entry, offer, draft, { start }) }
    },
    'update.earlier': ({ installationId }) => viewEarlier(installations, installationId),
    'update.goBack': ({ installationId, versionKey, start }) =>
      installed.goBack(installationId, versionKey, { start }),
  }
}

/** Rejects with NOT_FOUND, and with NOT_AVAILABLE_HERE for what no registry has. */
function readVersioned(installations: InstallationService, installationId: string): Installation {
  const installation = installations.read(installationId)
  if (hasVersions(installation)) return installation
  throw noVersions(installation)
}

function noVersions({ name, source }: Installation): AppError {
  return source === 'hand'
    ? new AppError(
        'NOT_AVAILABLE_HERE',
        `${name} was added manually, so there is no newer version to compare.`,
        {
          hint: 'Change it under Configure.',
        },
      )
    : new AppError(
        'NOT_AVAILABLE_HERE',
        `${name} is a bundle from this computer, so no registry has a newer version.`,
        {
          hint: 'Open a newer bundle file to update it.',
        },
      )
}

/** An update passes the secrets on, so it must be of the same server. */
function otherServer(wanted: string, present: string): AppError {
  return new AppError('INVALID_REQUEST', `${wanted} isn’t a version of ${present}.`, {
    hint: 'Choose another version of the same server.',
  })
}
