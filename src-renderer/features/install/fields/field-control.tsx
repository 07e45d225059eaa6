import { memo, type ReactElement, type ReactNode, useState } from 'react'
import { useController } from 'react-hook-form'

import { canReadVariable } from '../../../../src-shared/form/computer-variable'
import type { FormField } from '../../../../src-shared/form/form-field'
import { isSetEmpty } from '../../../../src-shared/form/set-empty'
import { useRequest } from '../../../ipc/use-request'
import { usePickPath } from '../../../stores/pick-path'
import { Segmented, Select } from '../../../ui/controls/choice'
import {
  type ControlIds,
  Field,
  GroupField,
  GrowingInput,
  PathInput,
  SwitchField,
  TextInput,
  WarnText,
} from '../../../ui/fields/field'
import { ListEditor } from '../../../ui/fields/list-editor'
import {
  expectedKind,
  fieldId,
  pathKind,
  pathKindText,
  problemsOf,
  shellPathText,
} from '../values/form-controls'
import { isFullPath } from '../values/install-values'
import { type BoundField, type FieldParts, listOf, textOf, useFormModel } from './field-context'
import {
  cutText,
  descriptionOf,
  FieldButton,
  FieldFooter,
  fitsSegments,
  LabelNotes,
} from './field-footer'
import { PlaceBox, SecretField, useChosenPlace, VariableChooser } from './secret-control'

/** Returns a field's description, cut if it is long, and the button that expands it. */
function useHint(field: FormField, isList: boolean): { hint: ReactNode; more: ReactNode } {
  const [isExpanded, setIsExpanded] = useState(false)
  const text = descriptionOf(field, isList)
  const cut = cutText(text)
  if (text === '') return { hint: undefined, more: null }
  const hintText = <span className="whitespace-pre-wrap">{isExpanded ? text : cut}</span>
  if (cut === text) return { hint: hintText, more: null }
  return {
    hint: hintText,
    more: (
      <FieldButton
        elementId={fieldId(field.key)}
        aria-expanded={isExpanded}
        onClick={() => setIsExpanded(!isExpanded)}
      >
        {isExpanded ? 'Less' : 'More'}
      </FieldButton>
    ),
  }
}

type ControlProps = {
  readonly bound: BoundField
  readonly parts: FieldParts
  /** Opens the system's dialog, if there is one. */
  readonly pick: (() => Promise<string | null>) | undefined
}

function SingleField({ bound, parts, pick }: ControlProps): ReactElement {
  const { field, value, onChange } = bound
  const shown = textOf(value) ?? field.default ?? ''
  const isGroup = field.control === 'choice' && fitsSegments(field, shown)
  const { chosen, choose } = useChosenPlace(bound)
  const chooser = canReadVariable(field) ? (
    <VariableChooser
      elementId={fieldId(field.key)}
      chosen={chosen}
      isOnDemand={chosen === null}
      onChoose={choose}
    />
  ) : null
  if (chosen !== null)
    return (
      <Field
        {...parts}
        isGroup
        below={
          <>
            {chooser}
            {parts.below}
          </>
        }
      >
        {(ids) => <PlaceBox ids={ids} place={chosen} onDrop={() => choose(null)} />}
      </Field>
    )
  const below = (
    <>
      {field.control === 'path' ? <PathNote path={shown} expected={expectedKind(field)} /> : null}
      {parts.below}
    </>
  )
  return (
    <Field
      {...parts}
      below={below}
      isGroup={isGroup}
      note={
        <>
          <LabelNotes {...bound} />
          {chooser}
        </>
      }
    >
      {(ids) => (
        <SingleControl
          {...{ ids, field, isGroup, pick }}
          value={shown}
          onValueChange={onChange}
          onBlur={bound.check}
        />
      )}
    </Field>
  )
}

function ControlOf(bound: BoundField): ReactElement {
  const { field, value, error } = bound
  const isSeveral = Array.isArray(value) && !isSetEmpty(field, value)
  const isList = isSeveral || (field.repeated && !field.secret)
  const { hint, more } = useHint(field, isList)
  const pick = usePickPath(pathKind(field))
  const parts: FieldParts = {
    id: fieldId(field.key),
    label: field.label,
    machineName: field.machineName,
    hint,
    problem: problemsOf(error).whole,
    below: <FieldFooter {...bound} more={more} />,
  }
  if (isList) return <ListField {...{ bound, parts, pick }} />
  if (field.secret) return <SecretField bound={bound} parts={parts} />
  if (field.control === 'switch')
    return (
      <SwitchField
        {...parts}
        note={<LabelNotes {...bound} />}
        checked={(textOf(value) ?? field.default)?.toLowerCase() === 'true'}
        onCheckedChange={(checked) => bound.onChange(String(checked))}
      />
    )
  return <SingleField {...{ bound, parts, pick }} />
}

