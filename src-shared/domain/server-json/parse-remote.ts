import type { JsonObject } from '../json-object'
import { addressTemplate, parseHeaders } from './parse-header'
import { parseVariables } from './parse-input'
import { countInputs, excessOf, excessOfCount } from './parse-limits'
import type { Remote } from './server-json'
import type { TolerantReader } from './tolerant-reader'

/** Name of the transport in documents before the first schema. */
const OLD_STREAMABLE = 'streamable'
/** A web address, or the draft's template of one. */
const ADDRESS = /^(https?:\/\/\S|\{[A-Za-z_][\w.-]*\})/i

/** Reads one element of `remotes`; ignored if its transport or address is unusable. */
export function parseRemote(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): Remote | null {
  const at = `${path}.`
  const written = reader.asLine(reader.field(source, 'type', 'transportType'), `${at}type`)
  const type = written === OLD_STREAMABLE ? 'streamable-http' : written
  if (type !== 'streamable-http' && type !== 'sse') {
    const message = 'Expected "streamable-http" or "sse".'
    return reader.setAside(`${at}type`, 'unknown-transport', message)
  }
  const url = reader.line(source, 'url', at)
  if (!url) return reader.setAside(`${at}url`, 'missing-address', 'The address is missing.')
  if (!ADDRESS.test(url))
    return reader.setAside(`${at}url`, 'invalid-address', 'Expected a web address.')
  const excess = excessOf(reader, source, ['headers'])
  if (excess !== undefined) return reader.setAside(path, 'too-large', excess)
  const headers = parseHeaders(reader, source, at)
  const address = addressTemplate(reader, url, parseVariables(reader, source, at), path)
  const implied = excessOfCount(countInputs([address, ...headers]))
  if (implied !== undefined) return reader.leaveOut(path, 'too-large', implied)
  return { type, headers, ...address }
}
