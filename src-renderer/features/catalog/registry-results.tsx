import type { ReactElement } from 'react'

import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { BlankState } from '../../ui/blank-state'
import { Button } from '../../ui/button'
import { Skeleton } from '../../ui/skeleton'
import type { RegistrySearch } from './use-registry-search'

type RegistryResultsProps = {
  readonly search: RegistrySearch
  readonly query: string
  /** What of the answer is not listed already. */
  readonly entries: readonly CatalogEntry[]
  readonly onRetry: () => void
  readonly list: ReactElement
}

function countText({ search, entries }: RegistryResultsProps): string {
  if (search.kind !== 'found') return ''
  return search.more ? `first ${entries.length}` : `${entries.length} found`
}

function Body(props: RegistryResultsProps): ReactElement {
  const { search, query, entries, onRetry, list } = props
  switch (search.kind) {
    case 'idle':
      return <p className="faint registry-words">Type two letters to search the whole registry.</p>
    case 'searching':
      return <Skeleton label="Searching the registry" rows={3} />
    case 'failed':
      return (
        <div role="alert">
          <BlankState
            art="cut"
            title={search.problem.message}
            message={search.problem.hint ?? 'The servers above are still there.'}
            action={<Button onClick={onRetry}>Try again</Button>}
          />
        </div>
      )
    case 'found':
      return entries.length > 0 ? (
        list
      ) : (
        <BlankState
          art="open"
          title="Nothing found in the registry"
          message={`No further server has “${query.trim().slice(0, 60)}” in its name. Shorter words find more.`}
        />
      )
  }
}

/** What the registry answers to the query, in its own section. */
export function RegistryResults(props: RegistryResultsProps): ReactElement {
  return (
    <section aria-labelledby="from-registry">
      <div className="section-head">
        <h2 id="from-registry">From the registry</h2>
        <span className="count" aria-live="polite">
          {countText(props)}
        </span>
      </div>
      <Body {...props} />
    </section>
  )
}
