import { ArrowDownUp, ListFilter, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { memo } from 'react'

import type { CatalogPage, CatalogSort } from '../../../src-shared/domain/catalog/catalog-query'
import { Button } from '../../ui/controls/button'
import { Menu, MenuChoices } from '../../ui/controls/menu'
import { Popover } from '../../ui/overlays/popover'
import { counted } from '../../ui/text/elapsed'
import { correctionText } from './catalog-words'
import { changeList } from './filters/catalog-view-store'
import { chosenChips, type FacetGroup } from './filters/facet-groups'
import { FacetList } from './filters/facet-list'
import type { FilterChoices } from './filters/filter-choices'
import type { FoundServers } from './list/found-servers'

const SORTS = [
  { value: 'relevance', label: 'Best match' },
  { value: 'updated', label: 'Updated last' },
  { value: 'published', label: 'Published last' },
  { value: 'name', label: 'Name' },
] as const satisfies readonly { readonly value: CatalogSort; readonly label: string }[]

function SortMenu({ sort }: { readonly sort: CatalogSort }): ReactElement {
  const { label } = SORTS.find(({ value }) => value === sort) ?? SORTS[0]
  return (
    <Menu
      label="Sort by"
      trigger={
        <Button variant="quiet" size="small" icon={ArrowDownUp} aria-label={`Sorted by: ${label}`}>
          <span className="hide-narrow">{label}</span>
        </Button>
      }
    >
      <MenuChoices
        value={sort}
        choices={SORTS}
        onChange={(chosen) => changeList({ sort: chosen })}
      />
    </Menu>
  )
}

/** What is chosen, each with a way to drop it; in a narrow window with all that could be. */
function Chips(props: {
  readonly groups: readonly FacetGroup[]
  readonly isNarrow: boolean
  readonly onChange: (choices: FilterChoices) => void
}): ReactElement {
  const { groups, isNarrow, onChange } = props
  const chips = chosenChips(groups)
  return (
    <div className="chips flex wrap gap-1 slim">
      {isNarrow && (
        <Popover
          label="Filters"
          trigger={
            <button type="button" className="chip">
              <ListFilter className="icon icon-s" aria-hidden />
              Filters
            </button>
          }
        >
          <div className="facets col gap-5">
            <FacetList groups={groups} onChange={onChange} />
          </div>
        </Popover>
      )}
      {chips.map(({ title, label, cleared }) => (
        <button
          key={title}
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
    </div>
  )
}

function Corrections({ corrections }: Pick<CatalogPage, 'corrections'>): ReactElement | null {
  if (corrections.length === 0) return null
  return <p className="faint below-2 break">{corrections.map(correctionText).join(' ')}</p>
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
  const { total, corrections = [] } = found.page ?? {}
  return (
    <>
      <div className="results-head tall row gap-2 below-2 soft nowrap">
        <span className="num" aria-live="polite">
          {total === undefined ? '' : counted(total, 'server')}
        </span>
        <Chips groups={groups} isNarrow={isNarrow} onChange={onChange} />
        <span className="grow" />
        <SortMenu sort={sort} />
      </div>
      <Corrections corrections={corrections} />
    </>
  )
})
