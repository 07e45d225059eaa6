import { memo, type ReactElement, type ReactNode, useState } from 'react'
import { useController } from 'react-hook-form'

import { canReadVariable } from '../../../../src-shared/form/computer-variable'
import type { FormField } from '../../../../src-shared/form/form-field'
import { isSetEmpty } from '../../../../src-shared/form/set-empty'
import { pickPath } from '../../../ipc/pick-path'
import { Switch } from '../../../ui/controls/switch'
import { Field, GroupField, InlineField } from '../../../ui/fields/field'
import { ListEditor } from '../../../ui/fields/list-editor'
import { fieldId, focusControl, pathKind, problemsOf } from '../values/field-places'
import { expectedKind } from '../values/path-messages'
import {
  type BoundField,
  type FieldContext,
  type FieldParts,
  listOf,
  textOf,
} from './field-context'
import { FieldButton, FieldFoot, LabelNotes } from './field-foot'
import { cutText, descriptionOf, fitsSegments } from './field-foot'
import { PathNote } from './path-note'
import { PlaceBox, VariableText } from './place-box'
import { choiceOf, placeOfChoice } from './secret-choice'
import { SecretField } from './secret-field'
import { SingleControl } from './single-control'
import { VariableChooser } from './variable-chooser'

/** The words of a description, cut when they are long, and the button that shows or cuts them. */
function useWords(field: FormField, isList: boolean): { hint: ReactNode; more: ReactNode } {
  const [isWhole, setIsWhole] = useState(false)
  const text = descriptionOf(field, isList)
  const cut = cutText(text)
  if (text === '') return { hint: undefined, more: null }
  const words = <span className="keep-lines">{isWhole ? text : cut}</span>
  if (cut === text) return { hint: words, more: null }
  return {
    hint: words,
    more: (
      <FieldButton fieldKey={field.key} isOpen={isWhole} onPress={() => setIsWhole(!isWhole)}>
        {isWhole ? 'Less' : 'More'}
      </FieldButton>
    ),
  }
}

function SwitchField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
}): ReactElement {
  const { field, value, onChange } = props.bound
  return (
    <InlineField {...props.parts} note={<LabelNotes {...props.bound} />}>
      {(ids) => (
        <Switch
          {...ids}
          checked={(textOf(value) ?? field.default)?.toLowerCase() === 'true'}
          onCheckedChange={(checked) => onChange(String(checked))}
        />
      )}
    </InlineField>
  )
}

type PickPath = (() => Promise<string | null>) | undefined

/** A plain field that reads a variable of this computer, or could: the choice, null for none, and the way to it. */
function useVariable({ field, context, value, onChange }: BoundField) {
  const { control } = context
  const { field: place } = useController({ control, name: `secrets.${field.key}` })
  const { value: used } = place
  return {
    chosen: value === null && used?.kind === 'environment' ? choiceOf(used) : null,
    choose: (choice: string | null): void => {
      place.onChange(choice === null ? null : placeOfChoice(choice))
      onChange(null)
      context.forget(field.key)
      // The control that was used is gone or another one.
      requestAnimationFrame(() => focusControl(fieldId(field.key), { scroll: false }))
    },
  }
}

function SingleField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
  readonly pickPath: PickPath
}): ReactElement {
  const { bound, parts } = props
  const { field, context, value, onChange } = bound
  const shown = textOf(value) ?? field.default ?? ''
  const isGroup = field.control === 'choice' && fitsSegments(field, shown)
  const { chosen, choose } = useVariable(bound)
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
        {(ids) => (
          <PlaceBox ids={ids} onDrop={() => choose(null)}>
            <VariableText choice={chosen} />
          </PlaceBox>
        )}
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
          ids={ids}
          field={field}
          value={textOf(value)}
          isGroup={isGroup}
          onValueChange={onChange}
          onBlur={() => context.check(field.key)}
          pickPath={props.pickPath}
        />
      )}
    </Field>
  )
}

function ControlOf(bound: BoundField): ReactElement {
  const { field, context, value, error } = bound
  const isSeveral = Array.isArray(value) && !isSetEmpty(field, value)
  const isList = isSeveral || (field.repeated && !field.secret)
  const { hint, more } = useWords(field, isList)
  const parts: FieldParts = {
    id: fieldId(field.key),
    label: field.label,
    machineName: field.machineName,
    hint,
    problem: problemsOf(error).whole,
    below: <FieldFoot {...bound} more={more} />,
  }
  const pick = context.canPickPath ? () => pickPath(pathKind(field)) : undefined
  if (isList) return <ListField bound={bound} parts={parts} pickPath={pick} />
  if (field.secret) return <SecretField bound={bound} parts={parts} />
  if (field.control === 'switch') return <SwitchField bound={bound} parts={parts} />
  return <SingleField bound={bound} parts={parts} pickPath={pick} />
}

/** One field of the registry's metadata as label, control, hint and problem; drawn again when its own value changes. */
export const FieldControl = memo(function FieldControl(props: {
  readonly field: FormField
  readonly context: FieldContext
  /** A search left it out. */
  readonly isHidden: boolean
}): ReactElement {
  const { field, context, isHidden } = props
  const { field: controller, fieldState } = useController({
    control: context.control,
    name: `values.${field.key}`,
  })
  return (
    <div data-field={field.key} hidden={isHidden}>
      <ControlOf
        field={field}
        context={context}
        value={controller.value ?? null}
        error={fieldState.error}
        onChange={controller.onChange}
      />
    </div>
  )
})

/** A field of several values, each with its own input. */
function ListField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
  readonly pickPath: (() => Promise<string | null>) | undefined
}): ReactElement {
  const { bound, parts, pickPath } = props
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
        pickPath={pickPath}
        noteOf={
          isPath ? (text) => <PathNote path={text} expected={expectedKind(field)} /> : undefined
        }
      />
    </GroupField>
  )
}
