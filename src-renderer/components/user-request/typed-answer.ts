import * as z from 'zod'

import type {
  ElicitationField,
  UserRequestAnswer,
} from '../../../src-shared/domain/agents/user-request'

/** The raw input of a form: all values are text, keyed by field index because a server's names can be anything. */
export type TypedAnswer = Record<string, string | string[]>

/** The content that the form sends. */
export type AnswerContent = NonNullable<Extract<UserRequestAnswer, { kind: 'accept' }>['content']>

type Value = AnswerContent[string]
/** A value, no value for an omitted field, or the problem with the input. */
type Read = { readonly value?: Value } | { readonly problem: string }
type Input<K extends ElicitationField['input']['kind']> = Extract<
  ElicitationField['input'],
  { kind: K }
>

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/iu
const REQUIRED_MESSAGE: Readonly<Record<ElicitationField['input']['kind'], string>> = {
  text: 'Enter a value.',
  number: 'Enter a number.',
  boolean: 'Choose yes or no.',
  choice: 'Choose one.',
  choices: 'Choose at least one.',
}

/** Returns the key of a field's value in a form. */
export function fieldKey(index: number): string {
  return `f${index}`
}

/** Returns the form input with the defaults filled in. */
export function initialAnswer(fields: readonly ElicitationField[]): TypedAnswer {
  return Object.fromEntries(
    fields.map(({ input }, index) => [fieldKey(index), initialValue(input)]),
  )
}

function initialValue(input: ElicitationField['input']): string | string[] {
  switch (input.kind) {
    case 'text':
      return input.format === 'date-time' ? localTime(input.default) : (input.default ?? '')
    case 'number':
    case 'boolean':
      return input.default === undefined ? '' : String(input.default)
    case 'choice':
      return input.default ?? ''
    case 'choices':
      return input.default ?? []
  }
}

/** Formats a time for the date and time input, in local time; empty for an invalid time. */
function localTime(moment = ''): string {
  const at = new Date(moment)
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

/** Parses a form into values by field name, or a problem for each invalid field. */
export function answerSchema(
  fields: readonly ElicitationField[],
): z.ZodType<AnswerContent, TypedAnswer> {
  const shape = Object.fromEntries(
    fields.map((field, index) => [fieldKey(index), typedSchema(field)]),
  )
  return z.object(shape).transform((read) =>
    Object.fromEntries(
      fields.flatMap(({ name }, index) => {
        const value = read[fieldKey(index)]
        return value === undefined ? [] : [[name, value] as const]
      }),
    ),
  )
}

function typedSchema(field: ElicitationField): z.ZodType<Value | undefined, string | string[]> {
  return z.union([z.string(), z.array(z.string())]).transform((typed, context) => {
    const read = readTyped(field, typed)
    if (!('problem' in read)) return read.value
    context.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  })
}

/** Parses the input of one field. */
export function readTyped(field: ElicitationField, typed: string | string[]): Read {
  const { input, isRequired } = field
  if (input.kind === 'choices') return readChoices(input, isRequired, [typed].flat())
  const text = String(typed)
  if (text.trim() === '') {
    if (isRequired) return { problem: REQUIRED_MESSAGE[input.kind] }
    return isOmitted(input) ? {} : { value: '' }
  }
  switch (input.kind) {
    case 'text':
      return readText(input, text)
    case 'number':
      return readNumber(input, text.trim())
    case 'boolean':
      return { value: text === 'true' }
    case 'choice':
      return { value: text }
  }
}

/** Whether an emptied field is omitted. A text that may be empty is sent as such, because its default would return otherwise. */
export function isOmitted(input: ElicitationField['input']): boolean {
  if (input.kind !== 'text' || input.default === undefined) return true
  return input.format !== undefined || (input.minLength ?? 0) > 0
}

const FORMATS = {
  email: { schema: z.email(), problem: 'Enter an email address, such as name@example.org.' },
  uri: { schema: z.url(), problem: 'Enter a full URL, such as https://example.org.' },
  date: { schema: z.iso.date(), problem: 'Enter a date, such as 2026-03-31.' },
} as const

function readText({ format, minLength, maxLength }: Input<'text'>, text: string): Read {
  if (format === 'date-time') return readMoment(text)
  if (format !== undefined) {
    const { schema, problem } = FORMATS[format]
    if (!schema.safeParse(text.trim()).success) return { problem }
  }
  const value = format === undefined ? text : text.trim()
  // JSON Schema counts code points, not UTF-16 units.
  const problem = boundProblem(Array.from(value).length, minLength, maxLength)
  return problem === undefined
    ? { value }
    : { problem: `Enter ${problem} ${problem.endsWith(' 1') ? 'character' : 'characters'}.` }
}

function readMoment(text: string): Read {
  const at = new Date(text.trim())
  return Number.isNaN(at.getTime())
    ? { problem: 'Enter a date and time.' }
    : { value: at.toISOString() }
}

function readNumber({ isInteger, minimum, maximum }: Input<'number'>, text: string): Read {
  const value = Number(text)
  const noun = isInteger ? 'a whole number' : 'a number'
  if (!NUMBER.test(text) || !Number.isFinite(value))
    return { problem: `Enter ${noun}, such as ${isInteger ? '12' : '1.5'}.` }
  if (isInteger && !Number.isInteger(value)) return { problem: `Enter ${noun}.` }
  const problem = boundProblem(value, minimum, maximum)
  return problem === undefined ? { value } : { problem: `Enter ${noun}: ${problem}.` }
}

function readChoices(
  { minItems, maxItems, default: standard }: Input<'choices'>,
  isRequired: boolean,
  chosen: readonly string[],
): Read {
  const isUnset = chosen.length === 0 && !isRequired && standard === undefined
  if (isUnset) return {}
  const problem = boundProblem(chosen.length, minItems, maxItems)
  return problem === undefined ? { value: [...chosen] } : { problem: `Choose ${problem}.` }
}

/** Returns the message for a size outside its bounds; undefined if it is within. */
function boundProblem(size: number, min?: number, max?: number): string | undefined {
  if ((min === undefined || size >= min) && (max === undefined || size <= max)) return undefined
  if (min === undefined) return `at most ${max ?? ''}`
  if (max === undefined) return `at least ${min}`
  return min === max ? `exactly ${min}` : `${min} to ${max}`
}
