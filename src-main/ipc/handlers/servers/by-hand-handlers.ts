import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { serverOfHand } from '../../../../src-shared/form/by-hand-server'
import { placesOfHand, previewHand } from '../../../core/by-hand/preview-hand'
import { copyCommand } from '../../../core/installation/copy-command'
import type { InstallationService } from '../../../core/installation/installation-service'
import type { InstalledServers } from '../../../core/installed/installed-servers'
import { folderWarnings } from '../../../core/launch/paths/folder-warnings'
import type { Handlers } from '../../answer'

export type ByHandParts = {
  readonly installations: InstallationService
  readonly installed: InstalledServers
}

/** Answers what the editor of servers made by hand asks. */
export function byHandHandlers({
  installations,
  installed,
}: ByHandParts): Pick<Handlers, Extract<keyof Handlers, `byHand.${string}`>> {
  const present = (id: string | undefined): Installation | undefined =>
    id === undefined ? undefined : installations.read(id)
  return {
    'byHand.preview': async ({ installationId, made, cwd }) => {
      const { preview, problems } = previewHand(installations, made, cwd, present(installationId))
      if (preview === null) return { preview, problems }
      const warnings = [...preview.warnings, ...(await folderWarnings(cwd))]
      return { preview: { ...preview, warnings }, problems }
    },
    'byHand.shellText': ({ installationId, made, cwd, shell }) => {
      const hand = serverOfHand(made)
      const { offer, values } = hand
      const secrets = placesOfHand(hand, present(installationId))
      return copyCommand({ offer, values, secrets, cwd }, shell)
    },
    'byHand.save': async ({ installationId, start, ...draft }) => ({
      installationId: await installed.saveByHand(installationId, draft, { start }),
    }),
  }
}
