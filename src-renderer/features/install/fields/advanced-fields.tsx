import { type ReactElement, useState } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../../src-shared/form/form-field'
import { pickPath } from '../../../ipc/pick-path'
import { useApp } from '../../../stores/app-store'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { Select } from '../../../ui/controls/select'
import { Switch } from '../../../ui/controls/switch'
import { Field } from '../../../ui/fields/field'
import { PathInput } from '../../../ui/fields/path-input'
import { TextInput } from '../../../ui/fields/text-input'
import type { FormView } from '../values/field-places'
import type { InstallDraft } from '../values/install-values'
import { LIMIT_NAMES, type LimitName, LIMITS } from '../values/limits'
import { PROTOCOL_VERSIONS, type ProtocolChoice } from '../values/protocol-choice'
import type { FieldContext, InstallControl } from './field-context'
import { FieldControl, PathNote } from './field-control'

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
    <Field id={id} label={`${label} (seconds)`} hint={hint} problem={fieldState.error?.message}>
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
      label="Working folder"
      hint={`Relative paths start here. Default: ${emptyFolder}.`}
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

/** The kind of the protocol, for a server that can be read only one way. */
function VersionField({ control }: { readonly control: InstallControl }): ReactElement {
  const { field } = useController({ control, name: 'protocolVersion' })
  return (
    <Field
      id="protocol-version"
      label="Protocol version"
      hint="Change only if the server fails with Automatic."
    >
      {(ids) => (
        <Select
          {...ids}
          value={field.value}
          onValueChange={field.onChange}
          options={PROTOCOL_VERSIONS}
        />
      )}
    </Field>
  )
}

function SingleWritesField({ control }: { readonly control: InstallControl }): ReactElement {
  const { field } = useController({ control, name: 'singleWrites' })
  return (
    <Field
      id="single-writes"
      label="One message per write"
      hint="Turn on if the server misses messages sent together. Calls get slower."
    >
      {(ids) => <Switch {...ids} checked={field.value} onCheckedChange={field.onChange} />}
    </Field>
  )
}

type OptionName = 'cwd' | LimitName | keyof ProtocolChoice

/** The options that every server has. */
function ownNames(isRemote: boolean): readonly OptionName[] {
  return isRemote
    ? ['call', 'protocolVersion']
    : ['cwd', ...LIMIT_NAMES, 'protocolVersion', 'singleWrites']
}

function isChanged(draft: InstallDraft, name: OptionName): boolean {
  if (name === 'singleWrites') return draft.singleWrites
  return name === 'protocolVersion' ? draft[name] !== 'auto' : draft[name].trim() !== ''
}

function OptionField(props: {
  readonly name: OptionName
  readonly context: FieldContext
  readonly emptyFolder: string
}): ReactElement {
  const { name, context, emptyFolder } = props
  const { control } = context
  if (name === 'cwd') return <FolderField context={context} emptyFolder={emptyFolder} />
  if (name === 'protocolVersion') return <VersionField control={control} />
  if (name === 'singleWrites') return <SingleWritesField control={control} />
  return <LimitField control={control} name={name} />
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
      names.filter((name) => isChanged(draft, name)).length,
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
              {ownNames(isRemote).map((name) => (
                <OptionField key={name} name={name} context={context} emptyFolder={emptyFolder} />
              ))}
            </div>
          </>
        ) : null}
      </div>
    </div>
  )
}
