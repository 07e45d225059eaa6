import { compare, valid } from 'semver'

import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import { OFFICIAL_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import type { Installation } from '../../../src-shared/domain/installation/installation'

/** What decides which of two versions of a server is the newer one. */
export type Published = {
  readonly version: string
  /** RFC 3339. */
  readonly publishedAt?: string | undefined
}

/**
 * Whether `other` is newer than `present`, by the registry's rule: semantic versions by their order, one of
 * them before any other text, and two that are none by the day they were published.
 */
export function isNewer(other: Published, present: Published): boolean {
  const [a, b] = [valid(other.version), valid(present.version)]
  if (a !== null && b !== null) return compare(a, b) > 0
  if (a !== null || b !== null) return a !== null
  if (other.version === present.version) return false
  return dayOf(other) > dayOf(present)
}

/** The newest entry of this server that is newer than the version at hand; one that was taken down never is. */
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
 * Whether a registry has versions of an installation. What a user wrote is in none, whatever its name; and a
 * bundle of this computer can call itself what it likes.
 */
export function hasVersions({ source }: Pick<Installation, 'source'>): boolean {
  return source !== 'hand' && source !== 'bundle'
}

/** The registry that an installation goes by; undefined for what is in none. */
export function registryOf(
  installation: Pick<Installation, 'source' | 'sourceId'>,
): string | undefined {
  return hasVersions(installation) ? (installation.sourceId ?? OFFICIAL_SOURCE) : undefined
}

/** Whether an entry comes from the registry that an installation goes by; others may use its name for something else. */
function isOfItsRegistry(
  entry: Pick<CatalogEntry, 'sourceId'>,
  { sourceId = OFFICIAL_SOURCE }: Pick<Installation, 'sourceId'>,
): boolean {
  return entry.sourceId === undefined || entry.sourceId === sourceId
}

/**
 * Whether an entry is a version of what is installed. A bundle of this computer names itself, so it goes on such ones
 * alone: what a registry's server has is nobody else's to have.
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

/** The newest update of an installation among what the catalog has seen. */
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
