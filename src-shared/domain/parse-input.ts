import { type Argument, InputFormat, type InputVariable, type KeyValueInput } from './server-json'
import {
  cleanLine,
  cleanProse,
  isJsonObject,
  type JsonObject,
  type TolerantReader,
} from './tolerant-reader'

/** More than a list to choose from can show. */
const MAX_CHOICES = 1_000

/** Reads a list of environment variables or headers; one without a usable name is set aside. */
export function parseInputs(
  reader: TolerantReader,
  source: JsonObject,
  list: string,
  path: string,
): KeyValueInput[] {
  return reader.list(source, list, path, (element, place) => {
    const name = reader.line(element, 'name', `${place}.`)
    if (!name) return reader.setAside(`${place}.name`, 'The name is empty.')
    if (name.includes('=')) return reader.setAside(`${place}.name`, 'A name holds no "=".')
    return { ...parseTemplated(reader, element, `${place}.`), name }
  })
}

/** Reads a list of named and positional arguments; one of no known type is set aside. */
export function parseArguments(
  reader: TolerantReader,
  source: JsonObject,
  list: string,
  path: string,
): Argument[] {
  return reader.list(source, list, path, (element, place) => parseArgument(reader, element, place))
}

function parseArgument(reader: TolerantReader, source: JsonObject, path: string): Argument | null {
  const type = reader.text(source, 'type', `${path}.`)
  const input = () => ({
    ...parseTemplated(reader, source, `${path}.`),
    isRepeated: reader.flag(source, 'isRepeated', `${path}.`),
  })
  if (type === 'positional') {
    return { ...input(), type, valueHint: reader.line(source, 'valueHint', `${path}.`) }
  }
  if (type !== 'named') {
    return reader.setAside(path, 'The argument type is neither "named" nor "positional".')
  }
  const name = reader.line(source, 'name', `${path}.`)
  return name === undefined
    ? reader.setAside(path, 'A named argument needs a name.')
    : { ...input(), type, name }
}

/** Reads the map of `{name}` to input; each variable that is no object is set aside. */
export function parseVariables(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): Record<string, InputVariable> | undefined {
  const variables = reader.object(source, 'variables', path)
  if (variables === undefined) return undefined
  const entries = Object.entries(variables).flatMap(([name, raw]): [string, InputVariable][] => {
    const place = `${path}variables.${cleanLine(name)}`
    if (isJsonObject(raw)) return [[name, parsePlain(reader, raw, `${place}.`)]]
    reader.setAside(place, 'Expected an object.')
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
  const description = reader.text(source, 'description', path)
  return {
    description: description === undefined ? undefined : cleanProse(description),
    isRequired: reader.flag(source, 'isRequired', path),
    isSecret: reader.flag(source, 'isSecret', path),
    format: readFormat(reader, source, path),
    value: reader.text(source, 'value', path),
    default: reader.text(source, 'default', path),
    placeholder: reader.line(source, 'placeholder', path),
    choices: readChoices(reader, source, path),
  }
}

function readFormat(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): InputFormat | undefined {
  const raw = reader.field(source, 'format')
  if (raw === undefined) return undefined
  const format = InputFormat.safeParse(raw)
  if (!format.success) reader.setAside(`${path}format`, 'The format is not known: read as text.')
  return format.data
}

function readChoices(
  reader: TolerantReader,
  source: JsonObject,
  path: string,
): string[] | undefined {
  const raw = reader.field(source, 'choices')
  if (raw === undefined) return undefined
  if (!Array.isArray(raw)) {
    reader.setAside(`${path}choices`, 'Expected a list.')
    return undefined
  }
  const choices = raw.slice(0, MAX_CHOICES).flatMap((element: unknown, index) => {
    const text = reader.asText(element ?? undefined, `${path}choices[${index}]`)
    return text === undefined ? [] : [text]
  })
  if (raw.length > MAX_CHOICES)
    reader.setAside(`${path}choices`, `Only the first ${String(MAX_CHOICES)} are offered.`)
  return choices.length === 0 ? undefined : [...new Set(choices)]
}
