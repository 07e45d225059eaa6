import { type ComponentProps, type ReactElement, type ReactNode, useMemo, useState } from 'react'
import { useController, useFormState, useWatch } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../../src-shared/form/form-field'
import { useApp } from '../../../stores/app-store'
import { usePickPath } from '../../../stores/pick-path'
import { Select, Switch } from '../../../ui/controls/choice'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { SearchField } from '../../../ui/controls/search-field'
import { type ControlIds, Field, PathInput, TextInput } from '../../../ui/fields/field'
import { type GroupedFields, matchesSearch, SEARCHED_FROM } from '../values/form-controls'
import {
  type InstallDraft,
  LIMIT_NAMES,
  type LimitName,
  LIMITS,
  PROTOCOL_VERSIONS,
  type ProtocolChoice,
} from '../values/install-values'
import { useFormModel } from './field-context'
import { FieldControl, PathNote } from './field-control'

/** Keys that match the search; null without a search. */
type MatchingKeys = ReadonlySet<string> | null

function FieldGroup(props: {
  readonly id: string
  readonly title: string
  readonly fields: readonly FormField[]
  readonly found: MatchingKeys
}): ReactElement | null {
  const { id, title, fields, found: matching } = props
  if (fields.length === 0) return null
  const isHidden = ({ key }: FormField): boolean => matching !== null && !matching.has(key)
  return (
    <div
      className="group flex flex-col gap-5"
      role="group"
      aria-labelledby={id}
      hidden={fields.every(isHidden)}
    >
      <h3 id={id} className="text-small font-medium text-faint">
        {title}
      </h3>
      {fields.map((field) => (
        <FieldControl key={field.key} field={field} isHidden={isHidden(field)} />
      ))}
    </div>
  )
}

/** A text input of the draft with its label and problem. */
export function TextField(
  props: Pick<ComponentProps<typeof Field>, 'id' | 'label' | 'hint'> & {
    readonly name: 'name' | 'cwd' | 'customServer.command' | LimitName
    readonly below?: (value: string) => ReactNode
    readonly children: (
      bound: ControlIds & Pick<ComponentProps<typeof TextInput>, 'value' | 'onValueChange'>,
    ) => ReactNode
  },
): ReactElement {
  const { name, below, children, ...shown } = props
  const { field, fieldState } = useController({ control: useFormModel().control, name })
  const { value = '', onChange } = field
  return (
    <Field {...shown} problem={fieldState.error?.message} below={below?.(value)}>
      {(ids) => children({ ...ids, value, onValueChange: onChange })}
    </Field>
  )
}

/** The server's name in Patchbay. */
export function NameField(): ReactElement {
  return (
    <TextField id="server-name" label="Server name" name="name">
      {(bound) => <TextInput {...bound} aria-required maxLength={120} />}
    </TextField>
  )
}

function useMatchingKeys(fields: readonly FormField[]): MatchingKeys {
  const { view } = useFormModel()
  const query = useStore(view, (state) => state.query.trim())
  return useMemo(() => {
    if (query === '') return null
    const matching = fields.filter((field) => matchesSearch(field, query))
    return new Set(matching.map(({ key }) => key))
  }, [query, fields])
}

function FieldSearch(props: {
  readonly found: MatchingKeys
  readonly count: number
}): ReactElement {
  const { found: matching, count } = props
  const { view } = useFormModel()
  const query = useStore(view, (state) => state.query)
  const meta = matching === null ? undefined : `${matching.size} of ${count}`
  return (
    <div className="sticky -top-6 z-1 -my-3 bg-surface py-3">
      <SearchField
        label="Search fields"
        placeholder={`Search ${count} fields`}
        value={query}
        onChange={(next) => view.setState({ query: next })}
        meta={meta}
      />
      <p className="sr-only" role="status">
        {meta === undefined ? '' : `${meta} fields found.`}
      </p>
    </div>
  )
}

/** Name, required fields, options and advanced fields, in this order; with a search if there are many. */
export function FieldGroups(props: {
  readonly groups: GroupedFields
  readonly isRemote: boolean
}): ReactElement {
  const { groups, isRemote } = props
  const { fields } = useFormModel()
  const found = useMatchingKeys(fields)
  return (
    <>
      {fields.length < SEARCHED_FROM ? null : <FieldSearch found={found} count={fields.length} />}
      <div className="group flex flex-col gap-5" hidden={found !== null}>
        <NameField />
      </div>
      <FieldGroup id="group-required" title="Required" fields={groups.required} found={found} />
      <FieldGroup id="group-options" title="Options" fields={groups.options} found={found} />
      {fields.length === 0 ? (
        <p className="text-muted">
          This server has no settings. Review the {isRemote ? 'address' : 'command'}, then approve
          it.
        </p>
      ) : null}
      {found?.size === 0 ? <p className="text-muted">No matching fields.</p> : null}
      <AdvancedFields fields={groups.advanced} found={found} isRemote={isRemote} />
    </>
  )
}

