import type { FieldProps, RJSFSchema, WidgetProps } from '@rjsf/utils'
import type { ReactElement } from 'react'
import { useState } from 'react'

import { GrowingInput } from '../../../ui/fields/growing-input'
import { TextInput } from '../../../ui/fields/text-input'
import { visibleText } from '../../../ui/text/visible-text'
import { own } from '../reading/json-object'
import { isMangled } from '../reading/json-text'
import { controlIds } from './control-ids'

/** The value of a text field as text: a value of another type, which only JSON can bring, as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function placeholderOf(schema: RJSFSchema): string | undefined {
  const examples: unknown = schema.examples
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined
  if (first !== undefined) return visibleText(textOf(first)).slice(0, 80)
  return own(schema, 'x-format') === 'date-time' ? '2026-03-31T14:30:00Z' : undefined
}

const INPUT: Readonly<Record<string, object>> = {
  date: { type: 'date' },
  password: { type: 'password' },
  email: { inputMode: 'email' },
  uri: { inputMode: 'url' },
}

/** A text; one that is emptied is left out. */
export function TextControl(props: WidgetProps<unknown>): ReactElement {
  const { schema, onChange, disabled = false, readonly = false } = props
  const shared = {
    ...controlIds(props),
    value: textOf(props.value),
    disabled,
    readOnly: readonly,
    placeholder: placeholderOf(schema),
    onValueChange: (text: string) => onChange(text === '' ? undefined : text),
  }
  const input = INPUT[schema.format ?? '']
  return input === undefined ? <GrowingInput {...shared} /> : <TextInput {...shared} {...input} />
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu

/** A number as it is sent; what is none, or would lose digits, stays a text, which the check tells. */
export function typedNumber(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const value = Number(trimmed)
  return NUMBER.test(trimmed) && Number.isFinite(value) && !isMangled(trimmed) ? value : text
}

/** A number, typed as a text so that nothing that is typed goes by itself. */
export function NumberInput(props: FieldProps<unknown>): ReactElement {
  const {
    schema,
    registry,
    formData,
    fieldPathId,
    onChange,
    disabled = false,
    readonly = false,
  } = props
  const [typed, setTyped] = useState({ text: textOf(formData), value: formData })
  const { StringField } = registry.fields
  const isChoice = registry.schemaUtils.isSelect(schema)
  if (isChoice && StringField !== undefined) return <StringField {...props} />
  const change = (text: string): void => {
    const value = typedNumber(text)
    setTyped({ text, value })
    onChange(value, fieldPathId.path)
  }
  return (
    <TextInput
      {...controlIds({ ...props, id: fieldPathId.$id })}
      inputMode="decimal"
      className="num"
      disabled={disabled}
      readOnly={readonly}
      placeholder={placeholderOf(schema)}
      value={Object.is(typed.value, formData) ? typed.text : textOf(formData)}
      onValueChange={change}
    />
  )
}
