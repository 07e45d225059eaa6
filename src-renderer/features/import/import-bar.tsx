import type { JSX } from 'react'

import { Button } from '../../ui/controls/button'
import { SearchField } from '../../ui/controls/search-field'
import { Select } from '../../ui/controls/select'
import { counted, formatCount } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'
import type { FoundRow } from './found-rows'
import { hostNames } from './found-rows'
import { enterRows } from './import-list'

/** Fewer are seen at a glance. */
const MANY = 8

/** What of the found servers is listed; an empty host stands for all. */
export type ListFilter = { readonly host: string; readonly query: string }

function HostSelect(props: {
  readonly all: readonly FoundRow[]
  readonly host: string
  readonly onChange: (host: string) => void
}): JSX.Element | null {
  const { all, host, onChange } = props
  const hosts = Map.groupBy(
    all.flatMap((row) => hostNames(row)),
    (name) => name,
  )
  if (hosts.size < 2) return null
  return (
    <Select
      aria-label="App"
      value={host}
      options={[
        { value: '', label: `All apps (${formatCount(all.length)})` },
        ...[...hosts].map(([name, { length }]) => ({
          value: name,
          label: `${visibleText(name)} (${formatCount(length)})`,
        })),
      ]}
      onValueChange={onChange}
    />
  )
}

/** Narrows the list, and ticks or unticks all that it shows. */
export function ImportBar(props: {
  readonly all: readonly FoundRow[]
  readonly shown: readonly FoundRow[]
  readonly filter: ListFilter
  readonly onFilter: (filter: ListFilter) => void
  readonly onTick: (isTicked: boolean) => void
}): JSX.Element {
  const { all, shown, filter, onFilter, onTick } = props
  const isNarrowed = shown.length < all.length
  return (
    <div className="import-bar list-bar row wrap gap-2 fixed ruled">
      {all.length > MANY && (
        <SearchField
          label="Search found servers"
          placeholder="Search servers"
          value={filter.query}
          meta={isNarrowed ? `${formatCount(shown.length)} found` : undefined}
          onChange={(query) => onFilter({ ...filter, query })}
          onArrowDown={enterRows}
        />
      )}
      <HostSelect all={all} host={filter.host} onChange={(host) => onFilter({ ...filter, host })} />
      <span className="grow num soft cut" aria-live="polite">
        {isNarrowed
          ? `${formatCount(shown.length)} of ${counted(all.length, 'server')}`
          : counted(all.length, 'server')}
      </span>
      <Button size="small" variant="quiet" onClick={() => onTick(true)}>
        {isNarrowed ? 'Select all shown' : 'Select all'}
      </Button>
      <Button size="small" variant="quiet" onClick={() => onTick(false)}>
        {isNarrowed ? 'Clear all shown' : 'Clear all'}
      </Button>
    </div>
  )
}
