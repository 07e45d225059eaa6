import type { FieldValue } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { visibleText } from '../../../ui/text/visible-text'

/** A longer description is cut, and shown whole on demand. */
const LONGEST = 240
const LONGEST_DEFAULT = 80

/** A text cut between two words, with an ellipsis; unchanged when it is short or has few lines. */
export function cutText(text: string, longest = LONGEST): string {
  const lines = text.split('\n')
  const whole = lines.length > 4 ? lines.slice(0, 4).join('\n') : text
  if (whole.length <= longest) return whole === text ? text : `${whole.trimEnd()}…`
  const cut = whole.slice(0, longest)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > longest / 2 ? space : longest).trimEnd()}…`
}

/** The words under a field: the entry's description, and the choices where no list shows them. */
export function descriptionOf(field: FormField, isList: boolean): string {
  const choices = isList && field.choices.length > 0 ? `One of ${field.choices.join(', ')}.` : ''
  return [visibleText(field.description ?? ''), visibleText(choices)].filter(Boolean).join(' ')
}

/** How the default of a field is said; undefined where it has none. */
export function defaultWord(field: FormField): string | undefined {
  if (field.default === undefined || field.default === '') return undefined
  if (field.secret) return 'set by the entry'
  if (field.control === 'switch') return field.default === 'true' ? 'on' : 'off'
  return cutText(visibleText(field.default), LONGEST_DEFAULT)
}

/** Whether the user emptied a field. */
export function isCleared(value: FieldValue | null): boolean {
  if (value === null) return false
  return typeof value === 'string' ? value.trim() === '' : value.every((text) => text.trim() === '')
}

/** Whether a few short choices can stand side by side; `shown` is the value in sight. */
export function fitsSegments(field: FormField, shown: string): boolean {
  const { choices } = field
  const letters = choices.join('').length
  const isKnown = shown === '' || choices.includes(shown)
  return choices.length <= 3 && letters <= 24 && isKnown && !choices.includes('')
}
