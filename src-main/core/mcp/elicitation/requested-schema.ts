import { INVALID_PARAMS } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type {
  ElicitationField,
  UserRequestAnswer,
} from '../../../../src-shared/domain/agents/user-request'
import { AppError } from '../../../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { ResponseError } from '../peer/request-failure'

const MAX_FIELDS = 50
const MAX_CHOICES = 200
const MAX_NAME = 200
const MAX_TITLE = 200
const MAX_DESCRIPTION = 2_000
/** Maximum length of a choice's value, and of a default, in UTF-16 units. */
const MAX_VALUE = 10_000
const MAX_TEXT = 100_000

export type FormContent = NonNullable<Extract<UserRequestAnswer, { kind: 'accept' }>['content']>

type Value = FormContent[string]
type Input<K extends ElicitationField['input']['kind'] = ElicitationField['input']['kind']> =
  Extract<ElicitationField['input'], { kind: K }>
type Choices = Input<'choice'>['choices']

const FORMATS = {
  email: { schema: z.email(), needed: 'an email address' },
  uri: {
    schema: z.string().refine((text) => !/\s/u.test(text) && URL.canParse(text)),
    needed: 'a URL such as https://example.com',
  },
  date: { schema: z.iso.date(), needed: 'a date such as 2026-03-31' },
  'date-time': {
    schema: z.iso.datetime({ offset: true }),
    needed: 'a date and time such as 2026-03-31T10:20:30Z',
  },
} as const

const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/gu
const SPACES = /(?!\n)[\s\p{Z}]/gu
/** Controls, lone surrogates, noncharacters, and invisible characters. */
const UNSEEN = /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Returns a server's text for the user: without control and invisible characters, cut after `max` UTF-16 units. */
export function plainText(text: string, max: number): string {
  const lines = text.slice(0, max).replace(LINE_ENDS, '\n')
  const cleaned = lines.replace(SPACES, ' ').replace(UNSEEN, '').trim()
  return text.length > max ? `${cleaned}…` : cleaned
}

/**
 * Returns the fields of a form that a server requests (MCP, elicitation, requested schema: a flat object of primitive types and choices).
 * Throws a `ResponseError` that names the unsupported part. Ignores a default that doesn't fit its field. Leaves `pattern` to the server,
 * because some patterns would take unbounded time.
 */
export function formFields(requestedSchema: unknown): ElicitationField[] {
  const { type, properties, required: names } = meantForm(requestedSchema)
  if (type !== 'object' || !isJsonObject(properties))
    throw invalid('requestedSchema must be an object schema with properties')
  const entries = Object.entries(properties)
  if (entries.length > MAX_FIELDS)
    throw invalid(`a form can have ${MAX_FIELDS} fields, but this one has ${entries.length}`)
  const required = new Set(textsOf(names))
  for (const name of required)
    if (!Object.hasOwn(properties, name))
      throw invalid(`${quoted(name)} is required but not declared in properties`)
  return entries.map(([name, schema]) => formField(name, schema, required.has(name)))
}

/** Normalizes a form (F1): it may lack its type, have PHP's list for no properties, and fields as `normalizedField` reads them. */
export function meantForm(form: unknown): JsonObject {
  const { type, properties, ...others } = withoutNulls(isJsonObject(form) ? form : {})
  const isEmpty = Array.isArray(properties) && properties.length === 0
  const fields = isEmpty ? {} : properties
  if (!isJsonObject(fields)) return { ...others, type: type ?? 'object', properties: fields }
  const meant = Object.entries(fields).map(([name, field]) => {
    return [name, isJsonObject(field) ? normalizedField(field) : field] as const
  })
  return { ...others, type: type ?? 'object', properties: Object.fromEntries(meant) }
}

export function withoutNulls(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== null))
}

/**
 * Returns the schema of a nullable field, as Python libraries write optional ones, without null; a choice without type becomes one of
 * strings.
 */
function normalizedField(raw: JsonObject): JsonObject {
  const schema = withoutNulls(raw)
  const { anyOf, ...own } = schema
  const arms: readonly unknown[] = Array.isArray(anyOf) ? anyOf : []
  const [arm, ...more] = arms.filter((one) => !isJsonObject(one) || one.type !== 'null')
  if (more.length === 0 && arms.length > 1 && isJsonObject(arm))
    return normalizedField({ ...arm, ...own })
  const [type, ...others] = [schema.type].flat().filter((one) => one !== 'null')
  const isChoice = [schema.enum, schema.oneOf, anyOf].some((one) => one !== undefined)
  const meant = type ?? (isChoice ? 'string' : undefined)
  return meant === undefined || others.length > 0 ? own : { ...schema, type: meant }
}

function formField(name: string, given: unknown, isRequired: boolean): ElicitationField {
  if (name.length > MAX_NAME) throw invalid(`${quoted(name)} is not allowed as a field name`)
  const schema = isJsonObject(given) ? given : {}
  const input = inputOf(schema)
  if (!input) {
    const kinds = `a string, a number, a boolean, or a choice of up to ${MAX_CHOICES} strings`
    throw invalid(`the field ${quoted(name)} must be ${kinds}`)
  }
  const { title, description } = schema
  const field: ElicitationField = {
    name,
    ...(typeof title === 'string' && { title: plainText(title, MAX_TITLE) }),
    ...(typeof description === 'string' && {
      description: plainText(description, MAX_DESCRIPTION),
    }),
    isRequired,
    input,
  }
  const { default: start } = input
  if (start === undefined || fieldProblem(field, start) === undefined) return field
  return { ...field, input: { ...input, default: undefined } }
}

