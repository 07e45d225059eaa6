import { isJsonObject, type JsonObject } from '../schema-form/reading/json-object'
import type { ShownArgument } from './argument-list'

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function asWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const DEEPEST = 3

function typeOfList(items: unknown, depth: number): string {
  return isJsonObject(items) && depth < DEEPEST ? `list of ${typeOf(items, depth + 1)}` : 'list'
}

function typeOfEither(either: unknown, depth: number): string | undefined {
  if (!Array.isArray(either) || depth >= DEEPEST) return undefined
  const types = either.filter(isJsonObject).map((one) => typeOf(one, depth + 1))
  return types.length === 0 ? undefined : [...new Set(types)].join(' or ')
}

/** The type in one or two words: `string`, `list of number`, `string or null`, `any`. */
function typeOf(schema: JsonObject, depth = 0): string {
  const { type } = schema
  if (Array.isArray(type)) return type.map(asWord).join(' or ')
  if (type === 'array') return typeOfList(schema.items, depth)
  if (typeof type === 'string') return type
  const either = typeOfEither(schema.anyOf ?? schema.oneOf, depth)
  if (either !== undefined) return either
  if ('const' in schema) return asWord(schema.const)
  return 'enum' in schema ? 'choice' : 'any'
}

/** The arguments that an input schema declares, required ones first; an odd schema has none. All texts are the server's own. */
export function schemaArguments(inputSchema: unknown): readonly ShownArgument[] {
  if (!isJsonObject(inputSchema) || !isJsonObject(inputSchema.properties)) return []
  const required: readonly unknown[] = Array.isArray(inputSchema.required)
    ? inputSchema.required
    : []
  const all = Object.entries(inputSchema.properties).map(([name, schema]) => {
    const object = isJsonObject(schema) ? schema : {}
    return {
      name,
      type: typeOf(object),
      required: required.includes(name),
      description: textOf(object.description) ?? textOf(object.title),
      choices: Array.isArray(object.enum) ? object.enum.map(asWord) : [],
    }
  })
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)]
}
