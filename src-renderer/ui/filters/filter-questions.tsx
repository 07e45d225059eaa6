import { ListFilter, X } from 'lucide-react'
import { type JSX, memo, type ReactNode } from 'react'

import { Popover } from '../overlays/popover'
import { formatCount } from '../text/format'

/** A filter of a list as a question with its answers. */
export type FilterQuestion<Choice> = {
  readonly title: string
  readonly options: readonly {
    readonly label: string
    readonly isChosen: boolean
    /** How much it would leave; undefined where that is not counted. */
    readonly count: number | undefined
    /** What is chosen once it is pressed. */
    readonly toggle: () => Choice
  }[]
}

function Questions<Choice>(props: {
  readonly questions: readonly FilterQuestion<Choice>[]
  readonly onChange: (choice: Choice) => void
}): JSX.Element {
  const { questions, onChange } = props
  return (
    <>
      {questions.map(({ title, options }) => (
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

/** The questions, each with what its answers would leave. */
export const FilterQuestions = memo(Questions) as typeof Questions

/** Opens the questions where they do not stand beside the list; they are counted while they are seen. */
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

/** What is chosen, each with a way to drop it. */
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
