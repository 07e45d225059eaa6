import type { ReactElement } from 'react'

import type { ControlIds } from '../../ui/fields/field'
import { visibleText } from '../../ui/text/visible-text'

/** All choices in sight: one of them can be taken, or `isMany` of them. */
export function ChoiceList(props: {
  readonly ids: ControlIds
  readonly isMany: boolean
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: string[]) => void
  /** Gets the first choice. */
  readonly focusRef: (element: HTMLElement | null) => void
}): ReactElement {
  const { ids, isMany, choices, chosen, onChoose, focusRef } = props
  const { id, ...described } = ids
  const choose = (value: string, isTaken: boolean): void => {
    if (!isMany) onChoose([value])
    // In the order of the list, whatever the order of the clicks was.
    else
      onChoose(
        choices
          .map((choice) => choice.value)
          .filter((one) => (one === value ? isTaken : chosen.includes(one))),
      )
  }
  return (
    <div
      {...described}
      className="mid ring-room scroll stack"
      role={isMany ? 'group' : 'radiogroup'}
      aria-labelledby={`${id}-label`}
    >
      {choices.map(({ value, label }, index) => (
        <label key={value} className="tall row gap-2 slim break">
          <input
            ref={index === 0 ? focusRef : undefined}
            type={isMany ? 'checkbox' : 'radio'}
            className="check"
            name={id}
            checked={chosen.includes(value)}
            onChange={(event) => choose(value, event.currentTarget.checked)}
          />
          {visibleText(label)}
        </label>
      ))}
    </div>
  )
}
