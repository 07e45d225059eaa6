import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'

import { secretWarnings } from '../../../src-shared/form/secret-warnings'
import { formProblem } from '../../ipc/show-failure'
import { Field, TextInput, WarnText } from '../../ui/fields/field'
import { SecretInput } from '../../ui/fields/secret-input'
import { FormDialog, type Problems } from '../../ui/overlays/dialog'

type TypedSecret = { readonly name: string; readonly value: string }

type SecretDialogProps = Pick<
  ComponentProps<typeof FormDialog>,
  'title' | 'description' | 'onClose' | 'focusAfterId'
> & {
  /** The name to begin with; missing where the dialog asks for none. */
  readonly name?: string
  readonly nameInput?: Pick<ComponentProps<typeof TextInput>, 'maxLength' | 'placeholder'>
  readonly withValue?: boolean
  readonly valueLabel?: string
  readonly confirmLabel: string
  /** Then the dialog is closed, unless it resolves to `stays`; what it rejects with is shown, and nothing typed is lost. */
  readonly onConfirm: (typed: TypedSecret) => Promise<unknown>
}

function missingIn({ name, value }: TypedSecret, props: SecretDialogProps): Problems {
  return {
    ...(props.name !== undefined && name.trim() === '' && { name: 'Enter a name.' }),
    ...(props.withValue && value.trim() === '' && { value: 'Enter a value.' }),
  }
}

/** Asks for a name, for a secret value, or for both. */
export function SecretDialog(props: SecretDialogProps): ReactElement {
  const { title, description, withValue, valueLabel = 'Value', onClose, focusAfterId } = props
  const [name, setName] = useState(props.name ?? '')
  const [value, setValue] = useState('')
  const confirm = async (): Promise<Problems> => {
    const missing = missingIn({ name, value }, props)
    if (Object.keys(missing).length > 0) return missing
    try {
      if ((await props.onConfirm({ name: name.trim(), value })) !== 'stays') onClose()
      return {}
    } catch (thrown) {
      return formProblem(thrown)
    }
  }
  return (
    <FormDialog
      {...{ title, description, onClose, focusAfterId }}
      submitLabel={props.confirmLabel}
      onSubmit={confirm}
    >
      {({ id, problems }) => (
        <>
          {props.name !== undefined && (
            <Field id={`${id}-name`} label="Name" problem={problems.name}>
              {(ids) => (
                <TextInput
                  {...ids}
                  aria-required
                  maxLength={120}
                  {...props.nameInput}
                  value={name}
                  onValueChange={setName}
                />
              )}
            </Field>
          )}
          {withValue && (
            <SecretValueField
              id={`${id}-value`}
              label={valueLabel}
              problem={problems.value}
              below={<SecretWarnings text={value} />}
              value={value}
              onChange={setValue}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** A secret or passphrase that is typed in a dialog. */
export function SecretValueField(props: {
  readonly id: string
  readonly label?: string
  readonly hint?: ReactNode
  readonly problem: string | undefined
  readonly below?: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
  const { id, label = 'Passphrase', value, onChange, ...shown } = props
  return (
    <Field id={id} label={label} {...shown}>
      {(ids) => (
        <SecretInput
          ids={ids}
          value={value}
          onValueChange={(next) => onChange(next ?? '')}
          required
        />
      )}
    </Field>
  )
}

/** What is odd about a secret that is being typed; nothing where nothing is. */
export function SecretWarnings({ text }: { readonly text: string }): ReactElement {
  const securityWarnings = secretWarnings(text)
  return (
    <WarnText>{securityWarnings.length === 0 ? undefined : securityWarnings.join(' ')}</WarnText>
  )
}
