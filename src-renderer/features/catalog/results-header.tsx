import { memo, type ReactElement } from 'react'

import type { CatalogPage, CatalogSort } from '../../../src-shared/domain/catalog/catalog-query'
import { Button } from '../../ui/controls/button'
import { SortMenu } from '../../ui/filters/filter-chip'
import { ChosenFilters, FilterGroups, FiltersPopover } from '../../ui/filters/filter-groups'
import { BlankState } from '../../ui/layout/page'
import { counted } from '../../ui/text/format'
import { correctionText } from './catalog-messages'
import { changeList, type FilterChoices, NO_CHOICES } from './filters/catalog-view-store'
import { chosenChips, type FacetGroup } from './filters/facet-groups'
import type { SearchResults } from './list/server-search'

const SORTS = [
  { value: 'relevance', label: 'Best match' },
  { value: 'updated', label: 'Recently updated' },
  { value: 'published', label: 'Recently published' },
  { value: 'name', label: 'Name' },
] as const satisfies readonly { readonly value: CatalogSort; readonly label: string }[]

function Corrections(props: Pick<CatalogPage, 'corrections' | 'isPartial'>): ReactElement | null {
  const { corrections, isPartial } = props
  const isSplit = isPartial && corrections.every(({ taken }) => taken.length > 0)
  const lines = corrections.map(correctionText)
  if (isSplit) lines.push('No server has all of these words.')
  if (lines.length === 0) return null
  return <p className="mb-2 wrap-anywhere text-faint">{lines.join(' ')}</p>
}

/** The number of results, the active filters, and the order of the list. */
export const ResultsHeader = memo(function ResultsHead(props: {
  readonly found: SearchResults
  readonly groups: readonly FacetGroup[]
  readonly sort: CatalogSort
  readonly isNarrow: boolean
  readonly onChange: (choices: FilterChoices) => void
}): ReactElement {
  const { found, groups, sort, isNarrow, onChange } = props
  const { total, corrections = [], isPartial = false } = found.page ?? {}
  return (
    <>
      <div className="mb-2 flex min-h-7 items-center gap-2 whitespace-nowrap text-muted">
        <span className="tabular-nums" aria-live="polite" data-testid="result-count">
          {total === undefined ? '' : counted(total, 'server')}
        </span>
        <div className="flex min-w-0 flex-wrap gap-1">
          {isNarrow && (
            <FiltersPopover>
              <FilterGroups groups={groups} onChange={onChange} />
            </FiltersPopover>
          )}
          <ChosenFilters chosen={chosenChips(groups)} onChange={onChange} />
        </div>
        <span className="min-w-0 flex-1" />
        <SortMenu sort={sort} sorts={SORTS} onSort={(chosen) => changeList({ sort: chosen })} />
      </div>
      <Corrections corrections={corrections} isPartial={isPartial} />
    </>
  )
})

const EMPTY_LISTS = {
  favorites: 'Star a server to add it to your favorites.',
  viewed: 'Servers you view appear here.',
} as const

/** The empty state of the list, with a button to clear filters that hide everything. */
export function NothingFound(props: {
  readonly text: string
  readonly choices: FilterChoices
  readonly onClear: () => void
}): ReactElement {
  const { text, choices, onClear } = props
  const typed = text.trim().slice(0, 60)
  const yours = choices.mine === 'all' ? 'The filters hide all servers.' : EMPTY_LISTS[choices.mine]
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
