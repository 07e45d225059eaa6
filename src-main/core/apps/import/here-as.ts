import type { HostServer } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { segmentsOf } from '../../../../src-shared/form/custom-server-parts'
import type { InstallationService } from '../../installation/installation-service'
import type { HostRead } from './read-hosts'
import { type LaunchFingerprint, launchFingerprint, partsOfPreview } from './same-server'

/** Finds the server of Patchbay that runs what a host's does. */
export function hereAs(
  list: readonly Installation[],
  installations: Pick<InstallationService, 'previewOf'>,
): (read: HostRead) => HostServer['isHereAs'] {
  const here = list.flatMap((installation) => {
    const fingerprint = installationFingerprint(installation, installations)
    return fingerprint === undefined ? [] : [{ installation, fingerprint }]
  })
  return ({ fingerprint: wanted, server, isOneOfSeveral }) => {
    if (wanted === undefined) return undefined
    const isNamed = ({ name }: Installation): boolean => name === server.wanted
    const found = here.find(({ installation, fingerprint }) => {
      if (fingerprint.program !== wanted.program) return false
      if (isOneOfSeveral || fingerprint.server !== wanted.server) return isNamed(installation)
      return true
    })
    // A package has variables of its own that a host need not name.
    const ofPackage = isOneOfSeveral
      ? undefined
      : here.find(
          ({ installation, fingerprint }) =>
            installation.source !== 'hand' && fingerprint.program === wanted.program,
        )
    const { installation } = found ?? ofPackage ?? {}
    return installation && { installationId: installation.installationId, name: installation.name }
  }
}

function installationFingerprint(
  installation: Installation,
  installations: Pick<InstallationService, 'previewOf'>,
): LaunchFingerprint | undefined {
  const { source, server, offer, secrets, cwd } = installation
  if (source === 'hand') {
    const made = segmentsOf(server, offer, secrets)
    return made && launchFingerprint({ made, cwd })
  }
  try {
    const made = partsOfPreview(installations.previewOf(installation))
    return launchFingerprint({ made, cwd })
  } catch (error) {
    // What cannot be run here runs nothing that a host does.
    if (error instanceof AppError) return undefined
    throw error
  }
}
