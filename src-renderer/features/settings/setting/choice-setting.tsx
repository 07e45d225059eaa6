import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import { Segmented } from '../../../ui/controls/segmented'
import { ProblemText } from '../../../ui/fields/problem-text'
import { ResetButton } from './setting-field'

/** A setting with a few values side by side, saved at once. */
export function ChoiceField<T extends string>(props: {
  readonly id: string
  readonly label: string
  readonly value: T
  /** What a reset goes back to. */
  readonly standard: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly hint?: ReactNode
  readonly onSave: (value: T) => Promise<string | undefined>
}): ReactElement {
  const { id, label, value, standard, options, hint, onSave } = props
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const save = (next: T): void => void onSave(next).then(setProblem)
  const hasHint = hint !== undefined
  return (
    <div className="field stack gap-1">
      <div className="label flex at-base gap-2 slim medium">
        <span id={`${id}-label`}>{label}</span>
        {value !== standard && (
          <ResetButton
            id={id}
            standard={options.find((one) => one.value === standard)?.label}
            onReset={() => save(standard)}
          />
        )}
      </div>
      <div>
        <Segmented
          id={id}
          label={label}
          value={value}
          options={options}
          aria-describedby={hasHint ? `${id}-hint` : undefined}
          onValueChange={save}
        />
      </div>
      {hasHint && (
        <p className="soft small pretty break" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : <ProblemText>{problem}</ProblemText>}
    </div>
  )
}
