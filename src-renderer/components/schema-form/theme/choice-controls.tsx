import type { FieldProps, WidgetProps } from '@rjsf/utils'
import { type ReactElement, useMemo, useState } from 'react'

import { asList } from '../../../../src-shared/domain/json-object'
import { Segmented, Select } from '../../../ui/controls/choice'
import { Combobox } from '../../../ui/fields/combobox'
import { TextInput } from '../../../ui/fields/field'
import { shortText } from '../../../ui/text/untrusted-text'
import { valueText } from '../reading/json-text'
import { controlIds } from './field-frame'

const MAX_LISTED = 60
const UNSET = ''

type Choice = { readonly value: unknown; readonly label: string }

function choicesOf({ options, schema }: WidgetProps<unknown>): readonly Choice[] {
  const { enum: values } = schema
  if (values !== undefined) return values.map((value) => ({ value, label: valueText(value) }))
  return (options.enumOptions ?? []).map(({ value, label }) => ({ value: value as unknown, label }))
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one !== undefined && JSON.stringify(one) === JSON.stringify(other))
}

/** A choice of one value, with a search if there are many. An optional value can be unset. */
export function ChoiceControl(props: WidgetProps<unknown>): ReactElement {
  const { id, onChange, required = false, disabled = false, readonly = false, label } = props
  const value: unknown = props.value
  const choices = choicesOf(props)
  if (props.multiple === true) return <ChoicesControl {...props} />
  const isKind = /__(?:any|one)of_select$/u.test(id)
  const ids = controlIds(props)
  const chosen = choices.findIndex((choice) => isSame(choice.value, value))
  const choose = (place: string): void =>
    onChange(place === UNSET ? undefined : choices[Number(place)]?.value)
  const isFixed = disabled || readonly
  if (choices.length > MAX_LISTED)
    return (
      <SearchChoice
        {...ids}
        disabled={isFixed}
        labels={choices.map((choice) => shortText(choice.label))}
        chosen={chosen}
        onChoose={(index) => choose(index === -1 ? UNSET : String(index))}
      />
    )
  const none = required
    ? { value: UNSET, label: 'Choose', disabled: true }
    : { value: UNSET, label: 'Not set' }
  return (
    <Select
      {...ids}
      {...(isKind && {
        'aria-label': `Type of ${shortText(label)}`,
        'aria-describedby': undefined,
      })}
      disabled={isFixed}
      value={chosen === -1 ? UNSET : String(chosen)}
      onValueChange={choose}
      options={[
        ...(isKind ? [] : [none]),
        ...choices.map((choice, index) => ({
          value: String(index),
          label: shortText(choice.label) || '(empty text)',
        })),
      ]}
    />
  )
}

const BOOLEAN_OPTIONS = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
] as const
const OPTIONAL_BOOLEAN = [{ value: 'unset', label: 'Not set' }, ...BOOLEAN_OPTIONS] as const

/** A choice of yes or no, and unset if the value is optional. */
export function YesNoControl(props: WidgetProps<unknown>): ReactElement {
  const { schema, onChange, required = false, label } = props
  const value: unknown = props.value
  if (schema.enum !== undefined || schema.oneOf !== undefined) return <ChoiceControl {...props} />
  const selected = typeof value === 'boolean' ? (String(value) as 'true' | 'false') : ''
  return (
    <Segmented<'true' | 'false' | 'unset'>
      {...controlIds(props)}
      label={shortText(label)}
      value={selected === '' && !required ? 'unset' : selected}
      onValueChange={(next) => onChange(next === 'unset' ? undefined : next === 'true')}
      options={required ? BOOLEAN_OPTIONS : OPTIONAL_BOOLEAN}
    />
  )
}

