import * as z from 'zod'

import type { AskedField } from '../../../../src-shared/domain/agents/question'
import { INVALID_PARAMS, ResponseError } from '../peer/incoming-requests'
import { askedText } from './asked-text'
import { answerProblem } from './fit-answer'

const MOST_FIELDS = 50
const MOST_CHOICES = 200
const LONGEST_NAME = 200
const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 2_000
/** Of a value that can be chosen, and of a default. */
const LONGEST_VALUE = 10_000

type Input = AskedField['input']

const Words = z.string().optional().catch(undefined)
const Bound = z.number().optional().catch(undefined)
const Default = z.unknown().optional()
const Value = z.string().max(LONGEST_VALUE)
const Values = z.array(Value).min(1).max(MOST_CHOICES)
const Titled = z
  .array(z.object({ const: Value, title: Words }))
  .min(1)
  .max(MOST_CHOICES)

const RequestedSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).optional().catch(undefined),
})

/** How each kind of field is read; the first that fits counts. */
const KINDS = [
  z
    .object({ type: z.literal('string'), oneOf: Titled, default: Default })
    .transform((of): Input => ({ kind: 'choice', choices: titled(of.oneOf), ...text(of.default) })),
  z
    .object({
      type: z.literal('string'),
      enum: Values,
      enumNames: z.array(z.string()).optional().catch(undefined),
      default: Default,
    })
    .transform((of): Input => ({
      kind: 'choice',
      choices: titled(of.enum.map((value, at) => ({ const: value, title: of.enumNames?.[at] }))),
      ...text(of.default),
    })),
  z
    .object({
      type: z.literal('array'),
      items: z.union([
        z.object({ anyOf: Titled }).transform(({ anyOf }) => anyOf),
        z.object({ oneOf: Titled }).transform(({ oneOf }) => oneOf),
        z
          .object({ type: z.literal('string'), enum: Values })
          .transform((of) => of.enum.map((value) => ({ const: value, title: undefined }))),
      ]),
      minItems: Bound,
      maxItems: Bound,
      default: z.array(z.string()).optional().catch(undefined),
    })
    .transform(({ items, minItems, maxItems, default: chosen }): Input => ({
      kind: 'choices',
      choices: titled(items),
      minItems,
      maxItems,
      default: chosen,
    })),
  z
    .object({
      type: z.literal('string'),
      // One with other choices than were read above is no text.
      oneOf: z.undefined().optional(),
      anyOf: z.undefined().optional(),
      enum: z.undefined().optional(),
      format: z.enum(['email', 'uri', 'date', 'date-time']).optional().catch(undefined),
      minLength: Bound,
      maxLength: Bound,
      default: Default,
    })
    .transform(({ format, minLength, maxLength, default: start }): Input => ({
      kind: 'text',
      format,
      minLength,
      maxLength,
      ...text(start),
    })),
  z
    .object({
      type: z.enum(['number', 'integer']),
      minimum: Bound,
      maximum: Bound,
      default: Bound,
    })
    .transform(({ type, minimum, maximum, default: start }): Input => ({
      kind: 'number',
      isInteger: type === 'integer',
      minimum,
      maximum,
      default: start,
    })),
  z
    .object({ type: z.literal('boolean'), default: z.boolean().optional().catch(undefined) })
    .transform(({ default: start }): Input => ({ kind: 'boolean', default: start })),
] as const

/**
 * The fields of a form that a server asks for (MCP, elicitation, requested schema: a flat object of primitive types and
 * choices). Throws a `ResponseError` that says what cannot be asked for. A default that does not fit its own field is left
 * out, and a `pattern` is the server's to check: it could keep Patchbay busy without end.
 */
export function askedFields(requestedSchema: unknown): AskedField[] {
  const { data } = RequestedSchema.safeParse(requestedSchema)
  if (!data) throw refused('requestedSchema must be an object schema with properties')
  const entries = Object.entries(data.properties)
  if (entries.length > MOST_FIELDS)
    throw refused(`a form may have ${MOST_FIELDS} fields, this one has ${entries.length}`)
  const required = new Set(data.required)
  for (const name of required)
    if (!Object.hasOwn(data.properties, name))
      throw refused(`${quoted(name)} is required and not among the properties`)
  return entries.map(([name, schema]) => askedField(name, schema, required.has(name)))
}

function askedField(name: string, schema: unknown, isRequired: boolean): AskedField {
  if (name.length > LONGEST_NAME) throw refused(`a field cannot be named ${quoted(name)}`)
  const input = KINDS.map((kind) => kind.safeParse(schema)).find(({ success }) => success)?.data
  if (!input)
    throw refused(
      `the field ${quoted(name)} is none of the kinds of a form: a text, a number, a boolean, one choice of up to ${MOST_CHOICES} texts, or several`,
    )
  const { title, description } = z.object({ title: Words, description: Words }).parse(schema)
  const field: AskedField = {
    name,
    ...(title !== undefined && { title: askedText(title, LONGEST_TITLE) }),
    ...(description !== undefined && { description: askedText(description, LONGEST_DESCRIPTION) }),
    isRequired,
    input,
  }
  const { default: start } = input
  if (start === undefined || answerProblem(field, start) === undefined) return field
  return { ...field, input: { ...input, default: undefined } }
}

/** Choices with their titles; of two of the same value the first. */
function titled(
  all: readonly { readonly const: string; readonly title?: string | undefined }[],
): { value: string; label: string }[] {
  const labels = new Map<string, string>()
  for (const { const: value, title } of all)
    if (!labels.has(value)) labels.set(value, askedText(title ?? value, LONGEST_TITLE))
  return [...labels].map(([value, label]) => ({ value, label }))
}

function text(start: unknown): { readonly default?: string } {
  return typeof start === 'string' && start.length <= LONGEST_VALUE ? { default: start } : {}
}

function quoted(name: string): string {
  return JSON.stringify(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name)
}

function refused(why: string): ResponseError {
  return new ResponseError(INVALID_PARAMS, `The form cannot be shown to a person: ${why}.`)
}
