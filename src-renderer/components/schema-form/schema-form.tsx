import Form, { type FormProps, type IChangeEvent } from '@rjsf/core/lib/components/Form.js'
import {
  englishStringTranslator,
  type Experimental_DefaultFormStateBehavior,
  type FieldProps,
  type RJSFSchema,
  TranslatableString,
  type UiSchema,
  type WidgetProps,
} from '@rjsf/utils'
import { memo, type ReactElement, useCallback, useId, useMemo, useState } from 'react'

import { CodeArea, GrowingInput, ProblemText, TextInput } from '../../ui/fields/field'
import { visibleText } from '../../ui/text/untrusted-text'
import type { ValueProblem } from './checking/problem-messages'
import { errorSchemaOf, interpretingValidator } from './checking/validator'
import {
  asRaw,
  faultMessage,
  getOwn,
  losesDigits,
  prettyJson,
  rawText,
  readJson,
  valueText,
} from './reading/json-text'
import { ChoiceControl, ChoicesControl, NullField, YesNoControl } from './theme/choice-controls'
import { AddedFrame, controlIds, domId, FieldFrame } from './theme/field-frame'
import {
  EntryButtons,
  EntryFrame,
  ListFrame,
  ObjectFrame,
  OptionalControls,
  VariantsFrame,
} from './theme/group-frames'

/** The form starts with `startValues`; parts added later start with their required values. */
const DEFAULTS: Experimental_DefaultFormStateBehavior = {
  emptyObjectFields: 'populateRequiredDefaults',
  arrayMinItems: { populate: 'requiredOnly' },
  requiredBooleanDefault: 'skip',
  constAsDefaults: 'always',
}
const OPTIONS: UiSchema<unknown> = {
  'ui:globalOptions': {
    enableMarkdownInDescription: false,
    enableMarkdownInHelp: false,
    enableOptionalDataFieldForType: ['object'],
    deprecatedHandling: 'label',
  },
  // The root object is always present, even if nothing is filled in.
  'ui:options': { enableOptionalDataFieldForType: [] },
}

/** Translates the library's labels. A new text starts empty: otherwise the label would be sent as its value. */
function translate(text: TranslatableString, params?: string[]): string {
  return text === TranslatableString.NewStringDefault ? '' : englishStringTranslator(text, params)
}

/** A form for a JSON Schema. The form keeps its values itself: to replace them, change its `key`. */
export const SchemaForm = memo(function SchemaForm(props: {
  /** From `formModel`. */
  readonly schema: RJSFSchema
  readonly start: Readonly<Record<string, unknown>>
  readonly problems: readonly ValueProblem[]
  /** Called with the values. An omitted member may be present as undefined. */
  readonly onChange: (values: unknown) => void
}): ReactElement {
  const { schema, start, problems, onChange } = props
  const idPrefix = useId()
  const extraErrors = useMemo(() => errorSchemaOf(problems), [problems])
  const change = useCallback(
    ({ formData }: IChangeEvent<unknown>) => onChange(formData),
    [onChange],
  )
  return (
    <Form<unknown>
      tagName="div"
      idPrefix={idPrefix}
      idSeparator="/"
      schema={schema}
      uiSchema={OPTIONS}
      initialFormData={start}
      validator={interpretingValidator}
      translateString={translate}
      extraErrors={extraErrors}
      showErrorList={false}
      experimental_defaultFormStateBehavior={DEFAULTS}
      onChange={change}
      {...formTheme}
    >
      <></>
    </Form>
  )
})

type Theme = Required<Pick<FormProps<unknown>, 'templates' | 'fields' | 'widgets'>>

/** Widgets of the library that a text input replaces. */
const TEXTS = 'Text Textarea Email URL Date DateTime Time Password Color File'.split(' ')

function nothing(): null {
  return null
}