/** One time limit in seconds; an empty input shows the value from the settings. */
function LimitField({ name }: { readonly name: LimitName }): ReactElement {
  const { id, label, hint, budget } = LIMITS[name]
  const standard = useApp((state) => state.app?.settings[budget])
  return (
    <TextField id={id} label={`${label} (seconds)`} hint={hint} name={name}>
      {(bound) => (
        <TextInput
          {...bound}
          className="brief tabular-nums"
          inputMode="decimal"
          placeholder={standard === undefined ? undefined : String(standard / 1000)}
        />
      )}
    </TextField>
  )
}

function FolderField(): ReactElement {
  const { subject } = useFormModel()
  const pick = usePickPath('folder')
  const bundle = 'parts' in subject ? '' : ', or the bundle folder'
  return (
    <TextField
      id="working-folder"
      label="Working folder"
      hint={`Relative paths start here. Default: your home folder${bundle}.`}
      name="cwd"
      below={(path) => <PathNote path={path} expected="folder" />}
    >
      {(bound) => <PathInput {...bound} pick={pick} />}
    </TextField>
  )
}

/** The protocol version, for a server that supports only one. */
function VersionField(): ReactElement {
  const { field } = useController({ control: useFormModel().control, name: 'protocolVersion' })
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

function SingleWritesField(): ReactElement {
  const { field } = useController({ control: useFormModel().control, name: 'singleWrites' })
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

function ownNames(isRemote: boolean): readonly OptionName[] {
  return isRemote
    ? ['call', 'protocolVersion']
    : ['cwd', ...LIMIT_NAMES, 'protocolVersion', 'singleWrites']
}

function isChanged(draft: InstallDraft, name: OptionName): boolean {
  if (name === 'singleWrites') return draft.singleWrites
  return name === 'protocolVersion' ? draft[name] !== 'auto' : draft[name].trim() !== ''
}

function OptionField({ name }: { readonly name: OptionName }): ReactElement {
  if (name === 'cwd') return <FolderField />
  if (name === 'protocolVersion') return <VersionField />
  return name === 'singleWrites' ? <SingleWritesField /> : <LimitField name={name} />
}

function useAdvancedState(
  fields: readonly FormField[],
  isRemote: boolean,
): { readonly isBad: boolean; readonly changed: number } {
  const { control } = useFormModel()
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

/** Advanced fields, collapsed unless one has a problem or matches the search. */
export function AdvancedFields(props: {
  readonly fields: readonly FormField[]
  readonly found: MatchingKeys
  /** Whether the server is remote, so that it has no folder and no process. */
  readonly isRemote: boolean
}): ReactElement {
  const { fields, found: matching, isRemote } = props
  const { view } = useFormModel()
  const { isBad: isInvalid, changed } = useAdvancedState(fields, isRemote)
  const isOpen = useStore(view, (state) => state.isAdvancedOpen)
  const hasMatch = fields.some(({ key }) => matching?.has(key))
  const shown = isOpen || isInvalid || hasMatch
  // Rendered when first opened, and kept from then on.
  const [wasShown, setWasShown] = useState(shown)
  if (shown && !wasShown) setWasShown(true)
  const count = fields.length + ownNames(isRemote).length
  return (
    <div className="group flex flex-col gap-5">
      <div className="flex min-w-0 items-center gap-2">
        <DisclosureButton
          label="Advanced"
          open={shown}
          controls="advanced-fields"
          onOpenChange={(isAdvancedOpen) => view.setState({ isAdvancedOpen })}
        />
        <span className="text-faint">
          {count} {count === 1 ? 'field' : 'fields'}
          {changed > 0 ? `, ${changed} changed` : ''}
        </span>
      </div>
      <div id="advanced-fields" className="flex flex-col gap-5" hidden={!shown}>
        {wasShown ? (
          <>
            {fields.map((field) => (
              <FieldControl
                key={field.key}
                field={field}
                isHidden={matching !== null && !matching.has(field.key)}
              />
            ))}
            <div className="flex flex-col gap-5" hidden={matching !== null}>
              {ownNames(isRemote).map((name) => (
                <OptionField key={name} name={name} />
              ))}
            </div>
          </>
        ) : null}
      </div>
    </div>
  )
}
