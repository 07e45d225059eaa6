import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { serverOfHand } from '../../../../src-shared/form/by-hand-server'
import { heldOf, previewHand } from '../../../core/by-hand/preview-hand'
import { readHand, saveHand } from '../../../core/by-hand/save-hand'
import { copyCommand } from '../../../core/installation/copy-command'
import type { InstallationService } from '../../../core/installation/installation-service'
import { folderWarnings } from '../../../core/launch/paths/folder-warnings'
import type { ServerDirectory } from '../../../core/servers/server-directory'
import type { StateFeed } from '../../../core/state/state-feed'
import type { Handlers } from '../../answer'

export type ByHandParts = {
  readonly installations: InstallationService
  readonly servers: ServerDirectory
  readonly feed: StateFeed
}

/** Answers what the editor of servers made by hand asks, and brings what it saves to the servers and to the screens. */
export function byHandHandlers({
  installations,
  servers,
  feed,
}: ByHandParts): Pick<Handlers, Extract<keyof Handlers, `byHand.${string}`>> {
  const present = (id: string | undefined): Installation | undefined =>
    id === undefined ? undefined : installations.read(id)
  return {
    'byHand.read': ({ installationId }) => readHand(installations.read(installationId)),
    'byHand.preview': async ({ installationId, made, cwd }) => {
      const { preview, problems } = previewHand(installations, made, cwd, present(installationId))
      if (preview === null) return { preview, problems }
      const warnings = [...preview.warnings, ...(await folderWarnings(cwd))]
      return { preview: { ...preview, warnings }, problems }
    },
    'byHand.shellText': ({ installationId, made, cwd, shell }) => {
      const hand = serverOfHand(made)
      const { offer, values } = hand
      const savedSecrets = heldOf(hand, present(installationId))
      return copyCommand({ offer, values, savedSecrets, cwd }, shell)
    },
    'byHand.save': async ({ installationId: id, start, ...draft }) => {
      const old = present(id)
      if (old) readHand(old)
      const save = { ...draft, enabled: start, asItIs: false }
      const { installationId } = await saveHand(installations, save, old)
      if (old === undefined) servers.add(installationId)
      else if (start) installations.setEnabled(installationId, true)
      feed.serverChanged(installationId)
      if (start) servers.read(installationId).supervisor.restart()
      return { installationId }
    },
  }
}
