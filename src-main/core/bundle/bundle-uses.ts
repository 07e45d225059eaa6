import type { InstalledBundle, OpenedBundle } from '../../../src-shared/domain/installation/bundle'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { isActive, isWorking, type RunStatus } from '../../../src-shared/domain/running/run-status'
import type { Package } from '../../../src-shared/domain/server-json/server-json'
import { isNewer } from '../updates/newer-version'
import type { BundleFolder } from './bundle-folder'

type Facts = {
  /** Installed versions, including those of removals that can be undone. */
  readonly versions: () => readonly Pick<Installation, 'server'>[]
  /** Undefined for a server that is gone. */
  readonly statusOf: (installationId: string) => RunStatus | undefined
}

/** Tracks bundles in use: those of installations and their earlier versions, and earlier ones that servers still run from. */
export class BundleUses {
  readonly #startedFrom = new Map<string, ReadonlySet<string>>()

  constructor(private readonly facts: Facts) {}

  /** Returns the hashes (SHA-256) of bundles in use. */
  hashes(): Set<string> {
    const { versions, statusOf } = this.facts
    for (const installationId of this.#startedFrom.keys()) {
      const status = statusOf(installationId)
      if (status === undefined || !isActive(status)) this.#startedFrom.delete(installationId)
    }
    const packages = versions().flatMap(({ server }) => server.packages)
    return new Set([
      ...packages.flatMap(({ fileSha256 }) => fileSha256 ?? []),
      ...[...this.#startedFrom.values()].flatMap((hashes) => [...hashes]),
    ])
  }

  /** Records that a server is about to start from a package; while it still serves, it also runs from the previous one. */
  starts(installationId: string, { fileSha256 }: Package): void {
    const status = this.facts.statusOf(installationId)
    const isLive = status !== undefined && isWorking(status)
    const before = isLive ? (this.#startedFrom.get(installationId) ?? []) : []
    this.#startedFrom.set(installationId, new Set([...before, ...(fileSha256 ? [fileSha256] : [])]))
  }
}

/** Checks a server's bundle before its start. */
export type BundleCheck = Pick<BundleFolder, 'check'>

/** Returns the installations that an opened file could update, by the name in its manifest: never one of a registry. */
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
