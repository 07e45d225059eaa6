import type { FieldValue } from '../domain/server-json/field-values'
import type { FormField } from './form-field'

/** Value of a variable that is set and empty; an empty text means that it is not set. */
export const SET_EMPTY: FieldValue = ['']

/** Whether a field can be set and empty: an optional environment variable that accepts any text. */
export function canBeSetEmpty({ target, control, required, secret }: FormField): boolean {
  const isVariable = target.place === 'environmentVariables' && target.variable === undefined
  return isVariable && control === 'text' && !required && !secret
}

/** Whether a value means that its variable is set and empty. */
export function isSetEmpty(field: FormField, value: FieldValue | null | undefined): boolean {
  return canBeSetEmpty(field) && Array.isArray(value) && value.length === 1 && value[0] === ''
}
