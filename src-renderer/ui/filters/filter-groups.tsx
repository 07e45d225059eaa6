import { ListFilter, X } from 'lucide-react'
import { type JSX, memo, type ReactNode } from 'react'

import { Popover } from '../overlays/popover'
import { formatCount } from '../text/format'

/** A filter of a list with its choices. */
export type FilterGroup<Choice> = {
  readonly title: string
  readonly options: readonly {
    readonly label: string
    readonly isChosen: boolean
    /** Number of rows that it would leave; undefined if not counted. */
    readonly count: number | undefined
    /** Returns the filter's value after a click. */
    readonly toggle: () => Choice
  }[]
}

function GroupList<Choice>(props: {
  readonly groups: readonly FilterGroup<Choice>[]
  readonly onChange: (choice: Choice) => void
}): JSX.Element {
  const { groups, onChange } = props
  return (
    <>
      {groups.map(({ title, options }) => (
        <fieldset key={title}>
          <legend className="mb-1 text-small font-medium text-faint">{title}</legend>
          {options.map(({ label, isChosen, count, toggle }) => (
            <label
              key={label}
              className={
                count === 0 && !isChosen
                  ? 'flex min-h-7 items-center gap-2 text-faint'
                  : 'flex min-h-7 items-center gap-2'
              }
            >
              <input
                type="checkbox"
                className="check"
                checked={isChosen}
                onChange={() => onChange(toggle())}
              />
              <span className="truncate">{label}</span>{' '}
              {count === undefined ? null : (
                <span className="ms-auto text-small text-faint tabular-nums">
                  {formatCount(count)}
                </span>
              )}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  )
}

/** The filters, each with the counts of its choices. */
export const FilterGroups = memo(GroupList) as typeof GroupList

/** Opens the filters if they are not next to the list; counts are computed while they are visible. */
export function FiltersPopover({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    <Popover
      label="Filters"
      trigger={
        <button type="button" className="chip">
          <ListFilter className="icon icon-s" aria-hidden />
          Filters
        </button>
      }
    >
      <div className="facets flex flex-col gap-5">{children}</div>
    </Popover>
  )
}

/** The active filters, each with a button that removes it. */
export function ChosenFilters<Choice>(props: {
  readonly chosen: readonly {
    readonly title: string
    readonly label: string
    readonly cleared: Choice
  }[]
  readonly onChange: (choice: Choice) => void
}): JSX.Element {
  const { chosen, onChange } = props
  return (
    <>
      {chosen.map(({ title, label, cleared }) => (
        <button
          key={`${title} ${label}`}
          type="button"
          className="chip"
          aria-pressed
          aria-label={`${title}: ${label}. Remove this filter`}
          onClick={() => onChange(cleared)}
        >
          {label}
          <X className="icon icon-s" aria-hidden />
        </button>
      ))}
    </>
  )
}
