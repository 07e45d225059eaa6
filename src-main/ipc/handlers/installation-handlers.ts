import type { Catalog } from '../../core/catalog/catalog'
import type { InstallationService } from '../../core/installation/installation-service'
import { revisionOf } from '../../core/installation/revision'
import type { LogArchive } from '../../core/log/log-archive'
import type { ServerDirectory } from '../../core/session/server-directory'
import type { StateFeed } from '../../core/state-feed'
import type { Handlers } from '../answer'
import { offerIn } from './launch-handlers'

export type InstallationParts = {
  readonly catalog: Catalog
  readonly installations: InstallationService
  readonly servers: ServerDirectory
  readonly archive: LogArchive
  readonly feed: StateFeed
}

/** Brings each change of an installation to the servers and to the screens. */
export function installationHandlers(
  parts: InstallationParts,
): Pick<
  Handlers,
  Exclude<Extract<keyof Handlers, `installation.${string}`>, 'installation.readLegacy'>
> {
  const { catalog, installations, servers, archive, feed } = parts
  return {
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
    'installation.read': ({ installationId }) => {
      const installation = installations.read(installationId)
      return { ...installation, revision: revisionOf(installation) }
    },
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
  }
}
