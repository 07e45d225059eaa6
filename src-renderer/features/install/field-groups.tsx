import type { ReactElement } from 'react'
import { useController } from 'react-hook-form'

import type { FormField } from '../../../src-shared/form/form-field'
import { Field } from '../../ui/field'
import { TextInput } from '../../ui/text-input'
import { AdvancedFields } from './advanced-fields'
import type { FieldContext, InstallControl } from './field-control'
import { FieldControl } from './field-control'

function FieldGroup(props: {
  readonly id: string
  readonly title: string
  readonly fields: readonly FormField[]
  readonly context: FieldContext
}): ReactElement | null {
  const { id, title, fields, context } = props
  if (fields.length === 0) return null
  return (
    <div className="group" role="group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {fields.map((field) => (
        <FieldControl key={field.key} field={field} context={context} />
      ))}
    </div>
  )
}

function NameField({ control }: { readonly control: InstallControl }): ReactElement {
  const { field, fieldState } = useController({ control, name: 'name' })
  return (
    <Field id="server-name" label="Server name" problem={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          {...ids}
          aria-required
          maxLength={120}
          value={field.value}
          onValueChange={field.onChange}
        />
      )}
    </Field>
  )
}

/** Name, required fields, options and limits, in this order. */
export function FieldGroups({
  fields,
  context,
}: {
  readonly fields: readonly FormField[]
  readonly context: FieldContext
}): ReactElement {
  return (
    <>
      <div className="group">
        <NameField control={context.control} />
      </div>
      <FieldGroup
        id="group-required"
        title="Required"
        fields={fields.filter(({ required }) => required)}
        context={context}
      />
      <FieldGroup
        id="group-options"
        title="Options"
        fields={fields.filter(({ required }) => !required)}
        context={context}
      />
      {fields.length === 0 ? (
        <p className="soft">This server asks for nothing. Read the command, then approve it.</p>
      ) : null}
      <AdvancedFields context={context} />
    </>
  )
}
