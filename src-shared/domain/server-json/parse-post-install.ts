import { readLink } from './parse-link'
import type { PostInstallStep } from './server-json'
import type { JsonObject, TolerantReader } from './tolerant-reader'

/** More than anybody reads; a page of them would hide what matters. */
const MAX_STEPS = 20

/**
 * Reads `postInstallInstructions` (draft schema of July 2026): what a publisher asks people to do themselves. A command
 * in it is a text to be read; nothing of Patchbay runs it. Undefined where there is none.
 */
export function parsePostInstall(
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
