import type { ReactElement } from 'react'

import { Button } from '../../../ui/controls/button'
import { BlankState } from '../../../ui/layout/blank-state'
import { type FilterChoices, NO_CHOICES } from '../filters/filter-choices'

const NOTHING_YOURS = {
  favourites: 'The star beside the name of a server makes it a favourite.',
  viewed: 'Servers are listed here once they were looked at.',
} as const

/** What stands in the place of an empty list, and the way out of filters that leave nothing. */
export function NothingFound(props: {
  /** What was searched. */
  readonly text: string
  readonly choices: FilterChoices
  readonly onClear: () => void
}): ReactElement {
  const { text, choices, onClear } = props
  const typed = text.trim().slice(0, 60)
  const yours = choices.mine === 'all' ? 'The filters leave nothing.' : NOTHING_YOURS[choices.mine]
  const isFiltered = JSON.stringify(choices) !== JSON.stringify(NO_CHOICES)
  return (
    <BlankState
      art="open"
      title={typed === '' ? 'Nothing here' : `No server matches “${typed}”`}
      message={
        isFiltered ? yours : typed === '' ? 'The catalog is empty.' : 'Shorter words find more.'
      }
      action={isFiltered ? <Button onClick={onClear}>Clear the filters</Button> : undefined}
    />
  )
}
