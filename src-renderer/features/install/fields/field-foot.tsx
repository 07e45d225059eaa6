import clsx from 'clsx'
import type { ComponentPropsWithRef, ReactElement, ReactNode } from 'react'

import type { FieldValue } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { takesList } from '../../../../src-shared/form/form-schema'
import { canBeSetEmpty, isSetEmpty, SET_EMPTY } from '../../../../src-shared/form/set-empty'
import { splitSeveral } from '../../../../src-shared/form/split-several'
import { visibleText } from '../../../ui/text/format'
import { fieldId, focusControl } from '../values/field-places'
import { type BoundField, listOf } from './field-context'

/** A button that reads like a link, for a small step at the control called `elementId`. */
export function FieldButton({
  elementId,
  isOnDemand = false,
  ...rest
}: ComponentPropsWithRef<'button'> & {
  readonly elementId: string
  /** Appears while the field has the pointer or the focus. */
  readonly isOnDemand?: boolean
}): ReactElement {
  return (
    <button
      type="button"
      className={clsx(
        'text-button bare underlined text-small font-normal text-accent',
        isOnDemand && 'on-demand',
      )}
      aria-describedby={`${elementId}-label`}
      {...rest}
    />
  )
}

/** Gives a field another value; the focus goes to the control at `at`, since the button that was pressed is gone. */
function ValueButton({
  bound: { field, onChange },
  to,
  at = field.key,
  ...rest
}: {
  readonly bound: Pick<BoundField, 'field' | 'onChange'>
  readonly to: FieldValue | null
  readonly at?: string
  readonly isOnDemand?: boolean
  readonly children: string
}): ReactElement {
  const turn = (): void => {
    onChange(to)
    focusControl(fieldId(at))
  }
  return <FieldButton elementId={fieldId(field.key)} onClick={turn} {...rest} />
}

function EmptyChoice(bound: Pick<BoundField, 'field' | 'value' | 'onChange'>): ReactElement {
  const isEmpty = isSetEmpty(bound.field, bound.value)
  return (
    <>
      {isEmpty ? <span className="text-small font-normal text-faint">set, empty</span> : null}
      <ValueButton bound={bound} to={isEmpty ? '' : SET_EMPTY} isOnDemand={!isEmpty}>
        {isEmpty ? 'Clear variable' : 'Set to empty'}
      </ValueButton>
    </>
  )
}

function UntouchedNote({ field, value }: Pick<BoundField, 'field' | 'value'>): ReactElement | null {
  if (value !== null) return null
  const isUnset = field.control === 'switch'
  const word = defaultWord(field) !== undefined ? 'default' : isUnset ? 'not set' : undefined
  return word === undefined ? null : (
    <span className="text-small font-normal text-faint">{word}</span>
  )
}

/** Beside the label: that the default applies or nothing is set, and the way to several values and back. */
export function LabelNotes(bound: BoundField): ReactElement {
  const { field, value } = bound
  const isOptionalList = takesList(field) && (!field.repeated || field.secret)
  const list = listOf({ field, value })
  // A comma may be part of a secret.
  const several = field.secret ? list : list.flatMap(splitSeveral)
  return (
    <>
      <UntouchedNote field={field} value={value} />
      {canBeSetEmpty(field) && isCleared(value ?? field.default ?? '') ? (
        <EmptyChoice {...bound} />
      ) : null}
      {isOptionalList && !Array.isArray(value) ? (
        <ValueButton
          {...{ bound, to: [...several, ''], at: `${field.key}-${several.length}` }}
          isOnDemand
        >
          Several values
        </ValueButton>
      ) : null}
      {isOptionalList && Array.isArray(value) && value.length < 2 ? (
        <ValueButton bound={bound} to={value[0] ?? ''}>
          One value
        </ValueButton>
      ) : null}
    </>
  )
}

/** Under a field: the default that is not in use with the way back to it, and the way to say nothing at all. */
export function FieldFoot(props: BoundField & { readonly more: ReactNode }): ReactElement {
  const { field, value, more } = props
  const word = defaultWord(field)
  const canUnset = field.control === 'switch' && value !== null && field.default === undefined
  return (
    <div className="gapless flex flex-wrap items-baseline gap-3 gap-y-0 text-small wrap-anywhere text-muted">
      {more}
      {word !== undefined && value !== null && (
        <>
          {isCleared(value) && <span>Empty. The default is not used.</span>}
          <span>
            Default: <code>{word}</code>
          </span>
          <ValueButton bound={props} to={null}>
            Reset to default
          </ValueButton>
        </>
      )}
      {canUnset ? (
        <ValueButton bound={props} to={null}>
          Clear
        </ValueButton>
      ) : null}
    </div>
  )
}

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
