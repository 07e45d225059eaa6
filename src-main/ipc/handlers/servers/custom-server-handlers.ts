import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { toServerJson } from '../../../../src-shared/form/custom-server'
import {
  placesOfCustomServer,
  previewCustomServer,
} from '../../../core/custom-server/preview-custom-server'
import { copyCommand } from '../../../core/installation/copy-command'
import type { InstallationService } from '../../../core/installation/installation-service'
import type { InstalledServers } from '../../../core/installed/installed-servers'
import { folderWarnings } from '../../../core/launch/paths/folder-warnings'
import type { Handlers } from '../../answer'

export type CustomServerParts = {
  readonly installations: InstallationService
  readonly installed: InstalledServers
}

/** Answers what the editor of servers made by hand asks. */
export function customServerHandlers({
  installations,
  installed,
}: CustomServerParts): Pick<Handlers, Extract<keyof Handlers, `byHand.${string}`>> {
  const present = (id: string | undefined): Installation | undefined =>
    id === undefined ? undefined : installations.read(id)
  return {
    'byHand.preview': async ({ installationId, made, cwd }) => {
      const { preview, problems } = previewCustomServer(
        installations,
        made,
        cwd,
        present(installationId),
      )
      if (preview === null) return { preview, problems }
      const warnings = [...preview.warnings, ...(await folderWarnings(cwd))]
      return { preview: { ...preview, warnings }, problems }
    },
    'byHand.shellText': ({ installationId, made, cwd, shell }) => {
      const hand = toServerJson(made)
      const { offer, values } = hand
      const secrets = placesOfCustomServer(hand, present(installationId))
      return copyCommand({ offer, values, secrets, cwd }, shell)
    },
    'byHand.save': async ({ installationId, start, ...draft }) => ({
      installationId: await installed.saveCustomServer(installationId, draft, { start }),
    }),
  }
}
