import { OWN_COMMAND } from './own-command'
import { parseArguments, parseInputs } from './parse-input'
import { type Package, PackageTransport } from './server-json'
import { isJsonObject, type JsonObject, type TolerantReader } from './tolerant-reader'

/**
 * Far more than any real package has. A package with more is left out whole: half of its arguments would
 * be another command.
 */
const MAX_INPUTS = 400
const INPUT_LISTS = ['runtimeArguments', 'packageArguments', 'environmentVariables']

/** Reads one element of `packages`; set aside when it names no package or an unknown transport. */
export function parsePackage(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): Package | null {
  const at = `${path}.`
  const registryType = reader.line(source, 'registryType', at)
  const identifier = reader.line(source, 'identifier', at)
  if (!registryType) return reader.setAside(`${at}registryType`, 'The kind of package is missing.')
  if (!identifier) return reader.setAside(`${at}identifier`, 'The package is not named.')
  if (registryType === OWN_COMMAND)
    return reader.setAside(`${at}registryType`, 'No registry has packages of this kind.')
  const transport = readTransport(reader, source, at)
  if (transport === null) return null
  if (countInputs(reader, source) > MAX_INPUTS)
    return reader.setAside(path, `More than ${String(MAX_INPUTS)} inputs: no form could show them.`)
  return {
    registryType,
    registryBaseUrl: reader.line(source, 'registryBaseUrl', at),
    identifier,
    version: reader.line(source, 'version', at),
    runtimeHint: reader.line(source, 'runtimeHint', at),
    fileSha256: reader.line(source, 'fileSha256', at),
    transport,
    runtimeArguments: parseArguments(reader, source, 'runtimeArguments', at),
    packageArguments: parseArguments(reader, source, 'packageArguments', at),
    environmentVariables: parseInputs(reader, source, 'environmentVariables', at),
  }
}

function countInputs(reader: TolerantReader, source: JsonObject): number {
  const inputs = INPUT_LISTS.flatMap((name) => asList(reader.field(source, name)))
  const variables = inputs.map((input) =>
    isJsonObject(input) && isJsonObject(input.variables) ? Object.keys(input.variables).length : 0,
  )
  return variables.reduce((sum, count) => sum + count, inputs.length)
}

function asList(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : []
}

/** A package that says nothing of its transport is one of the first schema, where stdio went without saying. */
function readTransport(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): PackageTransport | null {
  const raw = reader.field(source, 'transport')
  if (raw === undefined) return { type: 'stdio' }
  const type = isJsonObject(raw) ? reader.line(raw, 'type', `${path}transport.`) : raw
  const known = PackageTransport.shape.type.safeParse(type)
  if (!known.success) {
    return reader.setAside(
      `${path}transport`,
      'Expected the transport "stdio", "streamable-http" or "sse".',
    )
  }
  const url = isJsonObject(raw) ? reader.line(raw, 'url', `${path}transport.`) : undefined
  return { type: known.data, url }
}