/** A choice of several values in the order of the choices. Of many, only the found ones are drawn. */
export function ChoicesControl(props: WidgetProps<unknown>): ReactElement {
  const { onChange, required = false, disabled = false, readonly = false, label } = props
  const value: unknown = props.value
  const { id } = controlIds(props)
  const [query, setQuery] = useState('')
  const choices = choicesOf(props)
  const chosen = asList(value)
  const isChosen = (one: unknown): boolean => chosen.some((other) => isSame(one, other))
  const toggle = (choice: Choice, isSelected: boolean): void => {
    const values = choices
      .map((one) => one.value)
      .filter((one) => (isSame(one, choice.value) ? isSelected : isChosen(one)))
    onChange(values.length === 0 && !required ? undefined : values)
  }
  const labels = choices.map((choice) => shortText(choice.label))
  const matches = matchingIndexes(labels, query)
  return (
    <div className="ring-room scroll grid max-h-52" id={id}>
      {choices.length > MAX_LISTED && (
        <TextInput
          aria-label={`Search choices for ${shortText(label)}`}
          placeholder={`Search ${choices.length} choices`}
          value={query}
          onValueChange={setQuery}
        />
      )}
      {matches.slice(0, MAX_LISTED).map((index) => {
        const choice = choices[index]
        return choice === undefined ? null : (
          <label key={index} className="flex min-h-7 min-w-0 items-center gap-2 wrap-anywhere">
            <input
              type="checkbox"
              className="check"
              disabled={disabled || readonly}
              checked={isChosen(choice.value)}
              onChange={(event) => toggle(choice, event.currentTarget.checked)}
            />
            {labels[index]}
          </label>
        )
      })}
    </div>
  )
}

/** A choice of null, and unset if the value is optional. */
export function NullField(props: FieldProps<unknown>): ReactElement {
  const { schema, formData, required = false, onChange, fieldPathId } = props
  const options = [{ value: 'null', label: 'null' }]
  return (
    <Select
      {...controlIds({ schema, required, id: fieldPathId.$id })}
      value={formData === null ? 'null' : UNSET}
      onValueChange={(next) => onChange(next === UNSET ? undefined : null, fieldPathId.path)}
      options={[
        { value: UNSET, label: required ? 'Choose' : 'Not set', disabled: required },
        ...options,
      ]}
    />
  )
}

const MAX_SHOWN = 50

type SearchChoiceProps = {
  readonly id: string
  readonly labels: readonly string[]
  /** Index of the chosen value; -1 for none. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  readonly disabled?: boolean
}

/** Returns the indexes of the labels that contain the search text, prefix matches first. */
export function matchingIndexes(labels: readonly string[], query: string): readonly number[] {
  const sought = query.trim().toLowerCase()
  const indexes = labels.map((_, place) => place)
  if (sought === '') return indexes
  const matches = indexes.filter((place) => labels[place]?.toLowerCase().includes(sought))
  const isPrefixMatch = (index: number): boolean =>
    labels[index]?.toLowerCase().startsWith(sought) === true
  return [...matches.filter(isPrefixMatch), ...matches.filter((index) => !isPrefixMatch(index))]
}

function countNote(count: number): string | undefined {
  if (count === 0) return 'No matches'
  return count > MAX_SHOWN ? `${count - MAX_SHOWN} more. Type to search.` : undefined
}

/** A search field for one of very many choices, which draws only a few at a time. */
function SearchChoice({ labels, chosen, onChoose, ...input }: SearchChoiceProps): ReactElement {
  /** The search text; undefined while no search is open. */
  const [query, setQuery] = useState<string | undefined>(undefined)
  /** Whether the user cleared the field instead of just opening it. */
  const [isEmptied, setIsEmptied] = useState(false)
  const indexes = useMemo(() => matchingIndexes(labels, query ?? ''), [labels, query])
  const shown = indexes.slice(0, MAX_SHOWN)
  const search = (next: string | undefined, isTyped = false): void => {
    setQuery(next)
    setIsEmptied(isTyped && next === '')
  }
  const closeSearch = (): void => {
    // A cleared field omits the value.
    if (isEmptied && chosen !== -1) onChoose(-1)
    search(undefined)
  }
  return (
    <Combobox
      {...input}
      takesFirst
      listLabel="Choices"
      isOpen={query !== undefined}
      onOpenChange={(isOpen) => search(isOpen ? '' : undefined)}
      options={shown.map((index) => labels[index] ?? '')}
      chosen={shown.indexOf(chosen)}
      note={countNote(indexes.length)}
      onTake={(at) => {
        onChoose(shown[at] ?? -1)
        search(undefined)
      }}
      placeholder={(isEmptied ? undefined : labels[chosen]) ?? `Search ${labels.length} choices`}
      value={query ?? labels[chosen] ?? ''}
      onValueChange={(next) => search(next, true)}
      onBlur={closeSearch}
    />
  )
}
