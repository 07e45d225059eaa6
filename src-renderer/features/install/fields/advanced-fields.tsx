import type { ReactElement } from 'react'
import { useState } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../../src-shared/form/form-field'
import { pickPath } from '../../../ipc/pick-path'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { Field } from '../../../ui/fields/field'
import { PathInput } from '../../../ui/fields/path-input'
import type { FormView } from '../values/form-view'
import type { InstallDraft } from '../values/install-values'
import { LIMIT_NAMES, type LimitName } from '../values/limits'
import type { FieldContext, InstallControl } from './field-context'
import { FieldControl } from './field-control'
import { LimitField } from './limit-field'
import { PathNote } from './path-note'

function BoundLimit({
  control,
  name,
}: {
  readonly control: InstallControl
  readonly name: LimitName
}): ReactElement {
  const { field, fieldState } = useController({ control, name })
  const { value, onChange } = field
  const problem = fieldState.error?.message
  return <LimitField name={name} value={value} onValueChange={onChange} problem={problem} />
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
      hint="Relative paths of the server start here. Empty is your home folder, or the folder of its bundle."
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

/** How many of these fields say something of their own. */
function changedCount(draft: InstallDraft, fields: readonly FormField[]): number {
  const own = fields.filter(({ key }) => (draft.values[key] ?? null) !== null)
  const rest = [draft.cwd, ...LIMIT_NAMES.map((name) => draft[name])]
  return own.length + rest.filter((text) => text.trim() !== '').length
}

function useAdvancedState(
  control: InstallControl,
  fields: readonly FormField[],
): { readonly isBad: boolean; readonly changed: number } {
  const { errors } = useFormState({ control })
  const changed = useWatch({
    control,
    compute: (draft: InstallDraft) => changedCount(draft, fields),
  })
  const isBad =
    errors.cwd !== undefined ||
    LIMIT_NAMES.some((name) => errors[name] !== undefined) ||
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
}

/** What few people change, folded away unless there is a problem in it or a search finds something there. */
export function AdvancedFields(props: AdvancedProps): ReactElement {
  const { context, view, fields, found, isRemote } = props
  const { isBad, changed } = useAdvancedState(context.control, fields)
  const isOpen = useStore(view, (state) => state.isAdvancedOpen)
  const isFound = fields.some(({ key }) => found?.has(key))
  const shown = isOpen || isBad || isFound
  // Drawn when it is first opened, and kept from then on.
  const [wasShown, setWasShown] = useState(shown)
  if (shown && !wasShown) setWasShown(true)
  const count = fields.length + (isRemote ? 1 : LIMIT_NAMES.length + 1)
  return (
    <div className="group">
      <div className="line-up">
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
      <div id="advanced-fields" hidden={!shown}>
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
            <div className="own-fields" hidden={found !== null}>
              {isRemote ? null : <FolderField context={context} />}
              {(isRemote ? (['request'] as const) : LIMIT_NAMES).map((name) => (
                <BoundLimit key={name} control={context.control} name={name} />
              ))}
            </div>
          </>
        ) : null}
      </div>
    </div>
  )
}
