import { compare, valid } from 'semver'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { OFFICIAL_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { Installation } from '../../../src-shared/domain/installation/installation'

/** The facts that decide which of two versions is newer. */
export type Published = {
  readonly version: string
  /** RFC 3339. */
  readonly publishedAt?: string | undefined
}

/**
 * Whether `other` is newer than `present`, by the registry's rule: semantic versions by their order, a semantic version before any other
 * text, and two others by publication date.
 */
export function isNewer(other: Published, present: Published): boolean {
  const [a, b] = [valid(other.version), valid(present.version)]
  if (a !== null && b !== null) return compare(a, b) > 0
  if (a !== null || b !== null) return a !== null
  if (other.version === present.version) return false
  return dayOf(other) > dayOf(present)
}

/** Returns the newest entry of this server that is newer than the present version, ignoring deleted ones. */
export function newestUpdate(
  name: string,
  present: Published,
  entries: readonly CatalogEntry[],
): CatalogEntry | undefined {
  return entries
    .filter(({ server, status }) => server.name === name && status !== 'deleted')
    .filter((entry) => isNewer(publishedOf(entry), present))
    .reduce<CatalogEntry | undefined>(
      (newest, entry) =>
        newest && !isNewer(publishedOf(entry), publishedOf(newest)) ? newest : entry,
      undefined,
    )
}

/**
 * Whether a registry has versions of an installation. Custom servers are in none, whatever their name; a local bundle can choose any name.
 */
export function hasVersions({ source }: Pick<Installation, 'source'>): boolean {
  return source !== 'hand' && source !== 'bundle'
}

/** Returns the registry of an installation; undefined if it is in none. */
export function registryOf(
  installation: Pick<Installation, 'source' | 'sourceId'>,
): string | undefined {
  return hasVersions(installation) ? (installation.sourceId ?? OFFICIAL_SOURCE) : undefined
}

/** Whether an entry comes from the installation's registry; other registries may use its name for another server. */
function isOfItsRegistry(
  entry: Pick<CatalogEntry, 'sourceId'>,
  { sourceId = OFFICIAL_SOURCE }: Pick<Installation, 'sourceId'>,
): boolean {
  return entry.sourceId === undefined || entry.sourceId === sourceId
}

/**
 * Whether an entry is a version of the installed server. A local bundle chooses its own name, so it only updates other local bundles, never
 * a registry's server.
 */
export function isVersionOf(
  entry: Pick<CatalogEntry, 'source' | 'sourceId' | 'server'>,
  installation: Pick<Installation, 'source' | 'sourceId' | 'server'>,
): boolean {
  const { source, server } = installation
  const isSameKind = (entry.source === 'bundle') === (source === 'bundle')
  const isNamesake = isSameKind && entry.server.name === server.name
  return source !== 'hand' && isNamesake && isOfItsRegistry(entry, installation)
}

/** Returns the newest update of an installation that the catalog knows. */
export function knownUpdate(
  catalog: { readonly versionsOf: (name: string) => readonly CatalogEntry[] },
  installation: Pick<Installation, 'source' | 'sourceId' | 'server'>,
): CatalogEntry | undefined {
  if (!hasVersions(installation)) return undefined
  const { name, version } = installation.server
  const entries = catalog.versionsOf(name).filter((one) => isOfItsRegistry(one, installation))
  return newestUpdate(name, { version }, entries)
}

function publishedOf({ server, publishedAt }: CatalogEntry): Published {
  return { version: server.version, publishedAt }
}

function dayOf({ publishedAt }: Published): number {
  const time = Date.parse(publishedAt ?? '')
  return Number.isNaN(time) ? 0 : time
}
