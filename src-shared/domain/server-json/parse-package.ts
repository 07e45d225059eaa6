import { isJsonObject, type JsonObject } from '../json-object'
import { OWN_COMMAND } from './own-command'
import { parseHeaders } from './parse-header'
import { parseArguments, parseInputs } from './parse-input'
import { countInputs, excessOf, excessOfCount } from './parse-limits'
import { readLink } from './parse-link'
import {
  type Package,
  PackageTransport,
  type ParseNotice,
  type PostInstallStep,
} from './server-json'
import { type TolerantReader } from './tolerant-reader'

/** Maximum number of steps; more would hide the important ones. */
const MAX_STEPS = 20

/**
 * Reads `postInstallInstructions` (draft schema of July 2026): steps that a publisher expects from people. A command in it is only text;
 * Patchbay never runs it. Undefined if there are none.
 */
function parsePostInstall(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): PostInstallStep[] | undefined {
  const name = 'postInstallInstructions'
  const steps = reader.list(source, name, path, (element, at) => readStep(reader, element, at))
  if (steps.length > MAX_STEPS)
    reader.setAside(`${path}${name}`, 'too-many', `Only the first ${String(MAX_STEPS)} are kept.`)
  return steps.length === 0 ? undefined : steps.slice(0, MAX_STEPS)
}

function readStep(reader: TolerantReader, source: JsonObject, at: string): PostInstallStep | null {
  const path = `${at}.`
  const description = reader.prose(source, 'description', path)
  const command = reader.prose(source, 'command', path)
  if (!description && !command)
    return reader.setAside(at, 'wrong-type', 'Expected a description or a command.')
  return {
    description: description ?? '',
    command: command === '' ? undefined : command,
    documentation: readLink(reader, source, 'documentation', path),
    optional: reader.flag(source, 'optional', path),
  }
}

const INPUT_LISTS = ['runtimeArguments', 'packageArguments', 'environmentVariables']

/** Reads one element of `packages`; ignored if it names no package or has an unknown transport. */
export function parsePackage(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): Package | null {
  const at = `${path}.`
  const registryType = readKind(reader, source, at)
  if (registryType === null) return null
  // Documents before the first schema used another name.
  const named = reader.field(source, 'identifier', 'packageName', 'name')
  const identifier = reader.asLine(named, `${at}identifier`)
  if (!identifier)
    return reader.setAside(`${at}identifier`, 'missing-identifier', 'The package has no name.')
  const excess = excessOf(reader, source, INPUT_LISTS)
  if (excess !== undefined) return reader.setAside(path, 'too-large', excess)
  const transport = readTransport(reader, source, at)
  if (transport === null) return null
  const before = reader.notices.length
  const inputs = {
    runtimeArguments: parseArguments(reader, source, 'runtimeArguments', at),
    packageArguments: parseArguments(reader, source, 'packageArguments', at),
    environmentVariables: parseInputs(reader, source, 'environmentVariables', at),
  }
  const all = [...Object.values(inputs).flat(), ...(transport.headers ?? [])]
  const ignoredParts = ignoredIn(reader.notices.slice(before), at)
  const implied = excessOfCount(countInputs(all))
  if (implied !== undefined) return reader.leaveOut(path, 'too-large', implied)
  return {
    registryType,
    registryBaseUrl: reader.line(source, 'registryBaseUrl', at),
    identifier,
    version: reader.line(source, 'version', at),
    runtimeHint: reader.line(source, 'runtimeHint', at),
    fileSha256: reader.line(source, 'fileSha256', at),
    transport,
    ...inputs,
    postInstallInstructions: parsePostInstall(reader, source, at),
    ...(ignoredParts.length > 0 && { ignoredParts }),
  }
}

/** An argument or variable, or its name or value; descriptions and choices are no part of the command. */
const COMMAND_PART =
  /^(?:runtimeArguments|packageArguments|environmentVariables)(?:\[\d+\])?(?:\.(?:type|name|value|default))?$/

function ignoredIn(notices: readonly ParseNotice[], at: string): string[] {
  return notices
    .map(({ path, message }) => ({ place: path.slice(at.length), message }))
    .filter(({ place }) => COMMAND_PART.test(place))
    .map(({ place, message }) => `${place}: ${message}`)
}

function readKind(reader: TolerantReader, source: JsonObject, path: string): string | null {
  const at = `${path}registryType`
  const kind = reader.asLine(reader.field(source, 'registryType', 'registryName'), at)
  if (!kind) return reader.setAside(at, 'missing-identifier', 'The package type is missing.')
  if (kind === OWN_COMMAND) {
    const message = 'Unknown package type.'
    return reader.setAside(at, 'unsupported-registry-type', message)
  }
  // "docker" in the earliest documents is an image like any other.
  const isOld = reader.field(source, 'registryType') === undefined
  return isOld && kind === 'docker' ? 'oci' : kind
}

/** A package without a transport follows the first schema, which implied stdio. */
function readTransport(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): PackageTransport | null {
  const raw = reader.field(source, 'transport', 'transportType')
  const at = `${path}transport`
  const type = isJsonObject(raw) ? reader.asLine(reader.field(raw, 'type'), `${at}.type`) : raw
  if (type === undefined) return { type: 'stdio' }
  const known = PackageTransport.shape.type.safeParse(type)
  if (!known.success) {
    const message = 'Expected the transport "stdio", "streamable-http" or "sse".'
    return reader.setAside(at, 'unknown-transport', message)
  }
  if (known.data === 'stdio' || !isJsonObject(raw)) return { type: known.data }
  const url = reader.line(raw, 'url', `${at}.`)
  if (url === undefined) {
    const message = 'The package URL is missing.'
    reader.setAside(`${at}.url`, 'missing-address', message)
  }
  const headers = parseHeaders(reader, raw, `${at}.`)
  return { type: known.data, url, headers: headers.length === 0 ? undefined : headers }
}
