import { compare, valid } from 'semver'

import type { ServerView } from '../../../src-shared/domain/app-state'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation'

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
  const [a, b] = [semanticOf(other.version), semanticOf(present.version)]
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
 * Whether an installation has versions at all. What a person wrote is in no registry, whatever its name; and a
 * bundle can call itself what it likes, and would have to be opened before it can be compared.
 */
export function hasVersions({ source }: Pick<Installation, 'source'>): boolean {
  return source !== 'hand' && source !== 'bundle'
}

/** The newest update of an installation among what the catalog has seen. */
export function knownUpdate(
  catalog: { readonly versionsOf: (name: string) => readonly CatalogEntry[] },
  installation: Pick<Installation, 'source' | 'server'>,
): ServerView['update'] {
  if (!hasVersions(installation)) return undefined
  const { name, version } = installation.server
  const found = newestUpdate(name, { version }, catalog.versionsOf(name))
  return found && { entryId: found.entryId, version: found.server.version }
}

function publishedOf({ server, publishedAt }: CatalogEntry): Published {
  return { version: server.version, publishedAt }
}

/** Exactly three numbers, maybe with a "v" before them. */
function semanticOf(version: string): string | null {
  return valid(version)
}

function dayOf({ publishedAt }: Published): number {
  const time = Date.parse(publishedAt ?? '')
  return Number.isNaN(time) ? 0 : time
}
