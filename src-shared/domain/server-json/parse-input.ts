import { isJsonObject, type JsonObject } from '../json-object'
import { MAX_CHOICES } from './parse-limits'
import { type Argument, InputFormat, type InputVariable, type KeyValueInput } from './server-json'
import { cleanLine, type TolerantReader } from './tolerant-reader'

/** Maximum length of the name of an environment variable, a header or a template variable, in characters. */
const MAX_NAME = 200

/** Why a name is invalid, as a sentence; undefined for a valid one. */
export type NameRule = (name: string) => string | undefined

/** Reads a list of environment variables; one without a valid name is ignored. */
export function parseInputs(
  reader: TolerantReader,
  source: JsonObject,
  list: string,
  path: string,
  faultOf: NameRule = (name) => (name.includes('=') ? 'Names can’t contain "=".' : undefined),
): KeyValueInput[] {
  const read = (element: JsonObject, place: string): KeyValueInput | null => {
    const at = `${place}.name`
    const name = reader.line(element, 'name', `${place}.`)
    if (!name) return reader.setAside(at, 'missing-name', 'The name is empty.')
    const fault = name.length > MAX_NAME ? 'The name is too long.' : faultOf(name)
    if (fault !== undefined) return reader.setAside(at, 'invalid-name', fault)
    return { ...parseTemplated(reader, element, `${place}.`), name }
  }
  return reader.list(source, list, path, read, listOfMap)
}

/** Documents written without the schema have a map from name to input or value, like app configurations. */
function listOfMap(raw: unknown): unknown {
  // A single input outside a list has the names of the schema.
  if (!isJsonObject(raw) || 'name' in raw) return raw
  return Object.entries(raw).map(([name, input]) =>
    isJsonObject(input) ? { ...input, name } : { name, default: input },
  )
}

/**
 * Reads a list of named and positional arguments. A plain text is a positional one. An object without a type gets the type that its members
 * imply; one of another type is ignored.
 */
export function parseArguments(
  reader: TolerantReader,
  source: JsonObject,
  list: string,
  path: string,
): Argument[] {
  const read = (element: JsonObject, place: string): Argument | null =>
    parseArgument(reader, element, place)
  return reader.list(source, list, path, read, (raw) =>
    typeof raw === 'string' ? { type: 'positional', value: raw } : raw,
  )
}

/** Returns the type that the members imply if none is declared. */
function impliedType(reader: TolerantReader, source: JsonObject): Argument['type'] | undefined {
  if (reader.field(source, 'name') !== undefined) return 'named'
  const hasValue = ['value', 'default', 'valueHint'].some(
    (key) => reader.field(source, key) !== undefined,
  )
  return hasValue ? 'positional' : undefined
}

/** Placeholder for the value in the name of a flag: `--directory <path>`, `--port=<number>`. */
const NAME_PLACEHOLDER = /^(-{0,2}[^\s=<>]+)(?:\s+|=)<([^<>]+)>$/

function parseArgument(reader: TolerantReader, source: JsonObject, path: string): Argument | null {
  const type = reader.text(source, 'type', `${path}.`) ?? impliedType(reader, source)
  const input = () => ({
    ...parseTemplated(reader, source, `${path}.`),
    isRepeated: reader.flag(source, 'isRepeated', `${path}.`),
  })
  if (type === 'positional') {
    return { ...input(), type, valueHint: reader.line(source, 'valueHint', `${path}.`) }
  }
  if (type !== 'named') {
    const message = 'Expected the argument type "named" or "positional".'
    return reader.setAside(path, 'invalid-argument-type', message)
  }
  const written = reader.line(source, 'name', `${path}.`)
  if (written === undefined)
    return reader.setAside(path, 'missing-name', 'Named arguments need a name.')
  // The transport's address may refer to it as `{port}`.
  const [, name = written, hint] = NAME_PLACEHOLDER.exec(written) ?? []
  return { ...input(), type, name, valueHint: reader.line(source, 'valueHint', `${path}.`) ?? hint }
}

/** Reads the map from variable name to input; a variable that is no object is ignored. */
export function parseVariables(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): Record<string, InputVariable> | undefined {
  const variables = reader.object(source, 'variables', path)
  if (variables === undefined) return undefined
  const entries = Object.entries(variables).flatMap(([name, raw]): [string, InputVariable][] => {
    const place = `${path}variables.${cleanLine(name.slice(0, MAX_NAME))}`
    // Not every reader of this map can hold a key with a special meaning in JavaScript.
    if (name === '__proto__' || name.length > MAX_NAME)
      reader.setAside(place, 'invalid-name', 'Invalid variable name.')
    else if (isJsonObject(raw)) return [[name, parsePlain(reader, raw, `${place}.`)]]
    else reader.setAside(place, 'wrong-type', 'Expected an object.')
    return []
  })
  return Object.fromEntries(entries)
}

function parseTemplated(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): InputVariable & { variables?: Record<string, InputVariable> | undefined } {
  return {
    ...parsePlain(reader, source, path),
    variables: parseVariables(reader, source, path),
  }
}

function parsePlain(reader: TolerantReader, source: JsonObject, path: string): InputVariable {
  return {
    description: reader.prose(source, 'description', path),
    isRequired: reader.flag(source, 'isRequired', path),
    isSecret: reader.guard(source, 'isSecret', path),
    format: readFormat(reader, source, path),
    value: readFixed(reader, source, path),
    default: readValue(reader, source, 'default', path),
    placeholder: reader.line(source, 'placeholder', path),
    choices: readChoices(reader, source, path),
  }
}

/** Registry entries use an empty text for an absent one. */
function readFixed(reader: TolerantReader, source: JsonObject, path: string): string | undefined {
  const value = readValue(reader, source, 'value', path)
  return value === '' ? undefined : value
}

/** Neither an argument nor an environment variable can contain NUL. */
function readValue(
  reader: TolerantReader,
  source: JsonObject,
  name: 'value' | 'default',
  path: string,
): string | undefined {
  const text = reader.text(source, name, path)
  if (text?.includes('\0') !== true) return text
  reader.setAside(`${path}${name}`, 'invalid-character', 'NUL characters removed.')
  return text.replaceAll('\0', '')
}

function readFormat(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): InputFormat | undefined {
  const raw = reader.field(source, 'format')
  if (raw === undefined) return undefined
  const format = InputFormat.safeParse(raw)
  if (format.success) return format.data
  const isInteger = raw === 'integer'
  const message = `Unknown format, read as ${isInteger ? 'a number' : 'text'}.`
  reader.setAside(`${path}format`, 'unknown-format', message)
  return isInteger ? 'number' : undefined
}

function readChoices(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): string[] | undefined {
  const raw = reader.field(source, 'choices')
  if (raw === undefined) return undefined
  if (!Array.isArray(raw)) {
    reader.setAside(`${path}choices`, 'wrong-type', 'Expected a list.')
    return undefined
  }
  const choices = raw.slice(0, MAX_CHOICES).flatMap((element: unknown, index) => {
    const text = reader.asText(element ?? undefined, `${path}choices[${index}]`)
    return text === undefined ? [] : [text]
  })
  if (raw.length > MAX_CHOICES) {
    const message = `Only the first ${String(MAX_CHOICES)} are used.`
    reader.setAside(`${path}choices`, 'too-many', message)
  }
  return choices.length === 0 ? undefined : [...new Set(choices)]
}
