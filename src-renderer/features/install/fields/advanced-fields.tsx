import type { ReactElement } from 'react'
import { useState } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../../src-shared/form/form-field'
import { pickPath } from '../../../ipc/pick-path'
import { useApp } from '../../../stores/app-store'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { Field } from '../../../ui/fields/field'
import { PathInput } from '../../../ui/fields/path-input'
import { TextInput } from '../../../ui/fields/text-input'
import type { FormView } from '../values/form-view'
import type { InstallDraft } from '../values/install-values'
import { LIMIT_NAMES, type LimitName, LIMITS } from '../values/limits'
import type { FieldContext, InstallControl } from './field-context'
import { FieldControl } from './field-control'
import { PathNote } from './path-note'

/** One time limit in seconds; empty shows that of Settings. */
function LimitField(props: {
  readonly control: InstallControl
  readonly name: LimitName
}): ReactElement {
  const { control, name } = props
  const { id, label, hint, budget } = LIMITS[name]
  const { field, fieldState } = useController({ control, name })
  const standard = useApp((state) => state.app?.settings[budget])
  return (
    <Field id={id} label={`${label}, seconds`} hint={hint} problem={fieldState.error?.message}>
      {(ids) => (
        <TextInput
          {...ids}
          className="num brief"
          inputMode="decimal"
          placeholder={standard === undefined ? undefined : String(standard / 1000)}
          value={field.value}
          onValueChange={field.onChange}
        />
      )}
    </Field>
  )
}

function FolderField(props: {
  readonly context: FieldContext
  readonly emptyFolder: string
}): ReactElement {
  const { context, emptyFolder } = props
  const { field, fieldState } = useController({ control: context.control, name: 'cwd' })
  async function browse(): Promise<void> {
    const path = await pickPath('folder')
    if (path !== null) field.onChange(path)
  }
  return (
    <Field
      id="working-folder"
      label="Folder to run in"
      hint={`Relative paths of the server start here. Empty is ${emptyFolder}.`}
      problem={fieldState.error?.message}
      below={<PathNote path={field.value} expected="folder" />}
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

/** What there is to set of every server. */
function ownNames(isRemote: boolean): readonly ('cwd' | LimitName)[] {
  return isRemote ? ['request'] : ['cwd', ...LIMIT_NAMES]
}

function useAdvancedState(
  control: InstallControl,
  fields: readonly FormField[],
  isRemote: boolean,
): { readonly isBad: boolean; readonly changed: number } {
  const { errors } = useFormState({ control })
  const names = ownNames(isRemote)
  const changed = useWatch({
    control,
    compute: (draft: InstallDraft) =>
      fields.filter(({ key }) => (draft.values[key] ?? null) !== null).length +
      names.filter((name) => draft[name].trim() !== '').length,
  })
  const isBad =
    names.some((name) => errors[name] !== undefined) ||
    fields.some(({ key }) => errors.values?.[key] !== undefined)
  return { isBad, changed }
}

type AdvancedProps = {
  readonly context: FieldContext
  readonly view: FormView
  readonly fields: readonly FormField[]
  /** What a search leaves; null while there is none. */
  readonly found: ReadonlySet<string> | null
  /** The server is somewhere else, so that there is no folder and nothing to start. */
  readonly isRemote: boolean
  /** What an empty folder stands for. */
  readonly emptyFolder: string
}

/** What few people change, folded away unless there is a problem in it or a search finds something there. */
export function AdvancedFields(props: AdvancedProps): ReactElement {
  const { context, view, fields, found, isRemote, emptyFolder } = props
  const { isBad, changed } = useAdvancedState(context.control, fields, isRemote)
  const isOpen = useStore(view, (state) => state.isAdvancedOpen)
  const isFound = fields.some(({ key }) => found?.has(key))
  const shown = isOpen || isBad || isFound
  // Drawn when it is first opened, and kept from then on.
  const [wasShown, setWasShown] = useState(shown)
  if (shown && !wasShown) setWasShown(true)
  const count = fields.length + ownNames(isRemote).length
  return (
    <div className="group col gap-5">
      <div className="row gap-2 slim">
        <DisclosureButton
          label="Advanced"
          open={shown}
          controls="advanced-fields"
          onOpenChange={(isAdvancedOpen) => view.setState({ isAdvancedOpen })}
        />
        <span className="faint">
          {count} {count === 1 ? 'field' : 'fields'}
          {changed > 0 ? `, ${changed} changed` : ''}
        </span>
      </div>
      <div id="advanced-fields" className="col gap-5" hidden={!shown}>
        {wasShown ? (
          <>
            {fields.map((field) => (
              <FieldControl
                key={field.key}
                field={field}
                context={context}
                isHidden={found !== null && !found.has(field.key)}
              />
            ))}
            <div className="col gap-5" hidden={found !== null}>
              {ownNames(isRemote).map((name) =>
                name === 'cwd' ? (
                  <FolderField key={name} context={context} emptyFolder={emptyFolder} />
                ) : (
                  <LimitField key={name} control={context.control} name={name} />
                ),
              )}
            </div>
          </>
        ) : null}
      </div>
    </div>
  )
}
