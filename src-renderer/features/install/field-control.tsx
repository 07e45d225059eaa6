import type { ReactElement } from 'react'
import type { Control } from 'react-hook-form'
import { useController } from 'react-hook-form'

import type { FieldValue } from '../../../src-shared/domain/field-values'
import type { FormField } from '../../../src-shared/form/form-field'
import { takesList } from '../../../src-shared/form/form-schema'
import { call } from '../../ipc/call'
import { Field, GroupField, InlineField } from '../../ui/field'
import { ListEditor } from '../../ui/list-editor'
import { SecretInput } from '../../ui/secret-input'
import { Switch } from '../../ui/switch'
import { fieldId, pathKind, problemsOf } from './field-places'
import type { CheckedDraft, InstallDraft } from './install-values'
import { SingleControl } from './single-control'

/** The form's control object, as React Hook Form hands it down. */
export type InstallControl = Control<InstallDraft, unknown, CheckedDraft>

/** What fields need to know of the app around them. */
export type FieldContext = {
  readonly control: InstallControl
  readonly canPickPath: boolean
  /** Secrets are held in memory only and end with this run. */
  readonly secretsInMemory: boolean
  /** Where a saved secret is, in words; undefined for a field that has none. */
  readonly savedText: (fieldKey: string) => string | undefined
  /** Checks one field after it was left. */
  readonly check: (fieldKey: string) => void
}

/** A field with its value and how it can be changed; null is untouched. */
type BoundField = {
  readonly field: FormField
  readonly context: FieldContext
  readonly value: FieldValue | null
  readonly error: unknown
  readonly onChange: (value: FieldValue | null) => void
}

function textOf(value: FieldValue | null): string | null {
  return Array.isArray(value) ? (value[0] ?? '') : value
}

/** The words under a field: the registry's description, and the choices where no list shows them. */
function hintOf(field: FormField, isList: boolean): ReactElement | undefined {
  const choices = isList && field.choices.length > 0 ? `One of ${field.choices.join(', ')}.` : ''
  const text = [field.description ?? '', choices].filter(Boolean).join(' ')
  return text === '' ? undefined : <span className="clamped">{text}</span>
}

function describe(
  { field, error }: BoundField,
  isList: boolean,
): { id: string; label: string; machineName?: string; hint?: ReactElement; problem?: string } {
  return {
    id: fieldId(field.key),
    label: field.label,
    machineName: field.machineName,
    hint: hintOf(field, isList),
    problem: problemsOf(error).whole,
  }
}

function pickerOf({ field, context }: BoundField): (() => Promise<string | null>) | undefined {
  return context.canPickPath ? () => call('app.pickPath', { kind: pathKind(field) }) : undefined
}

function listOf({ field, value }: BoundField): readonly string[] {
  if (Array.isArray(value)) return value
  const single = value ?? field.default ?? ''
  return single === '' ? [] : [single]
}

function ListField(bound: BoundField): ReactElement {
  const { field, value, error, onChange } = bound
  const description = describe(bound, true)
  const { whole, entries } = problemsOf(error)
  return (
    <GroupField {...description} note={<Notes {...bound} />}>
      <ListEditor
        id={description.id}
        label={field.label}
        value={listOf(bound)}
        onValueChange={(next) => onChange(next.length === 0 && value === null ? null : next)}
        kind={field.control === 'path' ? 'path' : 'text'}
        addLabel={field.control === 'path' ? `Add ${pathKind(field)}` : 'Add value'}
        placeholder={field.placeholder}
        required={field.required}
        hasHint={description.hint !== undefined}
        problems={entries}
        listProblem={whole}
        pickPath={pickerOf(bound)}
      />
    </GroupField>
  )
}

const IN_MEMORY = 'Kept in memory only: it is gone when Patchbay closes.'

function SecretField(bound: BoundField): ReactElement {
  const { field, context, value, onChange } = bound
  const description = describe(bound, false)
  const inMemory = (
    <>
      {description.hint} <span className="in-memory">{IN_MEMORY}</span>
    </>
  )
  return (
    <Field {...description} {...(context.secretsInMemory && { hint: inMemory })}>
      {(ids) => (
        <SecretInput
          ids={ids}
          value={textOf(value) ?? undefined}
          onValueChange={(next) => onChange(next ?? null)}
          onBlur={() => context.check(field.key)}
          savedText={context.savedText(field.key)}
          placeholder={field.placeholder}
          required={field.required}
        />
      )}
    </Field>
  )
}

function SwitchField(bound: BoundField): ReactElement {
  const { field, value, onChange } = bound
  return (
    <InlineField {...describe(bound, false)} note={<Notes {...bound} />}>
      {(ids) => (
        <Switch
          {...ids}
          checked={(textOf(value) ?? field.default) === 'true'}
          onCheckedChange={(checked) => onChange(String(checked))}
        />
      )}
    </InlineField>
  )
}

function SingleField(bound: BoundField): ReactElement {
  const { field, context, value, onChange } = bound
  return (
    <Field {...describe(bound, false)} note={<Notes {...bound} />}>
      {(ids) => (
        <SingleControl
          ids={ids}
          field={field}
          value={textOf(value)}
          onValueChange={onChange}
          onBlur={() => context.check(field.key)}
          pickPath={pickerOf(bound)}
        />
      )}
    </Field>
  )
}

/** That the default applies, the way back to it, and the way to several values. */
function Notes(bound: BoundField): ReactElement {
  const { field, value, onChange } = bound
  const hasDefault = field.default !== undefined && field.default !== ''
  const canRepeat = takesList(field) && !field.repeated && !Array.isArray(value)
  return (
    <>
      {hasDefault && value === null ? <span className="by-default">default</span> : null}
      {hasDefault && value !== null ? (
        <button
          type="button"
          className="reset"
          aria-describedby={`${fieldId(field.key)}-label`}
          onClick={() => onChange(null)}
        >
          Use default
        </button>
      ) : null}
      {canRepeat ? (
        <button
          type="button"
          className="reset on-demand"
          aria-describedby={`${fieldId(field.key)}-label`}
          onClick={() => onChange([...listOf(bound), ''])}
        >
          Several values
        </button>
      ) : null}
    </>
  )
}

function ControlOf(bound: BoundField): ReactElement {
  const { field, value } = bound
  if (field.repeated || Array.isArray(value)) return <ListField {...bound} />
  if (field.secret) return <SecretField {...bound} />
  return field.control === 'switch' ? <SwitchField {...bound} /> : <SingleField {...bound} />
}

/** One field of the registry's metadata as label, control, hint and problem. */
export function FieldControl(props: {
  readonly field: FormField
  readonly context: FieldContext
}): ReactElement {
  const { field, context } = props
  const { field: controller, fieldState } = useController({
    control: context.control,
    name: `values.${field.key}`,
  })
  return (
    <div data-field={field.key}>
      <ControlOf
        field={field}
        context={context}
        value={controller.value ?? null}
        error={fieldState.error}
        onChange={controller.onChange}
      />
    </div>
  )
}
