import { type FieldErrors, type FieldPath, get } from 'react-hook-form'
import { createStore, type StoreApi } from 'zustand/vanilla'

import type { PathKind } from '../../../../src-shared/domain/path-kind'
import type { FormField } from '../../../../src-shared/form/form-field'
import { isSetEmpty } from '../../../../src-shared/form/set-empty'
import { fieldPathsOf } from './hand-places'
import { type DraftValues, type InstallDraft, LIMIT_NAMES, LIMITS } from './install-values'

/** A field, or one entry of a repeated field (counted from 0 among the entries that are not empty). */
export type FieldSpot = { readonly fieldKey: string; readonly entry?: number }

/** One problem that the form knows of, with the element that fixes it. */
export type KnownProblem = {
  readonly elementId: string
  readonly label: string
  readonly spot?: FieldSpot
}

/** A control of the form: its path in the draft, its element, its spoken name, and where it stands in the preview. */
type Place = KnownProblem & { readonly path: FieldPath<InstallDraft> }

/** Element id of a field's control. */
export function fieldId(fieldKey: string): string {
  return `field-${fieldKey}`
}

/** Which dialog a path field opens; that for folders where nothing tells. */
export function pathKind(field: FormField): 'folder' | 'file' {
  return expectedKind(field) ?? 'folder'
}

type ErrorNode = { readonly message?: string; readonly root?: { readonly message?: string } }

/** Problems of one field: by entry where it is a list, and the one of the field as a whole. */
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

function fieldPlaces(field: FormField, values: DraftValues): Place[] {
  const { key, label, repeated, secret } = field
  const value = isSetEmpty(field, values[key]) ? '' : values[key]
  const id = fieldId(key)
  const entries = Array.isArray(value) ? value : []
  return [
    {
      path: `values.${key}`,
      elementId: Array.isArray(value) || (repeated && !secret) ? `${id}-0` : id,
      label,
      spot: { fieldKey: key },
    },
    ...entries.map((_, entry): Place => {
      // The command counts only those that are not empty.
      const place = entries.slice(0, entry).filter((text) => text.trim() !== '').length
      return {
        path: `values.${key}.${entry}`,
        elementId: `${id}-${entry}`,
        label: `${label} ${entry + 1}`,
        spot: { fieldKey: key, entry: place },
      }
    }),
  ]
}

/** Every control of the form, in the order of the page; `fields` is in that order. */
export function placesOf(draft: InstallDraft, fields: readonly FormField[]): Place[] {
  return [
    { path: 'name', elementId: 'server-name', label: 'Server name' },
    ...(draft.hand ? fieldPathsOf(draft.hand) : []),
    ...fields.flatMap((field) => fieldPlaces(field, draft.values)),
    { path: 'cwd', elementId: 'working-folder', label: 'Working folder' },
    ...LIMIT_NAMES.map((name) => ({
      path: name,
      elementId: LIMITS[name].id,
      label: LIMITS[name].label,
    })),
  ]
}

/** Those of the places that have a problem. */
export function knownProblems(
  errors: FieldErrors<InstallDraft>,
  places: readonly Place[],
): KnownProblem[] {
  return places.filter(({ path }) => problemsOf(get(errors, path)).whole !== undefined)
}

/** The place of a field, or of what a server made manually has at that spot. */
export function placeOfSpot(places: readonly Place[], spot: string): Place | undefined {
  return places.find((place) => place.spot?.fieldKey === spot && place.spot.entry === undefined)
}

/** The control called so; of a list, its first entry. */
function controlOf(elementId: string): HTMLElement | null {
  return document.getElementById(elementId) ?? document.getElementById(`${elementId}-0`)
}

/** Gives a control the focus once the next drawing is done, where it stands. */
export function focusControl(elementId: string): void {
  requestAnimationFrame(() => controlOf(elementId)?.focus({ preventScroll: true }))
}

/** What of a form is in sight. */
type FormViewState = {
  /** The path of what has the focus. */
  readonly place: string | null
  readonly isAdvancedOpen: boolean
  /** The search among the fields. */
  readonly query: string
}

/** The view of one form, apart from its values, so that typing draws nothing but the field. */
export type FormView = StoreApi<FormViewState>

/** A form as it opens. */
export function createFormView(): FormView {
  return createStore<FormViewState>(() => ({ place: null, isAdvancedOpen: false, query: '' }))
}

/** Brings a control into view and gives it the focus, wherever it is folded away. */
export function reveal(view: FormView, elementId: string): void {
  if (!controlOf(elementId)?.checkVisibility()) view.setState({ isAdvancedOpen: true, query: '' })
  // After the next drawing, when it is there and its problem stands at it.
  requestAnimationFrame(() => controlOf(elementId)?.scrollIntoView({ block: 'center' }))
  focusControl(elementId)
}

/** The fields of a form in the groups of the page, each in the order in which the entry declares them. */
export type GroupedFields = {
  readonly required: readonly FormField[]
  readonly options: readonly FormField[]
  /** Folded away at first. */
  readonly advanced: readonly FormField[]
}

/** As many options as can be looked over at a time. */
const MOST_OPTIONS = 12

/** From how many fields on a form can be searched. */
export const SEARCHED_FROM = 26

/**
 * Required fields, options, and what few people change: options of the runner, and of the others those beyond
 * twelve, where those with a default go first and then the last ones.
 */
export function groupFields(fields: readonly FormField[]): GroupedFields {
  const optional = fields.filter(({ required }) => !required)
  const own = optional.filter(({ target }) => target.place !== 'runtimeArguments')
  const byNeed = [
    ...own.filter((field) => field.default === undefined),
    ...own.filter((field) => field.default !== undefined),
  ]
  const shown = new Set(byNeed.slice(0, MOST_OPTIONS))
  return {
    required: fields.filter(({ required }) => required),
    options: optional.filter((field) => shown.has(field)),
    advanced: optional.filter((field) => !shown.has(field)),
  }
}

/** Every field in the order of the page. */
export function pageOrder({ required, options, advanced }: GroupedFields): FormField[] {
  return [...required, ...options, ...advanced]
}

/** Whether each word of a search stands in what the user sees of a field. */
export function matchesSearch(field: FormField, query: string): boolean {
  const { label, machineName = '', description = '', choices } = field
  const text = [label, machineName, description, ...choices].join(' ').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** What is to be at the path of a field, as far as it or its words tell. */
export function expectedKind(field: FormField): 'file' | 'folder' | undefined {
  if (field.pathKind !== undefined) return field.pathKind
  const words = `${field.label} ${field.machineName ?? ''} ${field.description ?? ''}`
  const isFile = /\bfiles?\b/i.test(words)
  const isFolder = /folder|director|\bdirs?\b/i.test(words)
  if (isFile === isFolder) return undefined
  return isFile ? 'file' : 'folder'
}

/** What a shell would make of a path, which nothing does here. */
export function shellPathWords(path: string): string | undefined {
  if (path.startsWith('~'))
    return 'Enter the full path. The ~ for your home folder is not expanded.'
  if (/^\$|%\w+%/.test(path)) return 'Enter the full path. Variables are not expanded.'
  return undefined
}

/** What is worth knowing of what is at a path; undefined when it is as expected or nothing is known. */
export function foundPathWords(
  found: PathKind,
  expected: 'file' | 'folder' | undefined,
): string | undefined {
  switch (found) {
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
