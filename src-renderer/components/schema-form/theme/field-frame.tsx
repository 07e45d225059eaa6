import {
  ADDITIONAL_PROPERTY_FLAG,
  type FieldTemplateProps,
  type RJSFSchema,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils'
import { X } from 'lucide-react'
import { createContext, type ReactElement, use, useState } from 'react'

import { IconButton } from '../../../ui/controls/button'
import {
  type ControlIds,
  controlIds as fieldIds,
  Label,
  ProblemText,
  TextInput,
} from '../../../ui/fields/field'
import { PlainText } from '../../../ui/text/plain-text'
import { shortText, visibleText } from '../../../ui/text/untrusted-text'
import { getOwn, valueText } from '../reading/json-text'

const MOST = 3
const LONGEST = 60

/** The examples of a schema, each with a button that fills it in. */
function ExampleButtons(props: {
  readonly schema: RJSFSchema
  readonly onChoose: (value: unknown) => void
}): ReactElement | null {
  const { schema, onChoose } = props
  const examples: unknown = schema.examples
  if (!Array.isArray(examples) || examples.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2 gap-y-1 text-small text-faint">
      <span>{examples.length === 1 ? 'Example:' : 'Examples:'}</span>
      {(examples as unknown[]).slice(0, MOST).map((example, index) => {
        const shown = visibleText(valueText(example))
        return (
          <button
            key={index}
            type="button"
            className="text-button mono rounded-lg border border-line bg-subtle wrap-anywhere text-accent"
            aria-label={`Fill in ${shown.slice(0, LONGEST)}`}
            onClick={() => onChoose(structuredClone(example))}
          >
            {shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown}
          </button>
        )
      })}
    </div>
  )
}

/** Returns the label of a field; for a list entry its position. */
export function fieldLabel(label: string, path: readonly (string | number)[]): string {
  const step = path.at(-1)
  return typeof step === 'number' ? `Entry ${step + 1}` : shortText(label)
}

/** A server's description of a field and the rules for its value, as plain text. */
export function FieldHint({
  id,
  schema,
}: Pick<FieldTemplateProps<unknown>, 'id' | 'schema'>): ReactElement | null {
  if (!hasHint(schema)) return null
  const description = descriptionOf(schema)
  const limits = limitText(schema)
  return (
    <div className="text-small text-pretty wrap-anywhere text-muted" id={`${domId(id)}-hint`}>
      {description !== '' && <PlainText text={description} />}
      {limits !== '' && <p>{limits}</p>}
    </div>
  )
}

/** The problems of a value. */
export function FieldProblems(props: {
  readonly id: string
  readonly problems: readonly string[] | undefined
}): ReactElement | null {
  const { id, problems = [] } = props
  if (problems.length === 0) return null
  // Screen readers announce the summary below the form instead.
  return (
    <ProblemText id={`${domId(id)}-problem`} alert={false}>
      {[...new Set(problems)].join(' ')}
    </ProblemText>
  )
}

/** The label of a field, with its property name if that differs. */
export function FieldLabel(props: {
  readonly id: string
  readonly label: string
  readonly path: readonly (string | number)[]
  readonly required?: boolean | undefined
  /** Whether the label belongs to a group instead of a single control. */
  readonly isGroup?: boolean
  /** Whether the label is visible elsewhere and is for screen readers only here. */
  readonly isSaid?: boolean
}): ReactElement {
  const { id, path, required = false, isGroup = false, isSaid: isVisuallyHidden = false } = props
  const name = path.at(-1)
  const label = fieldLabel(props.label, path)
  const isMember = typeof name !== 'number'
  const isOther = typeof name === 'string' && shortText(name) !== label
  return (
    <Label
      id={domId(id)}
      label={label}
      isOfOne={!isGroup}
      isSaid={isVisuallyHidden}
      note={
        required && isMember && <span className="text-small font-normal text-faint">required</span>
      }
      machineName={isOther ? shortText(name) : undefined}
    />
  )
}

/** Whether a field has several controls under one label. */
function isGroupOf({ schema }: FieldTemplateProps<unknown>): boolean {
  const { type, enum: values, anyOf, oneOf } = schema
  return (
    (type === 'boolean' && values === undefined) ||
    type === 'array' ||
    anyOf !== undefined ||
    oneOf !== undefined
  )
}

function Labelled(props: FieldTemplateProps<unknown>): ReactElement {
  const { id, schema, label, required = false, fieldPathId, rawErrors, children, onChange } = props
  const isOfKind = use(InVariant)
  const isGroup = isGroupOf(props)
  const { path } = fieldPathId
  const isAdded = ADDITIONAL_PROPERTY_FLAG in schema
  return (
    <div
      className="field grid gap-1"
      {...(isGroup && { role: 'group', 'aria-labelledby': `${domId(id)}-label` })}
    >
      <FieldLabel
        {...{ id, label, path, required, isGroup }}
        isSaid={isOfKind || isAdded || typeof path.at(-1) === 'number'}
      />
      <InVariant value={false}>{children}</InVariant>
      <FieldProblems id={id} problems={rawErrors} />
      <ExampleButtons schema={schema} onChoose={(value) => onChange(value, path)} />
      <FieldHint id={id} schema={schema} />
    </div>
  )
}

/** Whether an object consists only of variants. */
export function hasOnlyVariants({ anyOf, oneOf, properties = {} }: RJSFSchema): boolean {
  return (anyOf ?? oneOf) !== undefined && Object.keys(properties).length === 0
}

/** A field with label, hint and problems; objects and lists have their own frames. */
export function FieldFrame(props: FieldTemplateProps<unknown>): ReactElement | null {
  const { hidden = false, displayLabel = false, schema, fieldPathId, children } = props
  if (hidden) return null
  const isKindsOnly = hasOnlyVariants(schema) && fieldPathId.path.length > 0
  const hasLabel = displayLabel || schema.type === 'boolean' || isKindsOnly
  return <AddedFrame {...props}>{hasLabel ? <Labelled {...props} /> : children}</AddedFrame>
}

/** A member whose name the user enters, after its name field. */
export function AddedFrame(props: WrapIfAdditionalTemplateProps<unknown>): ReactElement {
  const { id, schema, label, children, onKeyRename, onRemoveProperty } = props
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <>{children}</>
  return (
    <div className="flex items-start gap-2">
      <div className="fit-columns min-w-0 flex-1 gap-2">
        <MemberName key={label} id={`${domId(id)}-key`} name={label} onRename={onKeyRename} />
        <div>{children}</div>
      </div>
      <IconButton
        icon={X}
        label={`Remove ${shortText(label)}`}
        onClick={() => onRemoveProperty()}
      />
    </div>
  )
}

function MemberName(props: {
  readonly id: string
  readonly name: string
  readonly onRename: (name: string) => void
}): ReactElement {
  const { id, name, onRename } = props
  const [typed, setTyped] = useState(name)
  return (
    <TextInput
      id={id}
      mono
      aria-label={`Name of ${shortText(name)}`}
      value={typed}
      onValueChange={setTyped}
      onBlur={() => typed !== name && onRename(typed)}
    />
  )
}

/** Whether the next field is the variant chosen above, so that its label is already shown. */
export const InVariant = createContext(false)

/** Returns an id without spaces, as lists of ids such as `aria-describedby` require; member names can contain spaces. */
export function domId(id: string): string {
  return id.replace(/\s/gu, '_')
}

/** Returns the attributes that link a control to its label, hint and problems; the frame uses the same ids. */
export function controlIds(props: {
  readonly id: string
  readonly schema: RJSFSchema
  readonly required?: boolean | undefined
  readonly rawErrors?: readonly string[] | undefined
}): ControlIds & { readonly 'aria-required': true | undefined } {
  const { schema, required = false, rawErrors = [] } = props
  const hint = hasHint(schema) || undefined
  return {
    ...fieldIds({ id: domId(props.id), hint, problem: rawErrors[0] }),
    'aria-required': required || undefined,
  }
}

const MAX_SHOWN_LENGTH = 200
/** Formats that the field itself makes visible. */
const SHOWN_FORMATS = new Set(['date', 'password'])

function shortValue(value: unknown): string {
  return visibleText(valueText(value).slice(0, MAX_SHOWN_LENGTH))
}

type Count = number | undefined

function span(min: Count, max: Count, singular: string, plural: string): string {
  const noun = (count: number): string => (count === 1 ? singular : plural)
  if (min !== undefined && min === max) return `Exactly ${min} ${noun(min)}.`
  if (min !== undefined && max !== undefined) return `${min} to ${max} ${noun(max)}.`
  if (min !== undefined) return `At least ${min} ${noun(min)}.`
  return max === undefined ? '' : `At most ${max} ${noun(max)}.`
}

function range(schema: RJSFSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const isSpan = minimum !== undefined && maximum !== undefined
  const bounds = [
    isSpan ? `${minimum} to ${maximum}` : '',
    isSpan || minimum === undefined ? '' : `${minimum} or more`,
    isSpan || maximum === undefined ? '' : `${maximum} or less`,
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `less than ${exclusiveMaximum}`,
    multipleOf === undefined ? '' : `a multiple of ${multipleOf}`,
  ].filter(Boolean)
  const text = bounds.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function patternText(schema: RJSFSchema): string {
  if (schema.pattern === undefined) return ''
  const isUntried = getOwn(schema, 'x-untried') === true
  return `Must match ${shortValue(schema.pattern)}${isUntried ? ' (checked by the server)' : ''}.`
}

function formatText(schema: RJSFSchema): string {
  const format = getOwn(schema, 'x-format')
  return typeof format !== 'string' || SHOWN_FORMATS.has(format)
    ? ''
    : `Format: ${shortValue(format)}.`
}

function limitText(schema: RJSFSchema): string {
  const { minLength, maxLength, minItems, maxItems } = schema
  const why = getOwn(schema, 'x-why')
  return [
    typeof why === 'string' ? visibleText(why) : '',
    range(schema),
    // `required` already says that one character is needed.
    span(
      minLength === 0 || minLength === 1 ? undefined : minLength,
      maxLength,
      'character',
      'characters',
    ),
    span(minItems === 0 ? undefined : minItems, maxItems, 'entry', 'entries'),
    patternText(schema),
    formatText(schema),
  ]
    .filter(Boolean)
    .join(' ')
}

function descriptionOf({ description }: RJSFSchema): string {
  return typeof description === 'string' ? description.trim() : ''
}

function hasHint(schema: RJSFSchema): boolean {
  return descriptionOf(schema) !== '' || limitText(schema) !== ''
}
