import type { Catalog } from '../../../core/catalog/catalog'
import type { InstallationService } from '../../../core/installation/installation-service'
import { revisionOf } from '../../../core/installation/revision'
import type { InstalledServers } from '../../../core/installed/installed-servers'
import type { Handlers } from '../../answer'
import { offerIn } from './launch-handlers'

export type InstallationParts = {
  readonly catalog: Catalog
  readonly installations: InstallationService
  readonly installed: InstalledServers
}

/** Answers what is wished of installations. */
export function installationHandlers({
  catalog,
  installations,
  installed,
}: InstallationParts): Pick<
  Handlers,
  Exclude<Extract<keyof Handlers, `installation.${string}`>, 'installation.readLegacy'>
> {
  return {
    'installation.create': async ({ entryId, offer, start, asItIs, ...draft }) => {
      const entry = await catalog.find(entryId)
      offerIn(entry, offer)
      return { installationId: await installed.create(entry, offer, draft, { start, asItIs }) }
    },
    'installation.read': ({ installationId }) => {
      const installation = installations.read(installationId)
      return { ...installation, revision: revisionOf(installation) }
    },
    'installation.update': ({ installationId, start, ...draft }) =>
      installed.save(installationId, draft, { start }),
    'installation.setEnabled': ({ installationId, enabled }) =>
      installed.setEnabled(installationId, enabled),
    'installation.remove': ({ installationId, ...wish }) => installed.remove(installationId, wish),
    'installation.takeBack': ({ installationId }) => installed.takeBack(installationId),
  }
}
