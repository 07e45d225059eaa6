import type { ListedVersion } from '../../../../src-shared/domain/catalog/catalog-query'
import type { RegistryFault } from '../../../../src-shared/domain/catalog/catalog-sync'
import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import type { CatalogStore } from '../store/catalog-store'
import { readEntryHead } from '../store/listed-entry'
import { RegistryError } from './registry-fault'
import type { RegistryReader } from './registry-reader'

/** The versions of a server. With a `fault` they are what the registry said an earlier time, or nothing. */
export type VersionList = {
  readonly versions: readonly ListedVersion[]
  readonly fault?: RegistryFault
}

/** Names one server of one source. */
type ListedKey = { readonly sourceId: string; readonly name: string }

/** Asks a source for the versions of one server, and keeps the answer for the time without a network. */
export async function readVersions(
  { store, reader }: { readonly store: CatalogStore; readonly reader: RegistryReader },
  key: ListedKey,
  signal?: AbortSignal,
): Promise<VersionList> {
  const { sourceId } = key
  const path = pathOf(key)
  const kept = store.readAnswer(sourceId, path)
  try {
    const answer = await reader.readDocument(path, kept?.etag, signal)
    const body = answer.isUnchanged ? (kept?.body ?? '') : JSON.stringify(answer.json)
    store.keepAnswer(sourceId, path, { etag: answer.etag, body }, Date.now())
    return { versions: toVersions(body) }
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return keptVersions(store, key, error.fault)
  }
}

/** What a source said of the versions of one server an earlier time, with the reason why it says nothing now. */
export function keptVersions(
  store: CatalogStore,
  key: ListedKey,
  fault: RegistryFault,
): VersionList {
  const kept = store.readAnswer(key.sourceId, pathOf(key))
  return { versions: kept ? toVersions(kept.body) : [], fault }
}

function pathOf({ name }: ListedKey): string {
  return `servers/${encodeURIComponent(name)}/versions`
}

function toVersions(body: string): ListedVersion[] {
  const json: unknown = body === '' ? undefined : JSON.parse(body)
  const entries: unknown[] = isJsonObject(json) && Array.isArray(json.servers) ? json.servers : []
  return entries
    .map(readEntryHead)
    .filter((head) => head !== undefined)
    .toSorted((a, b) => (b.publishedAt ?? 0) - (a.publishedAt ?? 0))
    .map(({ version, status, statusMessage, publishedAt, isLatest, raw }) => ({
      ...{ version, status, isLatest: isLatest === true, raw },
      ...(statusMessage === undefined ? {} : { statusMessage }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
    }))
}
