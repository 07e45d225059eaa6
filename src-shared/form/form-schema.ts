import * as z from 'zod'

import { type FieldProblem, ProblemCode } from '../domain/installation/launch-plan'
import { FieldValue, type FieldValues } from '../domain/server-json/field-values'
import type { FormField } from './form-field'
import { isSetEmpty } from './set-empty'
import { isNumber } from './to-form-fields'

/** State of a form while it is edited: an undefined value is untouched. */
export type FormInput = Record<string, FieldValue | undefined>

/** A violation of a rule; `index` refers to the entry of a list. */
type Breach = { readonly code: ProblemCode; readonly message: string; readonly index?: number }

/**
 * Schema of a form's values: unknown keys are dropped, and every problem has the path `[key]` or `[key, index]`. `savedSecrets` are the
 * keys whose value is already in the secret store.
 */
export function formSchema(
  fields: readonly FormField[],
  { savedSecrets }: { savedSecrets: readonly string[] },
): z.ZodType<FieldValues, FormInput> {
  const saved = new Set(savedSecrets)
  return z
    .record(z.string(), FieldValue.optional())
    .transform((input) => onlyKnown(fields, input))
    .superRefine((values, context) => {
      for (const field of fields) {
        const breaches = [
          ...breachesOf(field, values[field.key], saved),
          ...holesOf(field, fields, values),
        ]
        for (const { code, message, index } of breaches) {
          const path = index === undefined ? [field.key] : [field.key, index]
          context.addIssue({ code: 'custom', message, path, params: { code } })
        }
      }
    })
}

/** Returns the first problem of each field by the same rules; empty if a start is possible. */
export function findProblems(
  fields: readonly FormField[],
  values: FieldValues,
  savedSecrets: readonly string[],
): FieldProblem[] {
  const result = formSchema(fields, { savedSecrets }).safeParse(values)
  const issues = result.success ? [] : result.error.issues
  const first = new Map(issues.toReversed().map((issue) => [issue.path[0], issue]))
  return fields.flatMap(({ key, label }) => {
    const issue = first.get(key)
    if (issue?.code !== 'custom') return []
    const code = ProblemCode.parse(issue.params?.code)
    return [{ code, fieldKey: key, label, message: issue.message }]
  })
}

function onlyKnown(fields: readonly FormField[], input: FormInput): FieldValues {
  return Object.fromEntries(
    fields.flatMap(({ key }): [string, FieldValue][] => {
      const value = Object.hasOwn(input, key) ? input[key] : undefined
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

function breachesOf(
  field: FormField,
  value: FieldValue | undefined,
  saved: ReadonlySet<string>,
): Breach[] {
  if (value === undefined) {
    const isFilled = !isBlank(field.default ?? '') || saved.has(field.key)
    return field.required && !isFilled ? [missing(field)] : []
  }
  if (isSetEmpty(field, value)) return []
  const entries = typeof value === 'string' ? [value] : value
  if (typeof value !== 'string' && !takesList(field))
    return [{ code: 'invalid-list', message: 'Enter one value only.' }]
  if (field.required && entries.every(isBlank)) return [missing(field)]
  return entries.flatMap((entry, index) => {
    const fault = isBlank(entry) ? undefined : faultOf(field, entry)
    if (fault === undefined) return []
    return [typeof value === 'string' ? fault : { ...fault, index }]
  })
}

/** Required variables of a repeated template that are empty in a row which another variable fills. */
function holesOf(field: FormField, fields: readonly FormField[], values: FieldValues): Breach[] {
  const { place, index, variable } = field.target
  const own = values[field.key]
  if (!field.required || variable === undefined || !isList(own) || own.length < 2) return []
  const others = fields
    .filter(({ key, target }) => {
      const isSame = target.place === place && target.index === index
      return isSame && target.variable !== undefined && key !== field.key
    })
    .map(({ key }) => values[key])
    .filter((value) => isList(value) && value.length > 1)
  const rows = Math.max(own.length, ...others.map((other) => other?.length ?? 0))
  return Array.from({ length: rows }, (_, row) => row).flatMap((row) => {
    const isFilled = others.some((other) => !isBlank(other?.[row] ?? ''))
    if (!isBlank(own[row] ?? '') || !isFilled) return []
    return [row < own.length ? { ...missing(field), index: row } : missing(field)]
  })
}

function isList(value: FieldValue | undefined): value is string[] {
  return value !== undefined && typeof value !== 'string'
}

/** Whether a field can have several values: an argument can be repeated, an environment variable or a header cannot. */
export function takesList(field: FormField): boolean {
  const { place } = field.target
  const isArgument = place === 'runtimeArguments' || place === 'packageArguments'
  return field.repeated || (isArgument && !field.secret && field.control !== 'switch')
}

/** Whether a text is empty or white space. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

function missing(field: FormField): Breach {
  return { code: 'missing-required', message: missingMessage(field) }
}

function missingMessage(field: FormField): string {
  const isFolder = /(dir|director(y|ies)|folder)s?$/i.test(field.machineName ?? field.label)
  const noun = field.control === 'path' ? (isFolder ? 'folder' : 'path') : 'value'
  if (field.repeated) return `Enter at least one ${noun}.`
  switch (field.control) {
    case 'choice':
      return choiceMessage(field)
    case 'number':
      return 'Enter a number.'
    case 'switch':
      return 'Choose on or off.'
    case 'path':
    case 'text':
      return `Enter a ${noun}.`
  }
}

function choiceMessage(field: FormField): string {
  return `Choose one of: ${field.choices.join(', ')}.`
}

function faultOf(field: FormField, entry: string): Breach | undefined {
  const character = characterFault(field, entry)
  if (character !== undefined) return { code: 'invalid-character', message: character }
  if (field.choices.length > 0) {
    return field.choices.includes(entry)
      ? undefined
      : { code: 'invalid-choice', message: choiceMessage(field) }
  }
  if (field.format === 'number') return numberFault(field, entry)
  if (field.format === 'boolean') {
    return /^(true|false)$/i.test(entry)
      ? undefined
      : { code: 'invalid-boolean', message: 'Choose on or off.' }
  }
  return undefined
}

function numberFault(
  { min = -Infinity, max = Infinity }: FormField,
  entry: string,
): Breach | undefined {
  const code = 'invalid-number'
  if (!isNumber(entry)) return { code, message: 'Enter a number.' }
  const number = Number(entry)
  if (number >= min && number <= max) return undefined
  if (max === Infinity) return { code, message: `Enter a number of at least ${min}.` }
  if (min === -Infinity) return { code, message: `Enter a number of at most ${max}.` }
  return { code, message: `Enter a number from ${min} to ${max}.` }
}

/** RFC 9110: a header value has no line breaks, and no characters beyond Latin-1. */
const HEADER_TEXT = /^[\t\x20-\x7E\x80-\xFF]*$/
/** Addresses lose line breaks when they are parsed, so that another address than the typed one would be used. */
const ADDRESS_TEXT = /^[^\t\n\r]*$/

function characterFault({ target }: FormField, entry: string): string | undefined {
  if (entry.includes('\0')) return 'Remove the NUL character.'
  if (target.place === 'headers' && !HEADER_TEXT.test(entry))
    return 'Use one line of Latin letters, digits, and symbols for headers.'
  if (target.place === 'url' && !ADDRESS_TEXT.test(entry))
    return 'Remove line breaks and tabs from the address.'
  return undefined
}
