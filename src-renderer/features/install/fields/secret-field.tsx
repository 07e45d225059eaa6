import type { ReactElement } from 'react'
import { useController } from 'react-hook-form'

import { valueCount } from '../../../../src-shared/domain/installation/secret-place'
import { Field } from '../../../ui/fields/field'
import { WarnText } from '../../../ui/fields/problem-text'
import { fieldId, focusControl } from '../values/field-places'
import { NO_SECRET } from '../values/hand-places'
import type { BoundField, FieldParts } from './field-context'
import { textOf } from './field-context'
import { FieldButton, LabelNotes } from './field-foot'
import {
  type ChosenPlace,
  type EditedSecret,
  SecretControl,
  SecretNotes,
  useIsGone,
} from './secret-control'

/** That a secret argument can be read by others, and the way to a variable that takes it in its place. */
function ExposureNote({ field, context }: BoundField): ReactElement | null {
  const { place } = field.target
  if (place !== 'packageArguments' && place !== 'runtimeArguments') return null
  const other =
    field.alternativeKey === undefined ? undefined : context.findField(field.alternativeKey)
  return (
    <div className="stack at-start gap-1">
      <WarnText>Other programs can read secrets in arguments from the process list.</WarnText>
      {other === undefined || field.required ? null : (
        <FieldButton
          elementId={fieldId(field.key)}
          onClick={() => context.moveTo(field.key, other.key)}
        >
          Use {other.machineName ?? other.label} instead
        </FieldButton>
      )}
    </div>
  )
}

/** The place that is chosen for the value of a field, null where it is typed or has one of its own, and how to choose another. */
export function useChosenPlace({ field, context, value, onChange }: BoundField): {
  readonly chosen: ChosenPlace | null
  readonly choose: (place: ChosenPlace | null) => void
} {
  const { control } = context
  const { field: place } = useController({ control, name: `secrets.${field.key}` })
  const { value: used } = place
  return {
    chosen:
      value === null && (used?.kind === 'stored' || used?.kind === 'environment') ? used : null,
    choose: (next) => {
      place.onChange(next ?? context.ownPlace(field.key))
      onChange(null)
      context.forget(field.key)
      // The control that was used is gone or another one.
      requestAnimationFrame(() => focusControl(fieldId(field.key), { scroll: false }))
    },
  }
}

function savedText({ field, context }: BoundField): string | undefined {
  const place = context.ownPlace(field.key)
  if (place === null) return undefined
  const count = valueCount(place)
  return count > 1 ? `${context.savedWords}, ${count} values` : context.savedWords
}

/** A field whose value is typed once and never shown again, or is that of a stored secret. */
export function SecretField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
}): ReactElement {
  const { bound, parts } = props
  const { field, context, value, onChange } = bound
  const { chosen, choose } = useChosenPlace(bound)
  const isGone = useIsGone(chosen)
  const secret: EditedSecret = {
    label: field.label,
    typed: textOf(value) ?? undefined,
    chosen,
    onType: (next) => onChange(next ?? null),
    onChoose: choose,
  }
  return (
    <Field
      {...parts}
      {...(isGone && { problem: parts.problem ?? NO_SECRET })}
      isGroup={chosen !== null}
      note={field.repeated ? <LabelNotes {...bound} /> : undefined}
      below={
        <>
          {parts.below}
          <SecretNotes elementId={fieldId(field.key)} secret={secret} />
          <ExposureNote {...bound} />
        </>
      }
    >
      {(ids) => (
        <SecretControl
          ids={ids}
          secret={secret}
          onBlur={() => context.check(field.key)}
          savedText={savedText(bound)}
          placeholder={field.placeholder}
          required={field.required}
          choices={field.choices}
        />
      )}
    </Field>
  )
}
