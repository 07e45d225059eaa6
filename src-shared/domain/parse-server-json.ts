import { AppError } from './app-error'
import { parseInputs, parseVariables } from './parse-input'
import { parsePackage } from './parse-package'
import type { ParseNotice, Remote, ServerJson } from './server-json'
import { cleanProse, isJsonObject, type JsonObject, TolerantReader } from './tolerant-reader'

/**
 * Reads a registry document, or the API's `{server, _meta}` around it, whatever its schema version.
 * What does not fit is left out and named in `notices`; INVALID_SERVER_JSON when there is no object
 * with a name. Text is parsed as JSON first.
 */
export function parseServerJson(raw: unknown): { server: ServerJson; notices: ParseNotice[] } {
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
    description: cleanProse(reader.text(source, 'description', '') ?? ''),
    version: readVersion(reader, source),
    websiteUrl: readWebAddress(reader, source, 'websiteUrl', ''),
    repository: readRepository(reader, source),
    packages: reader.list(source, 'packages', '', (element, path) =>
      parsePackage(reader, element, path),
    ),
    remotes: reader.list(source, 'remotes', '', (element, path) =>
      readRemote(reader, element, path),
    ),
  }
  return { server, notices: reader.notices }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_SERVER_JSON', `This text is not JSON: ${cleanProse(reason)}`, {
      cause,
      hint: 'Paste a whole server.json, from the first brace to the last.',
    })
  }
}

function findServer(raw: unknown): JsonObject {
  if (isJsonObject(raw)) {
    return isJsonObject(raw.server) && !Object.hasOwn(raw, 'name') ? raw.server : raw
  }
  throw new AppError('INVALID_SERVER_JSON', 'A server.json is a JSON object; this is none.', {
    hint: 'Paste a whole server.json, from the first brace to the last.',
  })
}

function readVersion(reader: TolerantReader, source: JsonObject): string {
  const detail = reader.field(source, 'versionDetail')
  const version =
    reader.line(source, 'version', '') ??
    (isJsonObject(detail) ? reader.line(detail, 'version', 'versionDetail.') : undefined)
  if (!version) reader.setAside('version', 'The version is missing.')
  return version ?? ''
}

/** Only web addresses survive: the app offers them as links. */
function readWebAddress(
  reader: TolerantReader,
  source: JsonObject,
  name: string,
  path: string,
): string | undefined {
  const text = reader.line(source, name, path)
  if (!text) return undefined
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (isWeb) return text
  reader.setAside(`${path}${name}`, 'Expected a web address.')
  return undefined
}

function readRepository(reader: TolerantReader, source: JsonObject): ServerJson['repository'] {
  const repository = reader.object(source, 'repository', '')
  const url = repository && readWebAddress(reader, repository, 'url', 'repository.')
  return url === undefined || repository === undefined
    ? undefined
    : { url, source: reader.line(repository, 'source', 'repository.') }
}

function readRemote(reader: TolerantReader, source: JsonObject, path: string): Remote | null {
  const type =
    reader.line(source, 'type', `${path}.`) ?? reader.line(source, 'transportType', `${path}.`)
  if (type !== 'streamable-http' && type !== 'sse') {
    return reader.setAside(`${path}.type`, 'Expected "streamable-http" or "sse".')
  }
  const url = reader.line(source, 'url', `${path}.`)
  if (!url) return reader.setAside(`${path}.url`, 'The address is missing.')
  return {
    type,
    url,
    headers: parseInputs(reader, source, 'headers', `${path}.`),
    variables: parseVariables(reader, source, `${path}.`),
  }
}
