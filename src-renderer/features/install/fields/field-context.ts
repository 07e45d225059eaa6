import { type ComponentProps, createContext, use } from 'react'

import type { FieldValue } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { defaultEntries } from '../../../../src-shared/form/split-several'
import type { GroupField } from '../../../ui/fields/field'
import type { InstallFormModel } from '../editing/use-install-form'

/** The form that contains the fields. */
export const FormModel = createContext<InstallFormModel | null>(null)

/** Returns the form around a field. */
export function useFormModel(): InstallFormModel {
  const model = use(FormModel)
  if (model === null) throw new Error('There is no form around this field.')
  return model
}

/** A field with its value and setter; null means untouched. */
export type BoundField = {
  readonly field: FormField
  readonly value: FieldValue | null
  readonly error: unknown
  readonly onChange: (value: FieldValue | null) => void
  readonly check: () => void
}

/** Parts that every kind of field shows around its control. */
export type FieldParts = Omit<ComponentProps<typeof GroupField>, 'note' | 'children'>

/** Returns the value as one text; for a list, its first entry. */
export function textOf(value: FieldValue | null): string | null {
  return Array.isArray(value) ? (value[0] ?? '') : value
}

/** Returns the initial entries of a list from the value of a single field. */
export function listOf({ field, value }: Pick<BoundField, 'field' | 'value'>): readonly string[] {
  if (Array.isArray(value)) return value
  if (value === null) return defaultEntries(field)
  // A saved text is one value.
  return value === '' ? [] : [value]
}
