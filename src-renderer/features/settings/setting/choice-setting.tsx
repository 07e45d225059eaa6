import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import { Segmented } from '../../../ui/controls/segmented'
import { ProblemText } from '../../../ui/fields/problem-text'

/** A setting with a few values side by side, saved at once. */
export function ChoiceField<T extends string>(props: {
  readonly id: string
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly hint?: ReactNode
  readonly onSave: (value: T) => Promise<string | undefined>
}): ReactElement {
  const { id, label, value, options, hint, onSave } = props
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const hasHint = hint !== undefined
  return (
    <div className="field">
      <div className="label">
        <span>{label}</span>
      </div>
      <div>
        <Segmented
          id={id}
          label={label}
          value={value}
          options={options}
          aria-describedby={hasHint ? `${id}-hint` : undefined}
          onValueChange={(next) => void onSave(next).then(setProblem)}
        />
      </div>
      {hasHint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : <ProblemText>{problem}</ProblemText>}
    </div>
  )
}
