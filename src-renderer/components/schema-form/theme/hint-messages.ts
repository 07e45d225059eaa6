import type { RJSFSchema } from '@rjsf/utils'

import { visibleText } from '../../../ui/text/visible-text'
import { own } from '../reading/json-object'

const LONGEST = 200
/** Formats that their field shows by itself. */
const SHOWN_FORMATS = new Set(['date', 'password'])

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined)
  return visibleText((text ?? '').slice(0, LONGEST))
}

type Count = number | undefined

function span(least: Count, most: Count, one: string, many: string): string {
  const word = (count: number): string => (count === 1 ? one : many)
  if (least !== undefined && least === most) return `Exactly ${least} ${word(least)}.`
  if (least !== undefined && most !== undefined) return `${least} to ${most} ${word(most)}.`
  if (least !== undefined) return `At least ${least} ${word(least)}.`
  return most === undefined ? '' : `At most ${most} ${word(most)}.`
}

function range({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: RJSFSchema): string {
  const isSpan = minimum !== undefined && maximum !== undefined
  const bounds = [
    isSpan ? `${minimum} to ${maximum}` : '',
    isSpan || minimum === undefined ? '' : `${minimum} or more`,
    isSpan || maximum === undefined ? '' : `${maximum} or less`,
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `less than ${exclusiveMaximum}`,
    multipleOf === undefined ? '' : `a multiple of ${multipleOf}`,
  ].filter(Boolean)
  const words = bounds.join(', ')
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function patternWords(schema: RJSFSchema): string {
  if (schema.pattern === undefined) return ''
  const isUntried = own(schema, 'x-untried') === true
  return `Must match ${shown(schema.pattern)}${isUntried ? ' (checked by the server)' : ''}.`
}

function formatWords(schema: RJSFSchema): string {
  const format = own(schema, 'x-format')
  return typeof format !== 'string' || SHOWN_FORMATS.has(format) ? '' : `Format: ${shown(format)}.`
}

/** What a value must be, in a few words; empty where anything of the type will do. */
export function limitWords(schema: RJSFSchema): string {
  const { minLength, maxLength, minItems, maxItems } = schema
  const why = own(schema, 'x-why')
  return [
    typeof why === 'string' ? visibleText(why) : '',
    range(schema),
    // One character at least is what `required` says already.
    span(
      minLength === 0 || minLength === 1 ? undefined : minLength,
      maxLength,
      'character',
      'characters',
    ),
    span(minItems === 0 ? undefined : minItems, maxItems, 'entry', 'entries'),
    patternWords(schema),
    formatWords(schema),
  ]
    .filter(Boolean)
    .join(' ')
}

/** A server's words on a field; empty where there are none. */
export function descriptionOf({ description }: RJSFSchema): string {
  return typeof description === 'string' ? description.trim() : ''
}

/** Whether a field has a hint below it. */
export function hasHint(schema: RJSFSchema): boolean {
  return descriptionOf(schema) !== '' || limitWords(schema) !== ''
}
