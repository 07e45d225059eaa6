import type { InstalledBundle, OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { isNewer } from '../updates/newer-version'

/** The installations that an opened file could go on, by the name in its manifest: one of a registry never could. */
export function installedOf(
  opened: Pick<OpenedBundle, 'name' | 'version' | 'sha256'>,
  installations: readonly Installation[],
): InstalledBundle[] {
  return installations
    .filter(({ source, server }) => source === 'bundle' && server.name === opened.name)
    .map(({ installationId, name, server }) => ({
      installationId,
      name,
      version: server.version,
      step: stepTo(opened, server),
    }))
}

function stepTo(
  opened: Pick<OpenedBundle, 'version' | 'sha256'>,
  { version, packages }: Installation['server'],
): InstalledBundle['step'] {
  if (packages.some(({ fileSha256 }) => fileSha256 === opened.sha256)) return 'same'
  return isNewer(opened, { version }) ? 'newer' : 'other'
}
