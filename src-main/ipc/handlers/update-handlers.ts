import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation'
import type { Catalog } from '../../core/catalog/catalog'
import { readLatest } from '../../core/catalog/registry-client'
import type { InstallationService } from '../../core/installation/installation-service'
import type { InstallationStore } from '../../core/installation/installation-store'
import type { StateFeed } from '../../core/state-feed'
import { hasVersions, newestUpdate } from '../../core/updates/newer-version'
import { reviewUpdate } from '../../core/updates/review-update'
import type { Handlers } from '../answer'

export type UpdateParts = {
  readonly catalog: Catalog
  readonly store: InstallationStore
  readonly installations: InstallationService
  readonly feed: StateFeed
}

/** Answers what concerns other versions of an installed server. */
export function updateHandlers({
  catalog,
  store,
  installations,
  feed,
}: UpdateParts): Pick<Handlers, 'update.check' | 'update.review' | 'update.apply'> {
  return {
    'update.check': async ({ installationId }) => {
      const { server } = readVersioned(installations, installationId)
      const baseUrl = store.settings.registryUrl
      const latest = await readLatest({ baseUrl, name: server.name })
      if (latest) catalog.remember([latest])
      feed.serverChanged(installationId)
      return newestUpdate(server.name, server, catalog.versionsOf(server.name)) ?? null
    },
    'update.review': ({ installationId, entryId }) =>
      reviewUpdate(
        installations,
        readVersioned(installations, installationId),
        catalog.read(entryId),
      ),
    'update.apply': async ({ installationId, entryId, offer, ...draft }) => {
      const entry = catalog.read(entryId)
      const { server } = readVersioned(installations, installationId)
      if (entry.server.name !== server.name) throw otherServer(entry.server.name, server.name)
      await installations.upgrade(installationId, entry, offer, draft)
      feed.serverChanged(installationId)
    },
  }
}

/** Rejects with NOT_FOUND, and with NOT_AVAILABLE_HERE for what has no versions. */
function readVersioned(installations: InstallationService, installationId: string): Installation {
  const installation = installations.read(installationId)
  if (hasVersions(installation)) return installation
  const what = installation.source === 'hand' ? 'was added by hand' : 'is a bundle'
  throw new AppError(
    'NOT_AVAILABLE_HERE',
    `${installation.name} ${what}, so there is no newer version to compare.`,
    { hint: 'Change it in its configuration, or set the newer one up from the catalog.' },
  )
}

/** Its secrets were given to one server and are nobody else's to have. */
function otherServer(wanted: string, present: string): AppError {
  return new AppError('INVALID_REQUEST', `${wanted} is no version of ${present}.`, {
    hint: 'Choose another version of the same server.',
  })
}
