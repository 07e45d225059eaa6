import { type FieldErrors, type FieldPath, get } from 'react-hook-form'
import type { StoreApi } from 'zustand/vanilla'

import type { PathKind } from '../../../../src-shared/domain/path-kind'
import type { FormField } from '../../../../src-shared/form/form-field'
import { isSetEmpty } from '../../../../src-shared/form/set-empty'
import { wordsSearch } from '../../../ui/text/words-search'
import { fieldPathsOf } from './custom-server-controls'
import { type DraftValues, type InstallDraft, LIMIT_NAMES, LIMITS } from './install-values'

/** A field, or one entry of a repeated field (index from 0 among the non-empty entries). */
export type FieldRef = { readonly fieldKey: string; readonly entry?: number }

/** A known problem of the form, with the element that fixes it. */
type KnownProblem = {
  readonly elementId: string
  readonly label: string
  readonly fieldRef?: FieldRef
}

/** A control of the form: its path in the draft, element, accessible name, and place in the preview. */
type FormControl = KnownProblem & { readonly path: FieldPath<InstallDraft> }

/** Returns the element id of a field's control. */
export function fieldId(fieldKey: string): string {
  return `field-${fieldKey}`
}

/** Returns which dialog a path field opens; the one for folders if unknown. */
export function pathKind(field: FormField): 'folder' | 'file' {
  return expectedKind(field) ?? 'folder'
}

type ErrorNode = { readonly message?: string; readonly root?: { readonly message?: string } }

/** Returns the problems of one field: by entry for a list, and that of the whole field. */
export function problemsOf(error: unknown): {
  readonly whole: string | undefined
  readonly entries: readonly (string | undefined)[]
} {
  const node = error as ErrorNode | undefined
  const entries = Array.isArray(error) ? Array.from(error as (ErrorNode | undefined)[]) : []
  return {
    whole: node?.message ?? node?.root?.message,
    entries: entries.map((entry) => entry?.message),
  }
}

function fieldControls(field: FormField, values: DraftValues): FormControl[] {
  const { key, label, repeated, secret } = field
  const value = isSetEmpty(field, values[key]) ? '' : values[key]
  const id = fieldId(key)
  const entries = Array.isArray(value) ? value : []
  return [
    {
      path: `values.${key}`,
      elementId: Array.isArray(value) || (repeated && !secret) ? `${id}-0` : id,
      label,
      fieldRef: { fieldKey: key },
    },
    ...entries.map((_, entry): FormControl => {
      // The command counts only non-empty entries.
      const position = entries.slice(0, entry).filter((text) => text.trim() !== '').length
      return {
        path: `values.${key}.${entry}`,
        elementId: `${id}-${entry}`,
        label: `${label} ${entry + 1}`,
        fieldRef: { fieldKey: key, entry: position },
      }
    }),
  ]
}

/** Returns every control of the form in page order; `fields` must be in that order. */
export function formControls(draft: InstallDraft, fields: readonly FormField[]): FormControl[] {
  return [
    { path: 'name', elementId: 'server-name', label: 'Server name' },
    ...(draft.customServer ? fieldPathsOf(draft.customServer) : []),
    ...fields.flatMap((field) => fieldControls(field, draft.values)),
    { path: 'cwd', elementId: 'working-folder', label: 'Working folder' },
    ...LIMIT_NAMES.map((name) => ({
      path: name,
      elementId: LIMITS[name].id,
      label: LIMITS[name].label,
    })),
  ]
}

/** Returns the places that have a problem. */
export function knownProblems(
  errors: FieldErrors<InstallDraft>,
  controls: readonly FormControl[],
): KnownProblem[] {
  return controls.filter(({ path }) => problemsOf(get(errors, path)).whole !== undefined)
}

/** Returns the place of a field, or of a custom server's part, by its preview place. */
export function controlOfField(
  controls: readonly FormControl[],
  fieldRef: string,
): FormControl | undefined {
  return controls.find(
    (place) => place.fieldRef?.fieldKey === fieldRef && place.fieldRef.entry === undefined,
  )
}

