import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { createStore } from 'zustand/vanilla'

import { RunnerName } from '../../../src-shared/domain/runner-name'
import { useCatalog } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { useRunners } from './entry/machine'
import { useCatalogView } from './filters/catalog-view-store'
import { recentTo, toFilter } from './filters/filter-choices'
import {
  activeQuery,
  foundAfter,
  type FoundServers,
  NOTHING_YET,
  pageQuery,
  type SearchQuery,
} from './list/found-servers'

const HOUR_MS = 3_600_000
const NONE: readonly never[] = []

/** What was shown last: who comes back sees it at once. */
const lastFound = createStore<FoundServers>(() => NOTHING_YET)

function useWished(): SearchQuery {
  const query = useCatalogView('query')
  const sort = useCatalogView('sort')
  const choices = useCatalogView('choices')
  const runners = useRunners()
  const { favourites = NONE, viewed = NONE, edition } = useCatalog() ?? {}
  const now = useNow(HOUR_MS)
  // Other marks are another question only where the list is of them.
  const marks =
    choices.mine === 'favourites' ? favourites : choices.mine === 'viewed' ? viewed : NONE
  return useMemo(() => {
    // Any runner may be there while nobody knows.
    const here = runners ?? RunnerName.options
    const place = { runners: here, favourites: marks, viewed: marks, now }
    const question = {
      text: query.slice(0, 1_000),
      sort,
      filter: toFilter(choices, place),
      runnersHere: [...here],
      recent: recentTo(now),
    }
    return { question, edition, list: JSON.stringify([query, sort, choices]) }
  }, [query, sort, choices, runners, marks, now, edition])
}

/** What the view asks for, as far as it is known; asked again when the catalog changes. */
export function useFoundServers(): { readonly found: FoundServers; readonly retry: () => void } {
  const wished = useWished()
  const [opening] = useState(wished)
  const [shown, setShown] = useState(lastFound.getState)
  const asked = activeQuery(shown, opening, wished)
  const { data, error, refetch } = useQuery(pageQuery(asked, 0))
  const found = foundAfter(shown, asked, { data, error })
  if (found !== shown) setShown(found)
  useEffect(() => lastFound.setState(found), [found])
  const retry = useCallback(() => void refetch(), [refetch])
  return useMemo(() => ({ found, retry }), [found, retry])
}
