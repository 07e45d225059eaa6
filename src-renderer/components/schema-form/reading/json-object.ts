/** A JSON object whose members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value can stand where a schema is expected (JSON Schema 2020-12, 4.3: an object or a boolean). */
export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** A member that an object has itself; never one of every object, such as `toString`. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The texts of a list; nothing of what is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Sets a member as an own one, whatever its name is. */
export function put(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

function isTypes(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  return types.length > 0 && types.every((one) => TYPES.some((type) => type === one))
}

function isSchemas(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

type Rule = readonly [isFit: (value: unknown) => boolean, words: string]

const SCHEMA: Rule = [isSchema, 'a schema']
const SCHEMAS: Rule = [isSchemas, 'a list of schemas']
const MAP: Rule = [
  (value) => isJsonObject(value) && Object.values(value).every(isSchema),
  'an object of schemas',
]
const COUNT: Rule = [
  (value) => Number.isInteger(value) && Number(value) >= 0,
  'a whole number, 0 or more',
]
const NUMBER: Rule = [Number.isFinite, 'a number']

/** What the words that a form is made of must be (JSON Schema 2020-12). */
const RULES: Readonly<Record<string, Rule>> = {
  type: [isTypes, 'a type such as "string", or a list of them'],
  properties: MAP,
  patternProperties: MAP,
  required: [isTexts, 'a list of names'],
  enum: [Array.isArray, 'a list of values'],
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  prefixItems: SCHEMAS,
  items: [(value) => isSchema(value) || isSchemas(value), 'a schema'],
  additionalProperties: SCHEMA,
  not: SCHEMA,
  if: SCHEMA,
  then: SCHEMA,
  else: SCHEMA,
  $ref: [(value) => typeof value === 'string', 'a text'],
  pattern: [(value) => typeof value === 'string', 'a text'],
  format: [(value) => typeof value === 'string', 'a text'],
  minLength: COUNT,
  maxLength: COUNT,
  minItems: COUNT,
  maxItems: COUNT,
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: NUMBER,
  exclusiveMaximum: NUMBER,
  multipleOf: [(value) => Number.isFinite(value) && Number(value) > 0, 'a number above 0'],
}

/** What is wrong with a schema itself, not with what stands inside of it: `"required" must be a list of names`. */
export function schemaFault(schema: JsonObject): string | undefined {
  for (const [key, [isFit, words]] of Object.entries(RULES))
    if (Object.hasOwn(schema, key) && !isFit(schema[key])) return `"${key}" must be ${words}`
  return undefined
}
