import type { ReactElement } from 'react'
import { memo } from 'react'

import type { CatalogPage, CatalogSort } from '../../../src-shared/domain/catalog/catalog-query'
import { ChosenFilters, FilterQuestions, FiltersPopover } from '../../ui/filters/filter-questions'
import { SortMenu } from '../../ui/filters/sort-menu'
import { counted } from '../../ui/text/format'
import { correctionText } from './catalog-messages'
import { changeList } from './filters/catalog-view-store'
import { chosenChips, type FacetGroup } from './filters/facet-groups'
import type { FilterChoices } from './filters/filter-choices'
import type { FoundServers } from './list/found-servers'

const SORTS = [
  { value: 'relevance', label: 'Best match' },
  { value: 'updated', label: 'Recently updated' },
  { value: 'published', label: 'Recently published' },
  { value: 'name', label: 'Name' },
] as const satisfies readonly { readonly value: CatalogSort; readonly label: string }[]

/** What is chosen, each with a way to drop it; in a narrow window with all that could be. */
function Chips(props: {
  readonly groups: readonly FacetGroup[]
  readonly isNarrow: boolean
  readonly onChange: (choices: FilterChoices) => void
}): ReactElement {
  const { groups, isNarrow, onChange } = props
  return (
    <div className="chips flex wrap gap-1 slim">
      {isNarrow && (
        <FiltersPopover>
          <FilterQuestions questions={groups} onChange={onChange} />
        </FiltersPopover>
      )}
      <ChosenFilters chosen={chosenChips(groups)} onChange={onChange} />
    </div>
  )
}

function Corrections({
  corrections,
  isPartial,
}: Pick<CatalogPage, 'corrections' | 'isPartial'>): ReactElement | null {
  const isSplit = isPartial && corrections.every(({ taken }) => taken.length > 0)
  const lines = corrections.map(correctionText)
  if (isSplit) lines.push('No server has all of these words.')
  if (lines.length === 0) return null
  return <p className="faint below-2 break">{lines.join(' ')}</p>
}

/** How much is found, what is chosen, and the order of the list. */
export const ResultsHead = memo(function ResultsHead(props: {
  readonly found: FoundServers
  readonly groups: readonly FacetGroup[]
  readonly sort: CatalogSort
  readonly isNarrow: boolean
  readonly onChange: (choices: FilterChoices) => void
}): ReactElement {
  const { found, groups, sort, isNarrow, onChange } = props
  const { total, corrections = [], isPartial = false } = found.page ?? {}
  return (
    <>
      <div className="results-head tall row gap-2 below-2 soft nowrap">
        <span className="num" aria-live="polite" data-testid="result-count">
          {total === undefined ? '' : counted(total, 'server')}
        </span>
        <Chips groups={groups} isNarrow={isNarrow} onChange={onChange} />
        <span className="grow" />
        <SortMenu sort={sort} sorts={SORTS} onSort={(chosen) => changeList({ sort: chosen })} />
      </div>
      <Corrections corrections={corrections} isPartial={isPartial} />
    </>
  )
})
