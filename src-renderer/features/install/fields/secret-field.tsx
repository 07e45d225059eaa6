import type { ReactElement } from 'react'
import { useController } from 'react-hook-form'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { SecretDoubtsNote } from '../../../secret-parts/secret-doubts-note'
import { useApp } from '../../../stores/app-store'
import { Field } from '../../../ui/fields/field'
import { SecretInput } from '../../../ui/fields/secret-input'
import { WarnText } from '../../../ui/fields/warn-text'
import { ChosenSecret, EmptySecretNote, NO_SECRET } from '../values/chosen-secret'
import { fieldId, focusControl } from '../values/field-places'
import type { BoundField, FieldParts } from './field-context'
import { textOf } from './field-context'
import { FieldButton } from './field-foot'
import { ShareFoot } from './share-foot'

const IN_MEMORY = 'Kept in memory only: it is gone when Patchbay closes.'

/** That a secret argument can be read by others, and the way to a variable that takes it in its place. */
function ExposureNote({ field, context }: BoundField): ReactElement | null {
  const { place } = field.target
  if (place !== 'packageArguments' && place !== 'runtimeArguments') return null
  const other =
    field.alternativeKey === undefined ? undefined : context.findField(field.alternativeKey)
  return (
    <div className="stack at-start gap-05">
      <WarnText>
        Passed as an argument: other programs of this computer can read it in the process list.
      </WarnText>
      {other === undefined || field.required ? null : (
        <FieldButton fieldKey={field.key} onPress={() => context.moveTo(field.key, other.key)}>
          Use {other.machineName ?? other.label} instead
        </FieldButton>
      )}
    </div>
  )
}

/** The stored secret that a field uses, and the way to another or none. */
function useStoredSecret({ field, context, onChange }: BoundField): {
  readonly chosen: string | null
  readonly secret: StoredSecretView | undefined
  readonly choose: (secretId: string | null) => void
} {
  const { field: shared } = useController({
    control: context.control,
    name: `shared.${field.key}`,
  })
  const chosen = shared.value ?? null
  const secret = useApp((state) =>
    state.app?.secrets.stored.find(({ secretId }) => secretId === chosen),
  )
  return {
    chosen,
    secret,
    choose: (secretId) => {
      shared.onChange(secretId)
      onChange(null)
      context.forget(field.key)
      // The control that was used is gone or another one.
      requestAnimationFrame(() => focusControl(fieldId(field.key), { scroll: false }))
    },
  }
}

/** A field whose value is typed once and never shown again, or is that of a stored secret. */
export function SecretField(props: {
  readonly bound: BoundField
  readonly parts: FieldParts
}): ReactElement {
  const { bound, parts } = props
  const { field, context, value, onChange } = bound
  const { chosen, secret, choose } = useStoredSecret(bound)
  const typed = textOf(value) ?? ''
  const isChosen = chosen !== null && value === null
  const inMemory = (
    <>
      {parts.hint} <span className="block tone is-degraded">{IN_MEMORY}</span>
    </>
  )
  return (
    <Field
      {...parts}
      {...(context.secretsInMemory && { hint: inMemory })}
      {...(isChosen && secret === undefined && { problem: parts.problem ?? NO_SECRET })}
      isGroup={isChosen}
      below={
        <>
          {parts.below}
          {isChosen && secret ? <EmptySecretNote secret={secret} /> : null}
          <SecretDoubtsNote text={typed} />
          <ShareFoot
            elementId={fieldId(field.key)}
            label={field.label}
            typed={typed}
            chosen={isChosen ? chosen : null}
            onChoose={choose}
          />
          <ExposureNote {...bound} />
        </>
      }
    >
      {(ids) =>
        isChosen ? (
          <ChosenSecret ids={ids} secret={secret} onDrop={() => choose(null)} />
        ) : (
          <SecretInput
            ids={ids}
            value={textOf(value) ?? undefined}
            onValueChange={(next) => onChange(next ?? null)}
            onBlur={() => context.check(field.key)}
            savedText={context.savedText(field.key)}
            placeholder={field.placeholder}
            required={field.required}
            choices={field.choices}
          />
        )
      }
    </Field>
  )
}
