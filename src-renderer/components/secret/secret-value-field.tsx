import type { ReactElement, ReactNode } from 'react'

import { Field } from '../../ui/fields/field'
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
