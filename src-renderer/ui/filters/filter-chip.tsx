import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { JSX } from 'react'

import { Menu, MenuChoices } from '../controls/menu'

/** One filter of a list: says what is chosen, and opens the choices. */
export function FilterChip({
  label,
  chosen,
  isSet,
  children,
}: {
  readonly label: string
  readonly chosen: string
  /** Whether it leaves anything out. */
  readonly isSet: boolean
  /** The choices. */
  readonly children: JSX.Element
}): JSX.Element {
  return (
    <Menu
      align="start"
      label={label}
      trigger={
        <button
          type="button"
          className={clsx('chip narrow', isSet && 'is-set')}
          aria-label={`${label}: ${chosen}`}
        >
          <span className="cut">{chosen}</span>
          <ChevronDown className="icon icon-s" aria-hidden />
        </button>
      }
    >
      {children}
    </Menu>
  )
}

/** An answer to a filter. */
export type FilterOption<T extends string> = { readonly value: T; readonly label: string }

/** A filter with one answer of several; the first one leaves nothing out. */
export function ChoiceChip<T extends string>({
  label,
  value,
  options,
  onChoose,
}: {
  readonly label: string
  readonly value: T
  readonly options: readonly FilterOption<T>[]
  readonly onChoose: (value: T) => void
}): JSX.Element {
  const chosen = options.find((option) => option.value === value)?.label ?? value
  return (
    <FilterChip label={label} chosen={chosen} isSet={value !== options[0]?.value}>
      <MenuChoices value={value} choices={options} onChange={onChoose} />
    </FilterChip>
  )
}
