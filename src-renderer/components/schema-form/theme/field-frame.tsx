import {
  ADDITIONAL_PROPERTY_FLAG,
  type FieldTemplateProps,
  type RJSFSchema,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils'
import { X } from 'lucide-react'
import { createContext, type ReactElement, use, useState } from 'react'

import { IconButton } from '../../../ui/controls/icon-button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { TextInput } from '../../../ui/fields/text-input'
import { PlainText } from '../../../ui/text/plain-text'
import { shortText, visibleText } from '../../../ui/text/visible-text'
import { descriptionOf, hasHint, limitWords } from './hint-messages'

const MOST = 3
const LONGEST = 60

/** The examples of a schema, each to fill it in with one press. */
function ExampleButtons({
  schema,
  onChoose,
}: {
  readonly schema: RJSFSchema
  readonly onChoose: (value: unknown) => void
}): ReactElement | null {
  const examples: unknown = schema.examples
  if (!Array.isArray(examples) || examples.length === 0) return null
  return (
    <div className="row wrap gap-2 rows-1 faint small">
      <span>{examples.length === 1 ? 'Example:' : 'Examples:'}</span>
      {(examples as unknown[]).slice(0, MOST).map((example, index) => {
        const text = typeof example === 'string' ? example : JSON.stringify(example)
        const shown = visibleText(text)
        return (
          <button
            key={index}
            type="button"
            className="text-button accent box subtle mono break"
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

/** What a field is called: an entry of a list by its place. */
export function fieldLabel(label: string, path: readonly (string | number)[]): string {
  const step = path.at(-1)
  return typeof step === 'number' ? `Entry ${step + 1}` : shortText(label)
}

/** A server's words on a field and what its value must be, as plain text. */
export function FieldHint({
  id,
  schema,
}: Pick<FieldTemplateProps<unknown>, 'id' | 'schema'>): ReactElement | null {
  if (!hasHint(schema)) return null
  const description = descriptionOf(schema)
  const limits = limitWords(schema)
  return (
    <div className="soft small pretty break" id={`${domId(id)}-hint`}>
      {description !== '' && <PlainText text={description} />}
      {limits !== '' && <p>{limits}</p>}
    </div>
  )
}

/** Why a value does not fit. */
export function FieldProblems({
  id,
  problems = [],
}: {
  readonly id: string
  readonly problems: readonly string[] | undefined
}): ReactElement | null {
  if (problems.length === 0) return null
  // What is announced is the summary below the form.
  return (
    <ProblemText id={`${domId(id)}-problem`} alert={false}>
      {[...new Set(problems)].join(' ')}
    </ProblemText>
  )
}

/** Label, and what the machine calls it where that is another word. */
export function FieldLabel(props: {
  readonly id: string
  readonly label: string
  readonly name: string | number | undefined
  readonly isRequired: boolean
  /** What it labels is no single control. */
  readonly isGroup?: boolean
  /** It was said before, and is for those alone who cannot see that. */
  readonly isSaid?: boolean
}): ReactElement {
  const { label, name, isRequired, isGroup = false, isSaid = false } = props
  const id = domId(props.id)
  const isOther = typeof name === 'string' && shortText(name) !== label
  return (
    <div className={isSaid ? 'sr' : 'label flex at-base gap-2 slim medium'}>
      {isGroup ? (
        <span id={`${id}-label`}>{label}</span>
      ) : (
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
      )}
      {isRequired && <span className="faint regular small">required</span>}
      {isOther && (
        <span className="from half mono regular faint cut to-end" title={shortText(name)}>
          {shortText(name)}
        </span>
      )}
    </div>
  )
}

/** Several controls under one label, or one that is no single element. */
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
  const isOfKind = use(InKind)
  const isGroup = isGroupOf(props)
  const { path } = fieldPathId
  const isAdded = ADDITIONAL_PROPERTY_FLAG in schema
  return (
    <div
      className="field stack gap-1"
      {...(isGroup && { role: 'group', 'aria-labelledby': `${domId(id)}-label` })}
    >
      <FieldLabel
        id={id}
        label={fieldLabel(label, path)}
        name={path.at(-1)}
        isRequired={required && typeof path.at(-1) !== 'number'}
        isGroup={isGroup}
        isSaid={isOfKind || isAdded || typeof path.at(-1) === 'number'}
      />
      <InKind value={false}>{children}</InKind>
      <FieldProblems id={id} problems={rawErrors} />
      <ExampleButtons schema={schema} onChoose={(value) => onChange(value, path)} />
      <FieldHint id={id} schema={schema} />
    </div>
  )
}

/** Whether an object has nothing but kinds to choose from. */
export function isOfKindsOnly({ anyOf, oneOf, properties = {} }: RJSFSchema): boolean {
  return (anyOf ?? oneOf) !== undefined && Object.keys(properties).length === 0
}

/** A field with its label, hint and problem; objects and lists bring their own. */
export function FieldFrame(props: FieldTemplateProps<unknown>): ReactElement | null {
  const { hidden = false, displayLabel = false, schema, fieldPathId, children } = props
  if (hidden) return null
  const isKindsOnly = isOfKindsOnly(schema) && fieldPathId.path.length > 0
  const hasLabel = displayLabel || schema.type === 'boolean' || isKindsOnly
  return <AddedFrame {...props}>{hasLabel ? <Labelled {...props} /> : children}</AddedFrame>
}

/** A member whose name the user gives, with the name before it. */
export function AddedFrame(props: WrapIfAdditionalTemplateProps<unknown>): ReactElement {
  const { id, schema, label, children, onKeyRename, onRemoveProperty } = props
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <>{children}</>
  return (
    <div className="row at-top gap-2">
      <div className="beside gap-2 grow">
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

/** Whether the next field stands for the kind that was chosen above it, so that its label was said already. */
export const InKind = createContext(false)

/** An id that can stand in a list of ids, as `aria-describedby` is one: names of members can hold spaces. */
export function domId(id: string): string {
  return id.replace(/\s/gu, '_')
}

/** What a control needs to be read together with its label, hint and problem; its frame draws those under the same ids. */
export function controlIds(props: {
  readonly id: string
  readonly schema: RJSFSchema
  readonly required?: boolean | undefined
  readonly rawErrors?: readonly string[] | undefined
}): {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly 'aria-required': true | undefined
} {
  const { schema, required = false, rawErrors = [] } = props
  const id = domId(props.id)
  const isFaulty = rawErrors.length > 0
  const described = [hasHint(schema) ? `${id}-hint` : '', isFaulty ? `${id}-problem` : '']
  return {
    id,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': isFaulty || undefined,
    'aria-required': required || undefined,
  }
}
