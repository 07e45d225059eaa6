/** One argument of a tool as its JSON Schema declares it, in words; all texts are the server's own. */
export type SchemaArgument = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string | undefined
  readonly choices: readonly string[]
}

type Bag = Readonly<Record<string, unknown>>

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function asWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const DEEPEST = 3

function typeOfList(items: unknown, depth: number): string {
  return isBag(items) && depth < DEEPEST ? `list of ${typeOf(items, depth + 1)}` : 'list'
}

function typeOfEither(either: unknown, depth: number): string | undefined {
  if (!Array.isArray(either) || depth >= DEEPEST) return undefined
  const types = either.filter(isBag).map((one) => typeOf(one, depth + 1))
  return types.length === 0 ? undefined : [...new Set(types)].join(' or ')
}

/** The type in one or two words: `string`, `list of number`, `string or null`, `any`. */
function typeOf(schema: Bag, depth = 0): string {
  const { type } = schema
  if (Array.isArray(type)) return type.map(asWord).join(' or ')
  if (type === 'array') return typeOfList(schema.items, depth)
  if (typeof type === 'string') return type
  const either = typeOfEither(schema.anyOf ?? schema.oneOf, depth)
  if (either !== undefined) return either
  if ('const' in schema) return asWord(schema.const)
  return 'enum' in schema ? 'choice' : 'any'
}

/** The arguments that an input schema declares, required ones first; an odd schema has none. */
export function schemaArguments(inputSchema: unknown): readonly SchemaArgument[] {
  if (!isBag(inputSchema) || !isBag(inputSchema.properties)) return []
  const required: readonly unknown[] = Array.isArray(inputSchema.required)
    ? inputSchema.required
    : []
  const all = Object.entries(inputSchema.properties).map(([name, schema]) => {
    const bag = isBag(schema) ? schema : {}
    return {
      name,
      type: typeOf(bag),
      required: required.includes(name),
      description: textOf(bag.description) ?? textOf(bag.title),
      choices: Array.isArray(bag.enum) ? bag.enum.map(asWord) : [],
    }
  })
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)]
}
