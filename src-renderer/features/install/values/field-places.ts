import type { FieldError, FieldErrors } from 'react-hook-form'

import type { FormField } from '../../../../src-shared/form/form-field'
import type { FieldSpot } from './argv-lines'
import type { DraftValues, InstallDraft } from './install-values'
import { LIMIT_NAMES, LIMITS } from './limits'
import { expectedKind } from './path-words'

/** One problem that the form knows of, with the element that mends it. */
export type KnownProblem = {
  readonly elementId: string
  readonly label: string
  readonly spot?: FieldSpot
}

/** Element id of a field's control. */
export function fieldId(fieldKey: string): string {
  return `field-${fieldKey}`
}

/** Which dialog a path field opens; that for folders where nothing tells. */
export function pathKind(field: FormField): 'folder' | 'file' {
  return expectedKind(field) ?? 'folder'
}

type ErrorNode = Partial<FieldError> & { readonly root?: FieldError }

/** Problems of one field: by entry where it is a list, and the one of the field as a whole. */
export function problemsOf(error: unknown): {
  readonly whole: string | undefined
  readonly entries: readonly (string | undefined)[]
} {
  if (Array.isArray(error)) {
    const list = error as (FieldError | undefined)[] & ErrorNode
    return { whole: list.root?.message, entries: Array.from(list, (entry) => entry?.message) }
  }
  const single = error as ErrorNode | undefined
  return { whole: single?.message ?? single?.root?.message, entries: [] }
}

/** Where an entry of a list stands in the command, which counts only those that are not empty. */
export function spotOf(
  values: DraftValues,
  fieldKey: string,
  entry: number | undefined,
): FieldSpot {
  const value = values[fieldKey]
  if (entry === undefined || !Array.isArray(value)) return { fieldKey }
  return { fieldKey, entry: value.slice(0, entry).filter((text) => text.trim() !== '').length }
}

function problemsOfField(field: FormField, error: unknown, values: DraftValues): KnownProblem[] {
  const { whole, entries } = problemsOf(error)
  const isList = field.repeated || Array.isArray(values[field.key])
  const id = fieldId(field.key)
  const atEntries = entries.flatMap((message, entry): KnownProblem[] => {
    if (message === undefined) return []
    const spot = spotOf(values, field.key, entry)
    return [{ elementId: `${id}-${entry}`, label: `${field.label} ${entry + 1}`, spot }]
  })
  if (whole === undefined) return atEntries
  const spot = { fieldKey: field.key }
  return [{ elementId: isList ? `${id}-0` : id, label: field.label, spot }, ...atEntries]
}

/** Every problem that the form shows, in the order of the page; `fields` is in that order. */
export function knownProblems(
  errors: FieldErrors<InstallDraft>,
  fields: readonly FormField[],
  values: DraftValues,
): KnownProblem[] {
  return [
    ...(errors.name ? [{ elementId: 'server-name', label: 'Server name' }] : []),
    ...fields.flatMap((field) => problemsOfField(field, errors.values?.[field.key], values)),
    ...(errors.cwd ? [{ elementId: 'working-folder', label: 'Folder to run in' }] : []),
    ...LIMIT_NAMES.flatMap((name) =>
      errors[name] ? [{ elementId: LIMITS[name].id, label: LIMITS[name].label }] : [],
    ),
  ]
}

/** Brings a control into view, unless it is there already, and gives it the focus; of a list, its first entry. */
export function focusControl(
  elementId: string,
  { scroll = true }: { scroll?: boolean } = {},
): void {
  const target = document.getElementById(elementId) ?? document.getElementById(`${elementId}-0`)
  if (scroll) target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