/** Returns the control with this id; for a list, its first entry. */
function controlOf(elementId: string): HTMLElement | null {
  return document.getElementById(elementId) ?? document.getElementById(`${elementId}-0`)
}

/** Focuses a control after the next render, without scrolling. */
export function focusControl(elementId: string): void {
  requestAnimationFrame(() => controlOf(elementId)?.focus({ preventScroll: true }))
}

/** View state of a form. Separate from its values, so that typing rerenders only the field. */
export type FormView = StoreApi<{
  /** The path of the focused field. */
  readonly place: string | null
  readonly isAdvancedOpen: boolean
  readonly query: string
}>

/** Scrolls to a control and focuses it, even if it is collapsed. */
export function reveal(view: FormView, elementId: string): void {
  if (!controlOf(elementId)?.checkVisibility()) view.setState({ isAdvancedOpen: true, query: '' })
  // After the next render, when the control and its problem are present.
  requestAnimationFrame(() => controlOf(elementId)?.scrollIntoView({ block: 'center' }))
  focusControl(elementId)
}

/** The fields of a form in the groups of the page, each in the entry's order. */
export type GroupedFields = {
  readonly required: readonly FormField[]
  readonly options: readonly FormField[]
  readonly advanced: readonly FormField[]
}

/** Maximum number of options that are not folded. */
const MAX_OPTIONS = 12

/** Number of fields from which a form has a search. */
export const SEARCHED_FROM = 26

/**
 * Groups the fields: required ones, options, and advanced ones. Runner options are advanced. Beyond twelve options, those with a default
 * and then the last ones are too.
 */
export function groupFields(fields: readonly FormField[]): GroupedFields {
  const optional = fields.filter(({ required }) => !required)
  const own = optional.filter(({ target }) => target.place !== 'runtimeArguments')
  const byNeed = [
    ...own.filter((field) => field.default === undefined),
    ...own.filter((field) => field.default !== undefined),
  ]
  const shown = new Set(byNeed.slice(0, MAX_OPTIONS))
  return {
    required: fields.filter(({ required }) => required),
    options: optional.filter((field) => shown.has(field)),
    advanced: optional.filter((field) => !shown.has(field)),
  }
}

/** Returns all fields in page order. */
export function pageOrder({ required, options, advanced }: GroupedFields): FormField[] {
  return [...required, ...options, ...advanced]
}

/** Whether the visible texts of a field contain every search term. */
export function matchesSearch(field: FormField, query: string): boolean {
  const { label, machineName, description, choices } = field
  return wordsSearch(query)(label, machineName, description, ...choices)
}

/** Returns the expected kind of a path, from the field or its texts; undefined if unclear. */
export function expectedKind(field: FormField): 'file' | 'folder' | undefined {
  if (field.pathKind !== undefined) return field.pathKind
  const text = `${field.label} ${field.machineName ?? ''} ${field.description ?? ''}`
  const isFile = /\bfiles?\b/i.test(text)
  const isFolder = /folder|director|\bdirs?\b/i.test(text)
  if (isFile === isFolder) return undefined
  return isFile ? 'file' : 'folder'
}

/** Returns a warning about shell syntax in a path, which is not expanded. */
export function shellPathText(path: string): string | undefined {
  if (path.startsWith('~'))
    return 'Enter the full path. The ~ for your home folder is not expanded.'
  if (/^\$|%\w+%/.test(path)) return 'Enter the full path. Variables are not expanded.'
  return undefined
}

/** Returns a warning about what is at a path; undefined if it is as expected or unknown. */
export function pathKindText(
  actual: PathKind,
  expected: 'file' | 'folder' | undefined,
): string | undefined {
  switch (actual) {
    case 'missing':
      return 'Path not found.'
    case 'denied':
      return 'You don’t have permission to read this path.'
    case 'file':
      return expected === 'folder' ? 'Choose a folder, not a file.' : undefined
    case 'folder':
      return expected === 'file' ? 'Choose a file, not a folder.' : undefined
    case 'unknown':
      return undefined
  }
}
