import type { FormField } from '../../../../src-shared/form/form-field'

/** The fields of a form in the groups of the page, each in the order in which the entry declares them. */
export type GroupedFields = {
  readonly required: readonly FormField[]
  readonly options: readonly FormField[]
  /** Folded away at first. */
  readonly advanced: readonly FormField[]
}

/** As many options as can be looked over at once. */
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
