import type { ReactElement } from 'react'

import { useApp } from '../../../stores/app-store'
import { Field } from '../../../ui/fields/field'
import { TextInput } from '../../../ui/fields/text-input'
import { type LimitName, LIMITS } from '../values/limits'

/** One time limit in seconds; empty shows that of Settings. */
export function LimitField(props: {
  readonly name: LimitName
  readonly value: string
  readonly onValueChange: (text: string) => void
  readonly problem: string | undefined
}): ReactElement {
  const { name, value, onValueChange, problem } = props
  const { id, label, hint, budget } = LIMITS[name]
  const standard = useApp((state) => state.app?.settings[budget])
  return (
    <Field id={id} label={`${label}, seconds`} hint={hint} problem={problem}>
      {(ids) => (
        <TextInput
          {...ids}
          className="num"
          inputMode="decimal"
          placeholder={standard === undefined ? undefined : String(standard / 1000)}
          value={value}
          onValueChange={onValueChange}
        />
      )}
    </Field>
  )
}
