import type { ReactElement, ReactNode } from 'react'

import { secretWarnings } from '../../../src-shared/form/secret-warnings'
import { Field } from '../../ui/fields/field'
import { WarnText } from '../../ui/fields/problem-text'
import { SecretInput } from '../../ui/fields/secret-input'

/** A secret or passphrase that is typed in a dialog. */
export function SecretValueField({
  id,
  label = 'Passphrase',
  value,
  onChange,
  ...shown
}: {
  readonly id: string
  readonly label?: string
  readonly hint?: ReactNode
  readonly problem: string | undefined
  readonly below?: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
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
