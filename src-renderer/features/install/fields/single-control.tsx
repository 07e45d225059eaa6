import type { ReactElement } from 'react'

import type { FormField } from '../../../../src-shared/form/form-field'
import { Segmented } from '../../../ui/controls/segmented'
import { Select } from '../../../ui/controls/select'
import type { ControlIds } from '../../../ui/fields/field'
import { PathInput } from '../../../ui/fields/path-input'
import { GrowingInput } from '../../../ui/fields/text-input'
import { TextInput } from '../../../ui/fields/text-input'

type SingleControlProps = {
  readonly ids: ControlIds
  readonly field: FormField
  /** Null while untouched: the default is shown. */
  readonly value: string | null
  /** Its choices stand side by side. */
  readonly isGroup: boolean
  readonly onValueChange: (value: string) => void
  readonly onBlur: () => void
  readonly pickPath: (() => Promise<string | null>) | undefined
}

/** The entries of a choice list: the registry's choices, a way to say nothing, and what is set though it is no choice. */
function optionsOf(
  field: FormField,
  shown: string,
): { value: string; label: string; disabled?: boolean }[] {
  const options = field.choices.map((choice) => ({ value: choice, label: choice }))
  const foreign = shown !== '' && !field.choices.includes(shown)
  return [
    ...(field.required
      ? [{ value: '', label: 'Choose', disabled: true }]
      : [{ value: '', label: 'Not set' }]),
    ...options,
    ...(foreign ? [{ value: shown, label: `${shown} (not a choice)` }] : []),
  ]
}

/** No choice of a registry holds a NUL. */
const NOT_SET = '\0'

function segmentsOf(field: FormField): { value: string; label: string }[] {
  const choices = field.choices.map((choice) => ({ value: choice, label: choice }))
  return field.required ? choices : [{ value: NOT_SET, label: 'Not set' }, ...choices]
}

function Segments(props: SingleControlProps & { readonly shown: string }): ReactElement {
  const { ids, field, shown, onValueChange } = props
  return (
    <Segmented
      {...ids}
      label={field.label}
      aria-required={field.required || undefined}
      value={shown === '' && !field.required ? NOT_SET : shown}
      onValueChange={(next) => onValueChange(next === NOT_SET ? '' : next)}
      options={segmentsOf(field)}
    />
  )
}

/** The control of a field that takes one plain value. */
export function SingleControl(props: SingleControlProps): ReactElement {
  const { ids, field, isGroup, onValueChange, onBlur, pickPath } = props
  const shown = props.value ?? field.default ?? ''
  const shared = {
    ...ids,
    'aria-required': field.required || undefined,
    value: shown,
    onValueChange,
    onBlur,
  }
  async function browse(): Promise<void> {
    const path = await pickPath?.()
    if (typeof path === 'string') onValueChange(path)
  }

  switch (field.control) {
    case 'choice':
      return isGroup ? (
        <Segments {...props} shown={shown} />
      ) : (
        <Select {...shared} options={optionsOf(field, shown)} />
      )
    case 'path':
      return (
        <PathInput
          {...shared}
          placeholder={field.placeholder}
          onBrowse={pickPath ? () => void browse() : undefined}
        />
      )
    case 'number':
      return (
        <TextInput
          {...shared}
          inputMode="decimal"
          className="num brief"
          placeholder={field.placeholder}
        />
      )
    case 'switch':
    case 'text':
      return <GrowingInput {...shared} placeholder={field.placeholder} />
  }
}
