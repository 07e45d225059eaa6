import type { Catalog } from '../../../core/catalog/catalog'
import type { InstallationService } from '../../../core/installation/installation-service'
import { revisionOf } from '../../../core/installation/revision'
import { startsWhenEnabled } from '../../../core/installation/start-policy'
import type { ServerRemovals } from '../../../core/removal/server-removals'
import type { ServerDirectory } from '../../../core/servers/server-directory'
import type { StateFeed } from '../../../core/state/state-feed'
import type { Tools } from '../../../core/tools/tools'
import type { Handlers } from '../../answer'
import { offerIn } from './launch-handlers'

export type InstallationParts = {
  readonly catalog: Catalog
  readonly installations: InstallationService
  readonly servers: ServerDirectory
  readonly tools: Tools
  readonly removals: ServerRemovals
  readonly feed: StateFeed
}

/** Brings each change of an installation to the servers and to the screens. */
export function installationHandlers(
  parts: InstallationParts,
): Pick<
  Handlers,
  Exclude<Extract<keyof Handlers, `installation.${string}`>, 'installation.readLegacy'>
> {
  const { catalog, installations, servers, tools, removals, feed } = parts
  return {
    'installation.create': async ({ entryId, offer, start, asItIs, ...draft }) => {
      const entry = await catalog.find(entryId)
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
    'installation.setEnabled': async ({ installationId, enabled }) => {
      const { supervisor } = servers.read(installationId)
      installations.setEnabled(installationId, enabled)
      feed.serverChanged(installationId)
      if (!enabled) {
        void supervisor.stop()
        return
      }
      supervisor.liftStop()
      await tools.loaded
      // It may have been switched off again or removed meanwhile.
      const now = installations.read(installationId)
      if (startsWhenEnabled(now, tools.isListed(installationId))) supervisor.start()
    },
    'installation.remove': async ({ installationId, deleteSecrets, canTakeBack }) => {
      if (canTakeBack) {
        await removals.begin(installationId, deleteSecrets)
        return
      }
      await servers.stop(installationId)
      await removals.remove(installationId, deleteSecrets)
    },
    'installation.takeBack': ({ installationId }) => removals.takeBack(installationId),
  }
}
