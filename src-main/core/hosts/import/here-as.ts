import type { HostServer } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { partsOfHand } from '../../../../src-shared/form/by-hand-parts'
import type { InstallationService } from '../../installation/installation-service'
import type { HostRead } from './read-hosts'
import { partsOfPreview, type Sameness, samenessOf } from './same-server'

/** Finds the server of Patchbay that runs what a host's does. */
export function hereAs(
  list: readonly Installation[],
  installations: Pick<InstallationService, 'previewOf'>,
): (read: HostRead) => HostServer['isHereAs'] {
  const here = list.flatMap((installation) => {
    const sameness = samenessOfInstallation(installation, installations)
    return sameness === undefined ? [] : [{ installation, sameness }]
  })
  return ({ sameness: wanted, server, isOneOfSeveral }) => {
    if (wanted === undefined) return undefined
    const isNamed = ({ name }: Installation): boolean => name === server.wanted
    const found = here.find(({ installation, sameness }) => {
      if (sameness.program !== wanted.program) return false
      if (isOneOfSeveral || sameness.server !== wanted.server) return isNamed(installation)
      return true
    })
    // A package has variables of its own that a host need not name.
    const ofPackage = isOneOfSeveral
      ? undefined
      : here.find(
          ({ installation, sameness }) =>
            installation.source !== 'hand' && sameness.program === wanted.program,
        )
    const { installation } = found ?? ofPackage ?? {}
    return installation && { installationId: installation.installationId, name: installation.name }
  }
}

function samenessOfInstallation(
  installation: Installation,
  installations: Pick<InstallationService, 'previewOf'>,
): Sameness | undefined {
  const { source, server, offer, secrets, cwd } = installation
  if (source === 'hand') {
    const made = partsOfHand(server, offer, secrets)
    return made && samenessOf({ made, cwd })
  }
  try {
    const made = partsOfPreview(installations.previewOf(installation))
    return samenessOf({ made, cwd })
  } catch (error) {
    // What cannot be run here runs nothing that a host does.
    if (error instanceof AppError) return undefined
    throw error
  }
}
