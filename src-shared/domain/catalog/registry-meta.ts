import { isJsonObject, type JsonObject } from '../json-object'
import type { CatalogEntry } from './catalog-entry'

const OFFICIAL = 'io.modelcontextprotocol.registry/official'

/** Registry metadata of an entry, next to its server.json. */
export type RegistryMeta = Pick<CatalogEntry, 'status' | 'publishedAt' | 'statusChangedAt'>

/**
 * Reads the registry metadata from the API's `{server, _meta}`; schemas up to 2025-09-16 have it inside the document. An entry without a
 * known status is active.
 */
export function readRegistryMeta(raw: unknown): RegistryMeta {
  const envelope = asObject(raw)
  const places = [...officialParts(raw), asObject(envelope.server), envelope]
  const status = places.map((place) => place.status).find(isStatus)
  const publishedAt = firstText(places.map((place) => place.publishedAt ?? place.published_at))
  const statusChangedAt = firstText(places.map((place) => place.statusChangedAt))
  return { status: status ?? 'active', publishedAt, statusChangedAt }
}

/** Returns the parts that the official registry adds to an entry, most relevant first. */
export function officialParts(raw: unknown): JsonObject[] {
  const envelope = asObject(raw)
  return [envelope, asObject(envelope.server)]
    .map(({ _meta: meta }) => asObject(meta)[OFFICIAL])
    .filter(isJsonObject)
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string')
}

function asObject(raw: unknown): JsonObject {
  return isJsonObject(raw) ? raw : {}
}

function isStatus(raw: unknown): raw is CatalogEntry['status'] {
  return raw === 'active' || raw === 'deprecated' || raw === 'deleted'
}
