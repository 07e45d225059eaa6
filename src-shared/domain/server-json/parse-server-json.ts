import { AppError } from '../app-error'
import { isJsonObject, type JsonObject } from '../json-object'
import { withNamedSecrets } from './named-secrets'
import { readIcons, readLink, readRepository } from './parse-link'
import { parsePackage } from './parse-package'
import { parseRemote } from './parse-remote'
import type { ParseNotice, ServerJson } from './server-json'
import { TolerantReader } from './tolerant-reader'

/** A document's server, and what was ignored in it. */
export type ParsedServer = {
  readonly server: ServerJson
  readonly notices: ParseNotice[]
  /** Paths of the list elements that are not in `server`, see `declaredIndex`. */
  readonly leftOut: ReadonlySet<string>
}

/** More than a user can choose from; the real maximum is 18. */
const MAX_OFFERS = 100

/**
 * Reads a registry document, or the API's `{server, _meta}` with it, whatever its schema version. Text is parsed as JSON first. Invalid
 * parts are omitted and named in `notices`. Throws INVALID_SERVER_JSON if there is no object with a name.
 */
export function parseServerJson(raw: unknown): ParsedServer {
  const source = findServer(typeof raw === 'string' ? parseText(raw) : raw)
  const reader = new TolerantReader()
  const name = reader.line(source, 'name', '')
  if (!name) {
    throw new AppError('INVALID_SERVER_JSON', 'This server.json has no name.', {
      hint: 'Paste a whole server.json, as the registry shows it.',
    })
  }
  const server: ServerJson = {
    name,
    title: reader.line(source, 'title', ''),
    description: reader.prose(source, 'description', '') ?? '',
    version: readVersion(reader, source),
    websiteUrl: readLink(reader, source, 'websiteUrl', ''),
    repository: readRepository(reader, source),
    icons: readIcons(reader, source),
    packages: readOffers(reader, source, 'packages', parsePackage),
    remotes: readOffers(reader, source, 'remotes', parseRemote),
  }
  return { server: withNamedSecrets(server), notices: reader.notices, leftOut: reader.leftOut }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('INVALID_SERVER_JSON', 'This text isn’t valid JSON.', {
      cause,
      hint: 'Paste a whole server.json, from the first brace to the last.',
    })
  }
}

function findServer(raw: unknown): JsonObject {
  if (isJsonObject(raw)) {
    return isJsonObject(raw.server) && !Object.hasOwn(raw, 'name') ? raw.server : raw
  }
  throw new AppError('INVALID_SERVER_JSON', 'Expected a server.json, which is a JSON object.', {
    hint: 'Paste a whole server.json, from the first brace to the last.',
  })
}

type ReadOffer<T> = (reader: TolerantReader, source: JsonObject, path: string) => T | null

function readOffers<T>(
  reader: TolerantReader,
  source: JsonObject,
  list: 'packages' | 'remotes',
  read: ReadOffer<T>,
): T[] {
  const raw = reader.field(source, list)
  if (!Array.isArray(raw) || raw.length <= MAX_OFFERS)
    return reader.list(source, list, '', (element, path) => read(reader, element, path))
  reader.setAside(list, 'too-many', `Only the first ${String(MAX_OFFERS)} are read.`)
  const first = { [list]: raw.slice(0, MAX_OFFERS) }
  return reader.list(first, list, '', (element, path) => read(reader, element, path))
}

function readVersion(reader: TolerantReader, source: JsonObject): string {
  const detail = reader.field(source, 'versionDetail')
  const version =
    reader.line(source, 'version', '') ??
    (isJsonObject(detail) ? reader.line(detail, 'version', 'versionDetail.') : undefined)
  if (!version) reader.setAside('version', 'missing-version', 'The version is missing.')
  return version ?? ''
}
