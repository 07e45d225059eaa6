import clsx from 'clsx'
import { ArrowDownUp, ChevronDown } from 'lucide-react'
import type { JSX } from 'react'

import { Button } from '../controls/button'
import { Menu, MenuChoices } from '../controls/menu'

/** One filter of a list: shows its choice, and opens the choices. */
export function FilterChip(props: {
  readonly label: string
  readonly chosen: string
  /** Whether it filters anything. */
  readonly isSet: boolean
  readonly children: JSX.Element
}): JSX.Element {
  const { label, chosen, isSet, children } = props
  return (
    <Menu
      align="start"
      label={label}
      trigger={
        <button
          type="button"
          className={clsx('chip max-w-64', isSet && 'is-set')}
          aria-label={`${label}: ${chosen}`}
        >
          <span className="truncate">{chosen}</span>
          <ChevronDown className="icon icon-s" aria-hidden />
        </button>
      }
    >
      {children}
    </Menu>
  )
}

/** One choice of a filter. */
export type FilterOption<T extends string> = { readonly value: T; readonly label: string }

/** A filter with exclusive choices; the first one filters nothing. */
export function ChoiceChip<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly options: readonly FilterOption<T>[]
  readonly onChoose: (value: T) => void
}): JSX.Element {
  const { label, value, options, onChoose } = props
  const chosen = options.find((option) => option.value === value)?.label ?? value
  return (
    <FilterChip label={label} chosen={chosen} isSet={value !== options[0]?.value}>
      <MenuChoices value={value} choices={options} onChange={onChoose} />
    </FilterChip>
  )
}

/** The sort order of a list. */
export function SortMenu<Sort extends string>(props: {
  readonly sort: Sort
  readonly sorts: readonly { readonly value: Sort; readonly label: string }[]
  readonly onSort: (sort: Sort) => void
}): JSX.Element {
  const { sort, sorts, onSort } = props
  const label = sorts.find(({ value }) => value === sort)?.label ?? sort
  return (
    <Menu
      label="Sort by"
      trigger={
        <Button variant="quiet" size="small" icon={ArrowDownUp} aria-label={`Sorted by: ${label}`}>
          <span className="hide-narrow">{label}</span>
        </Button>
      }
    >
      <MenuChoices value={sort} choices={sorts} onChange={onSort} />
    </Menu>
  )
}
