import type { ReactElement } from 'react'
import { useState } from 'react'
import { useController, useFormState } from 'react-hook-form'

import { pickPath } from '../../ipc/pick-path'
import { useApp } from '../../stores/app-store'
import { DisclosureButton } from '../../ui/disclosure'
import { Field } from '../../ui/field'
import { PathInput } from '../../ui/path-input'
import { TextInput } from '../../ui/text-input'
import type { FieldContext, InstallControl } from './field-control'
import type { LimitName } from './install-values'
import { LIMITS } from './install-values'

function LimitField({
  control,
  name,
}: {
  readonly control: InstallControl
  readonly name: LimitName
}): ReactElement {
  const { field, fieldState } = useController({ control, name })
  const { id, label, hint, budget } = LIMITS[name]
  const standard = useApp((state) => state.app?.settings[budget])
  return (
    <Field id={id} label={`${label}, seconds`} hint={hint} problem={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          {...ids}
          className="num"
          inputMode="decimal"
          placeholder={standard === undefined ? undefined : String(standard / 1000)}
          value={field.value}
          onValueChange={field.onChange}
        />
      )}
    </Field>
  )
}

function FolderField({ context }: { readonly context: FieldContext }): ReactElement {
  const { field, fieldState } = useController({ control: context.control, name: 'cwd' })
  async function browse(): Promise<void> {
    const path = await pickPath('folder')
    if (path !== null) field.onChange(path)
  }
  return (
    <Field
      id="working-folder"
      label="Folder to run in"
      hint="Relative paths of the server start here. Empty is your home folder."
      problem={fieldState.error?.message}
    >
      {(ids) => (
        <PathInput
          {...ids}
          value={field.value}
          onValueChange={field.onChange}
          onBrowse={context.canPickPath ? () => void browse() : undefined}
        />
      )}
    </Field>
  )
}

/** The folder and the limits of one server, folded away unless one of them has a problem. */
export function AdvancedFields({ context }: { readonly context: FieldContext }): ReactElement {
  const [open, setOpen] = useState(false)
  const { control } = context
  const { errors } = useFormState({ control })
  const isBad = [errors.cwd, errors.handshake, errors.install, errors.request].some(Boolean)
  const shown = open || isBad
  return (
    <div className="group">
      <DisclosureButton
        label="Advanced"
        open={shown}
        controls="advanced-fields"
        onOpenChange={setOpen}
      />
      <div id="advanced-fields" hidden={!shown}>
        <FolderField context={context} />
        <LimitField control={control} name="install" />
        <LimitField control={control} name="handshake" />
        <LimitField control={control} name="request" />
      </div>
    </div>
  )
}
