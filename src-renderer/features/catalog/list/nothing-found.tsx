import type { ReactElement } from 'react'

import { Button } from '../../../ui/controls/button'
import { BlankState } from '../../../ui/layout/blank-state'
import { type FilterChoices, NO_CHOICES } from '../filters/filter-choices'

const NOTHING_YOURS = {
  favourites: 'Star a server to add it to your favorites.',
  viewed: 'Servers you view appear here.',
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
  const yours =
    choices.mine === 'all' ? 'The filters hide all servers.' : NOTHING_YOURS[choices.mine]
  const isFiltered = JSON.stringify(choices) !== JSON.stringify(NO_CHOICES)
  return (
    <BlankState
      art="open"
      title={typed === '' ? 'No servers' : `No results for “${typed}”`}
      message={
        isFiltered
          ? yours
          : typed === ''
            ? 'Sync a registry to see servers here.'
            : 'Try a shorter search.'
      }
      action={isFiltered ? <Button onClick={onClear}>Clear filters</Button> : undefined}
    />
  )
}
