import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { ListedVersion } from '../../../src-shared/domain/catalog/catalog-query'
import { type ListedRef, STARTER_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import { readRegistryMeta } from '../../../src-shared/domain/catalog/registry-meta'
import { parseServerJson } from '../../../src-shared/domain/server-json/parse-server-json'

/** One version of a server of a registry. */
export type VersionRef = ListedRef & { readonly version: string }

/** The id of an entry that comes with Patchbay. */
export function starterEntryId(name: string): string {
  return `starter:${name}`
}

/** The id of an entry of a registry; it stays the same over runs of the app. */
export function registryEntryId({ sourceId, name, version }: VersionRef): string {
  return ['registry', ...[sourceId, name, version].map(encodePart)].join(':')
}

/** Halves of characters cannot be encoded. */
function encodePart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'))
}

/** What such an id names; undefined for that of any other entry. */
export function parseEntryId(entryId: string): VersionRef | undefined {
  const [kind, ...parts] = entryId.split(':')
  if (kind !== 'registry' || parts.length !== 3) return undefined
  try {
    const [sourceId = '', name = '', version = ''] = parts.map(decodeURIComponent)
    return { sourceId, name, version }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** A version that a source told, as an entry that can be set up. Throws INVALID_SERVER_JSON. */
export function entryOfVersion(
  { sourceId, name }: ListedRef,
  { version, raw, status }: Pick<ListedVersion, 'version' | 'raw' | 'status'>,
): CatalogEntry {
  const document: unknown = JSON.parse(raw)
  const { server, notices } = parseServerJson(document)
  const { publishedAt, statusChangedAt } = readRegistryMeta(document)
  const shared = { server, status, publishedAt, statusChangedAt, notices }
  if (sourceId === STARTER_SOURCE) {
    return { entryId: starterEntryId(name), source: 'starter', ...shared }
  }
  const entryId = registryEntryId({ sourceId, name, version })
  return { entryId, source: 'registry', sourceId, ...shared }
}
