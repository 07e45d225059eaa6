import type { ReactElement } from 'react'
import { memo } from 'react'

import { formatCount } from '../../../ui/text/elapsed'
import type { FacetGroup } from './facet-groups'
import type { FilterChoices } from './filter-choices'

/** The choices of a filter, a group for each question, with what each would show. */
export const FacetList = memo(function FacetList({
  groups,
  onChange,
}: {
  readonly groups: readonly FacetGroup[]
  readonly onChange: (choices: FilterChoices) => void
}): ReactElement {
  return (
    <>
      {groups.map(({ title, options }) => (
        <fieldset key={title}>
          <legend className="below-1 small medium faint">{title}</legend>
          {options.map(({ label, isChosen, count, toggle }) => (
            <label
              key={label}
              className={count === 0 && !isChosen ? 'tall row gap-2 faint' : 'tall row gap-2'}
            >
              <input
                type="checkbox"
                className="check"
                checked={isChosen}
                onChange={() => onChange(toggle())}
              />
              <span className="cut">{label}</span>
              {count === undefined ? null : (
                <span className="faint num small to-end">{formatCount(count)}</span>
              )}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  )
})