/** One field of the registry's metadata with label, control, hint and problem; rerenders when its own value changes. */
export const FieldControl = memo(function FieldControl(props: {
  readonly field: FormField
  readonly isHidden: boolean
}): ReactElement {
  const { field, isHidden } = props
  const { control, form } = useFormModel()
  const name = `values.${field.key}` as const
  const { field: controller, fieldState } = useController({ control, name })
  const check = (): void => {
    const value = form.getValues(name)
    if (value !== null && value.length > 0) void form.trigger(name)
  }
  return (
    <div data-field={field.key} hidden={isHidden}>
      <ControlOf
        {...{ field, check }}
        value={controller.value ?? null}
        error={fieldState.error}
        onChange={controller.onChange}
      />
    </div>
  )
})

function ListField({ bound, parts, pick }: ControlProps): ReactElement {
  const { field, value, error, onChange } = bound
  const { whole, entries } = problemsOf(error)
  const isPath = field.control === 'path'
  const plain = isPath ? 'path' : 'text'
  const kind = field.secret ? 'secret' : plain
  return (
    <GroupField {...parts} note={<LabelNotes {...bound} />}>
      <ListEditor
        id={parts.id}
        label={field.label}
        value={listOf(bound)}
        onValueChange={(next) => onChange(next.length === 0 && value === null ? null : next)}
        kind={kind}
        addLabel={isPath ? `Add ${pathKind(field)}` : 'Add value'}
        placeholder={field.placeholder}
        choices={field.choices}
        required={field.required}
        hasHint={parts.hint !== undefined}
        problems={entries}
        listProblem={whole}
        pickPath={pick}
        noteOf={
          isPath ? (text) => <PathNote path={text} expected={expectedKind(field)} /> : undefined
        }
      />
    </GroupField>
  )
}

/** Debounce time of the path check, in ms. */
const DEBOUNCE_MS = 350

/** A warning below a path: it doesn't exist, is of another kind, or contains shell syntax. */
export function PathNote(props: {
  readonly path: string
  readonly expected: 'file' | 'folder' | undefined
}): ReactElement | null {
  const path = props.path.trim()
  const input = isFullPath(path) ? { path } : undefined
  // This is only a hint; connection errors are reported elsewhere.
  const { loaded } = useRequest('app.checkPath', input, { debounceMs: DEBOUNCE_MS })
  const kind = loaded.kind === 'ready' ? loaded.value : 'unknown'
  const text = shellPathText(path) ?? pathKindText(kind, props.expected)
  return <WarnText>{text}</WarnText>
}

/** No choice of a registry contains a NUL. */
const NOT_SET = '\0'

/** One of the registry's choices, or none if optional. A current value that is no choice becomes an extra option. */
function ChoiceControl(props: SingleControlProps): ReactElement {
  const { ids, field, value, isGroup, onValueChange, onBlur } = props
  const { label, required } = field
  const choices = field.choices.map((choice) => ({ value: choice, label: choice }))
  const shared = { ...ids, 'aria-required': required || undefined }
  if (isGroup)
    return (
      <Segmented
        {...shared}
        label={label}
        value={value === '' && !required ? NOT_SET : value}
        onValueChange={(next) => onValueChange(next === NOT_SET ? '' : next)}
        options={required ? choices : [{ value: NOT_SET, label: 'Not set' }, ...choices]}
      />
    )
  const isForeign = value !== '' && !field.choices.includes(value)
  return (
    <Select
      {...shared}
      {...{ value, onValueChange, onBlur }}
      options={[
        { value: '', label: required ? 'Choose' : 'Not set', disabled: required },
        ...choices,
        ...(isForeign ? [{ value, label: `${value} (not a choice)` }] : []),
      ]}
    />
  )
}

type SingleControlProps = {
  readonly ids: ControlIds
  readonly field: FormField
  readonly value: string
  readonly isGroup: boolean
  readonly onValueChange: (value: string) => void
  readonly onBlur: () => void
  readonly pick: ControlProps['pick']
}

function SingleControl(props: SingleControlProps): ReactElement {
  const { ids, field, value, onValueChange, onBlur, pick } = props
  const shared = {
    ...ids,
    'aria-required': field.required || undefined,
    ...{ value, onValueChange, onBlur },
  }
  switch (field.control) {
    case 'choice':
      return <ChoiceControl {...props} />
    case 'path':
      return <PathInput {...shared} placeholder={field.placeholder} pick={pick} />
    case 'number':
      return (
        <TextInput
          {...shared}
          inputMode="decimal"
          className="brief tabular-nums"
          placeholder={field.placeholder}
        />
      )
    case 'switch':
    case 'text':
      return <GrowingInput {...shared} placeholder={field.placeholder} />
  }
}
