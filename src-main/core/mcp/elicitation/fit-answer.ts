import * as z from 'zod'

import type { AskedField, QuestionAnswer } from '../../../../src-shared/domain/agents/question'
import { AppError } from '../../../../src-shared/domain/app-error'

/** What fills a form: values by the names of its fields. */
export type AnswerContent = NonNullable<Extract<QuestionAnswer, { kind: 'accept' }>['content']>

type Value = AnswerContent[string]
type Input<K extends AskedField['input']['kind']> = Extract<AskedField['input'], { kind: K }>

/** Of one text, in UTF-16 units. */
const LONGEST_TEXT = 100_000

const FORMATS = {
  email: { schema: z.email(), needed: 'an email address' },
  uri: { schema: z.string().refine(isUri), needed: 'an address with its start, such as https://' },
  date: { schema: z.iso.date(), needed: 'a date, such as 2026-03-31' },
  'date-time': {
    schema: z.iso.datetime({ offset: true }),
    needed: 'a date with a time, such as 2026-03-31T10:20:30Z',
  },
} as const

/**
 * What is sent for a form: what was filled in, with the defaults of fields that were left out (SEP-1034). Throws
 * INVALID_VALUES that names the first field that does not fit.
 */
export function fitAnswer(
  fields: readonly AskedField[],
  content: AnswerContent = {},
): AnswerContent {
  const known = new Set(fields.map(({ name }) => name))
  for (const name of Object.keys(content))
    if (!known.has(name)) throw unfit(JSON.stringify(name.slice(0, 100)), 'was not asked for')
  const filled = fields.flatMap((field): [string, Value][] => {
    const { name, title, isRequired, input } = field
    const value = Object.hasOwn(content, name) ? content[name] : input.default
    const problem = value === undefined ? isRequired && 'is needed' : answerProblem(field, value)
    if (typeof problem === 'string') throw unfit(title ?? name, problem)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(filled)
}

/** What is wrong with a value, as the end of a sentence that begins with its field; undefined where it fits. */
export function answerProblem(
  { input }: Pick<AskedField, 'input'>,
  value: Value,
): string | undefined {
  switch (input.kind) {
    case 'text':
      return typeof value === 'string' ? textProblem(input, value) : 'must be a text'
    case 'number':
      return typeof value === 'number' ? numberProblem(input, value) : 'must be a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be yes or no'
    case 'choice':
      return isAmong(input, value) ? undefined : 'must be one of its choices'
    case 'choices':
      return Array.isArray(value) ? choicesProblem(input, value) : 'must be a list of choices'
  }
}

function textProblem(
  { format, minLength, maxLength }: Input<'text'>,
  value: string,
): string | undefined {
  if (value.length > LONGEST_TEXT) return `must not be longer than ${LONGEST_TEXT} characters`
  if (format && !FORMATS[format].schema.safeParse(value).success)
    return `must be ${FORMATS[format].needed}`
  // JSON Schema counts characters, not the halves that some of them are stored as.
  return boundProblem(Array.from(value).length, 'have', minLength, maxLength, 'characters')
}

function numberProblem(
  { isInteger, minimum, maximum }: Input<'number'>,
  value: number,
): string | undefined {
  if (!Number.isFinite(value)) return 'must be a number'
  if (isInteger && !Number.isInteger(value)) return 'must be a whole number'
  return boundProblem(value, 'be', minimum, maximum)
}

function choicesProblem(input: Input<'choices'>, value: readonly string[]): string | undefined {
  if (!value.every((one) => isAmong(input, one))) return 'must have none but its choices'
  if (new Set(value).size < value.length) return 'must not have the same choice twice'
  return boundProblem(value.length, 'have', input.minItems, input.maxItems, 'choices')
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

/** An address with a scheme (RFC 3986). */
function isUri(text: string): boolean {
  return !/\s/u.test(text) && URL.canParse(text)
}

function unfit(field: string, problem: string): AppError {
  return new AppError('INVALID_VALUES', `Nothing was sent: ${field} ${problem}.`)
}