function inputOf(schema: JsonObject): Input | undefined {
  const { type, default: start } = schema
  switch (type) {
    case 'boolean':
      return { kind: 'boolean', default: typeof start === 'boolean' ? start : undefined }
    case 'number':
    case 'integer': {
      const [minimum, maximum] = [numberOf(schema.minimum), numberOf(schema.maximum)]
      const isInteger = type === 'integer'
      return { kind: 'number', isInteger, minimum, maximum, default: numberOf(start) }
    }
    case 'array': {
      const choices = isJsonObject(schema.items) ? choicesOf(schema.items) : undefined
      const [minItems, maxItems] = [numberOf(schema.minItems), numberOf(schema.maxItems)]
      return choices && { kind: 'choices', choices, minItems, maxItems, default: textsOf(start) }
    }
    case 'string': {
      const text =
        typeof start === 'string' && start.length <= MAX_VALUE ? { default: start } : undefined
      const { oneOf, anyOf, enum: values, format } = schema
      if (oneOf !== undefined || anyOf !== undefined || values !== undefined) {
        const choices = choicesOf(schema)
        return choices && { kind: 'choice', choices, ...text }
      }
      const [minLength, maxLength] = [numberOf(schema.minLength), numberOf(schema.maxLength)]
      const knownFormat = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).find(
        (one) => one === format,
      )
      return { kind: 'text', format: knownFormat, minLength, maxLength, ...text }
    }
    default:
      return undefined
  }
}

/** Returns the choices of a schema, each value once; undefined if none can be shown. */
function choicesOf({ oneOf, anyOf, enum: values, enumNames }: JsonObject): Choices | undefined {
  const titled = Array.isArray(oneOf) ? oneOf : anyOf
  const names = textsOf(enumNames)
  const all = Array.isArray(titled)
    ? titled.map((one: unknown) => (isJsonObject(one) ? [one.const, one.title] : []))
    : Array.isArray(values) && values.map((value: unknown, at) => [value, names?.[at]])
  if (!all || all.length === 0 || all.length > MAX_CHOICES) return undefined
  const labels = new Map<string, string>()
  for (const [value, title] of all) {
    if (typeof value !== 'string' || value.length > MAX_VALUE) return undefined
    const label = plainText(typeof title === 'string' ? title : value, MAX_TITLE)
    if (!labels.has(value)) labels.set(value, label)
  }
  return [...labels].map(([value, label]) => ({ value, label }))
}

/**
 * Returns the values of an answer, with defaults for omitted fields (SEP-1034). Throws INVALID_VALUES for the first field that doesn't fit.
 */
export function formContent(
  fields: readonly ElicitationField[],
  content: FormContent = {},
): FormContent {
  const declared = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(content))
    if (!declared.has(name))
      throw unfit(JSON.stringify(name.slice(0, 100)), 'is not a field of this form')
  const filled = fields.flatMap((field): [string, Value][] => {
    const { name, title, isRequired, input } = field
    const value = Object.hasOwn(content, name) ? content[name] : input.default
    const problem = value === undefined ? isRequired && 'is required' : fieldProblem(field, value)
    if (typeof problem === 'string') throw unfit(title ?? name, problem)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(filled)
}

/** Returns why a value doesn't fit, as the end of a sentence that begins with its field; undefined if it fits. */
export function fieldProblem(
  { input }: Pick<ElicitationField, 'input'>,
  value: Value,
): string | undefined {
  switch (input.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(input, value) : 'must be text'
    case 'number':
      if (!Number.isFinite(value)) return 'must be a number'
      if (input.isInteger && !Number.isInteger(value)) return 'must be a whole number'
      return boundProblem(Number(value), 'be', input.minimum, input.maximum)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be yes or no'
    case 'choice':
      return isAmong(input, value) ? undefined : 'must be one of the choices'
    case 'choices':
      if (!Array.isArray(value)) return 'must be a list of choices'
      if (!value.every((one) => isAmong(input, one))) return 'must contain only the listed choices'
      if (new Set(value).size < value.length) return 'must not repeat a choice'
      return boundProblem(value.length, 'have', input.minItems, input.maxItems, 'choices')
  }
}

function textProblem(
  { format, minLength, maxLength }: Input<'text'>,
  value: string,
): string | undefined {
  if (value.length > MAX_TEXT) return `must not exceed ${MAX_TEXT} characters`
  if (format && !FORMATS[format].schema.safeParse(value).success)
    return `must be ${FORMATS[format].needed}`
  // JSON Schema counts characters, not UTF-16 units.
  return boundProblem(Array.from(value).length, 'have', minLength, maxLength, 'characters')
}

function isAmong({ choices }: Input<'choice' | 'choices'>, value: Value): boolean {
  return choices.some((choice) => choice.value === value)
}

function boundProblem(
  size: number,
  verb: 'be' | 'have',
  least = -Infinity,
  most = Infinity,
  unit = '',
): string | undefined {
  if (size < least) return `must ${verb} at least ${least} ${unit}`.trimEnd()
  return size > most ? `must ${verb} at most ${most} ${unit}`.trimEnd() : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function textsOf(value: unknown): string[] | undefined {
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isTexts ? value : undefined
}

function quoted(name: string): string {
  return JSON.stringify(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)
}

function invalid(why: string): ResponseError {
  return new ResponseError(INVALID_PARAMS, `Unsupported form: ${why}.`)
}

function unfit(field: string, problem: string): AppError {
  return new AppError('INVALID_VALUES', `Not sent: ${field} ${problem}.`)
}