/** Theme of the form: our own components only, with a server's texts as plain text. */
const formTheme: Theme = {
  templates: {
    FieldTemplate: FieldFrame,
    WrapIfAdditionalTemplate: AddedFrame,
    ObjectFieldTemplate: ObjectFrame,
    OptionalDataControlsTemplate: OptionalControls,
    MultiSchemaFieldTemplate: VariantsFrame,
    CyclicSchemaExpandTemplate: nothing,
    ArrayFieldTemplate: ListFrame,
    ArrayFieldItemTemplate: EntryFrame,
    ArrayFieldItemButtonsTemplate: EntryButtons,
    // The frames show these themselves.
    DescriptionFieldTemplate: nothing,
    FieldErrorTemplate: nothing,
    FieldHelpTemplate: nothing,
    ErrorListTemplate: nothing,
    UnsupportedFieldTemplate: nothing,
  },
  fields: { NumberField: NumberInput, FallbackField: JsonField, NullField },
  widgets: {
    ...Object.fromEntries(TEXTS.map((kind) => [`${kind}Widget`, TextControl])),
    SelectWidget: ChoiceControl,
    RadioWidget: ChoiceControl,
    CheckboxWidget: YesNoControl,
    CheckboxesWidget: ChoicesControl,
  },
}

function written(value: unknown): string {
  return value === undefined ? '' : (rawText(value) ?? prettyJson(value))
}

/** Keeps the typed text for a value until the value changes from outside. */
function useTyped(
  value: unknown,
  write: (value: unknown) => string,
): [text: string, type: (text: string, value: unknown) => void] {
  const [typed, setTyped] = useState({ text: write(value), value })
  return [
    Object.is(typed.value, value) ? typed.text : write(value),
    (text, read) => setTyped({ text, value: read }),
  ]
}

/** A value of any type, edited as JSON. Invalid input stays as typed and is not sent. */
function JsonField(props: FieldProps<unknown>): ReactElement {
  const { schema, formData, fieldPathId, onChange, required = false, rawErrors } = props
  const [text, type] = useTyped(formData, written)
  const read = text.trim() === '' ? undefined : readJson(text)
  const change = (next: string): void => {
    const parsed = next.trim() === '' ? undefined : readJson(next)
    const value = parsed?.kind === 'fault' ? asRaw(next) : parsed?.value
    type(next, value)
    onChange(value, fieldPathId.path)
  }
  const id = domId(fieldPathId.$id)
  return (
    <>
      <CodeArea
        {...controlIds({ schema, required, rawErrors, id: fieldPathId.$id })}
        rows={2}
        placeholder='JSON, such as "text", 12 or {"a": 1}'
        value={text}
        onValueChange={change}
      />
      {read?.kind === 'fault' && <ProblemText id={`${id}-json`}>{faultMessage(read)}</ProblemText>}
    </>
  )
}

/** Returns the text of a text field; a value of another type, which only JSON input can set, as JSON. */
function textOf(value: unknown): string {
  return value === null ? '' : valueText(value)
}

function placeholderOf(schema: RJSFSchema): string | undefined {
  const examples: unknown = schema.examples
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined
  if (first !== undefined) return visibleText(textOf(first)).slice(0, 80)
  return getOwn(schema, 'x-format') === 'date-time' ? '2026-03-31T14:30:00Z' : undefined
}

const INPUT: Readonly<Record<string, object>> = {
  date: { type: 'date' },
  password: { type: 'password' },
  email: { inputMode: 'email' },
  uri: { inputMode: 'url' },
}

/** A text input; an emptied text is omitted. */
function TextControl(props: WidgetProps<unknown>): ReactElement {
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

/** Parses a number. Input that is no number or would lose digits stays a text, which the check reports. */
export function typedNumber(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const value = Number(trimmed)
  return NUMBER.test(trimmed) && Number.isFinite(value) && !losesDigits(trimmed) ? value : text
}

/** A number, edited as text so that no input is lost. */
function NumberInput(props: FieldProps<unknown>): ReactElement {
  const { schema, registry, formData, fieldPathId, onChange } = props
  const [shown, type] = useTyped(formData, textOf)
  const { StringField } = registry.fields
  const isChoice = registry.schemaUtils.isSelect(schema)
  if (isChoice && StringField !== undefined) return <StringField {...props} />
  const change = (text: string): void => {
    const value = typedNumber(text)
    type(text, value)
    onChange(value, fieldPathId.path)
  }
  return (
    <TextInput
      {...controlIds({ ...props, id: fieldPathId.$id })}
      inputMode="decimal"
      className="tabular-nums"
      disabled={props.disabled}
      readOnly={props.readonly}
      placeholder={placeholderOf(schema)}
      value={shown}
      onValueChange={change}
    />
  )
}
