import clsx from 'clsx'
import type { ComponentPropsWithRef, ReactElement, ReactNode } from 'react'

import type { FieldValue } from '../../../../src-shared/domain/server-json/field-values'
import type { FormField } from '../../../../src-shared/form/form-field'
import { takesList } from '../../../../src-shared/form/form-schema'
import { canBeSetEmpty, isSetEmpty, SET_EMPTY } from '../../../../src-shared/form/set-empty'
import { splitSeveral } from '../../../../src-shared/form/split-several'
import { visibleText } from '../../../ui/text/untrusted-text'
import { fieldId, focusControl } from '../values/form-controls'
import { type BoundField, listOf } from './field-context'

/** A button styled as a link, for a small action on the control `elementId`. */
export function FieldButton({
  elementId,
  isOnDemand = false,
  ...rest
}: ComponentPropsWithRef<'button'> & {
  readonly elementId: string
  /** Whether the button shows only while the field is hovered or focused. */
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

/** Sets a field's value and focuses the control `at`, because the pressed button disappears. */
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
  const label = defaultText(field) !== undefined ? 'default' : isUnset ? 'not set' : undefined
  return label === undefined ? null : (
    <span className="text-small font-normal text-faint">{label}</span>
  )
}

/** Notes next to the label: default or unset, and the switch between one and several values. */
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

/** Actions below a field: restore the default, or set no value. */
export function FieldFooter(props: BoundField & { readonly more: ReactNode }): ReactElement {
  const { field, value, more } = props
  const label = defaultText(field)
  const canUnset = field.control === 'switch' && value !== null && field.default === undefined
  return (
    <div className="gapless flex flex-wrap items-baseline gap-3 gap-y-0 text-small wrap-anywhere text-muted">
      {more}
      {label !== undefined && value !== null && (
        <>
          {isCleared(value) && <span>Empty. The default is not used.</span>}
          <span>
            Default: <code>{label}</code>
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

/** Longer descriptions are cut and expandable. */
const LONGEST = 240
const MAX_DEFAULT_LENGTH = 80

/** Cuts a text between two words and adds an ellipsis; returns a short text with few lines unchanged. */
export function cutText(text: string, maxLength = LONGEST): string {
  const lines = text.split('\n')
  const fullText = lines.length > 4 ? lines.slice(0, 4).join('\n') : text
  if (fullText.length <= maxLength) return fullText === text ? text : `${fullText.trimEnd()}…`
  const cut = fullText.slice(0, maxLength)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > maxLength / 2 ? space : maxLength).trimEnd()}…`
}

/** Returns the text below a field: the entry's description, and the choices if no control lists them. */
export function descriptionOf(field: FormField, isList: boolean): string {
  const choices = isList && field.choices.length > 0 ? `One of ${field.choices.join(', ')}.` : ''
  return [visibleText(field.description ?? ''), visibleText(choices)].filter(Boolean).join(' ')
}

/** Returns the display form of a field's default; undefined if it has none. */
export function defaultText(field: FormField): string | undefined {
  if (field.default === undefined || field.default === '') return undefined
  if (field.secret) return 'set by the entry'
  if (field.control === 'switch') return field.default === 'true' ? 'on' : 'off'
  return cutText(visibleText(field.default), MAX_DEFAULT_LENGTH)
}

/** Whether the user emptied a field. */
export function isCleared(value: FieldValue | null): boolean {
  if (value === null) return false
  return typeof value === 'string' ? value.trim() === '' : value.every((text) => text.trim() === '')
}

/** Whether the choices are few and short enough for a segmented control; `shown` is the current value. */
export function fitsSegments(field: FormField, shown: string): boolean {
  const { choices } = field
  const letters = choices.join('').length
  const isKnown = shown === '' || choices.includes(shown)
  return choices.length <= 3 && letters <= 24 && isKnown && !choices.includes('')
}
