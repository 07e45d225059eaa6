import {
  hashKey,
  type QueryClient,
  type QueryKey,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import pLimit from 'p-limit'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { createStore } from 'zustand/vanilla'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { CatalogPage, CatalogQuery } from '../../../../src-shared/domain/catalog/catalog-query'
import { RunnerName } from '../../../../src-shared/domain/runner-name'
import { call } from '../../../ipc/call'
import { useCatalog, useNow } from '../../../stores/app-store'
import { useRunners } from '../entry/entry-facts'
import { recentTo, toFilter, useCatalogView } from '../filters/catalog-view-store'

/** Number of servers in one page. */
export const PAGE_SIZE = 60
/** Cache time of an unused page, in ms: deleting letters repeats recent queries. */
const CACHE_MS = 300_000
const CHANNEL = 'catalog.query'
/** Identifies this window among those that search at the same time. */
const WINDOW = crypto.randomUUID()
/** Loads further pages one at a time, so that a page that was scrolled past is not loaded. */
const inTurn = pLimit(1)

/** A query without its page, and the catalog edition that it runs on. */
export type SearchQuery = {
  readonly query: Omit<CatalogQuery, 'offset' | 'limit'>
  readonly edition: number | undefined
  /** Unique for each list; a new list starts at its top. */
  readonly list: string
}

/** Returns the query options for one page of a list, loaded once for each edition. */
export function pageQuery(
  { query, edition }: SearchQuery,
  pageIndex: number,
): UseQueryOptions<CatalogPage> {
  const load = async (searchBox: string, signal: AbortSignal): Promise<CatalogPage> => {
    signal.throwIfAborted()
    const part = {
      offset: pageIndex * PAGE_SIZE,
      limit: PAGE_SIZE,
      searchBox: `${WINDOW} ${searchBox}`,
    }
    const page = await call(CHANNEL, { ...query, ...part })
    if (page) return page
    throw new AppError('REQUEST_CANCELLED', 'A newer search replaced this one.')
  }
  return {
    queryKey: [...keyOf(query, pageIndex), edition ?? null],
    queryFn: ({ signal }) =>
      pageIndex === 0 ? load('first', signal) : inTurn(() => load('more', signal)),
    staleTime: Infinity,
    gcTime: CACHE_MS,
  }
}

/** Query keys match by prefix, and objects in them partially. A hash makes the match exact. */
function keyOf(query: SearchQuery['query'], pageIndex: number): QueryKey {
  return [CHANNEL, hashKey([query]), pageIndex]
}

/** Returns a page from an older edition, shown until the newest one arrives. */
export function olderPage(
  queries: QueryClient,
  { query }: SearchQuery,
  pageIndex: number,
): CatalogPage | undefined {
  const cached = queries.getQueriesData<CatalogPage>({ queryKey: keyOf(query, pageIndex) })
  return cached.findLast(([, page]) => page)?.[1]
}

/** The shown results, until those of the next query arrive. */
export type SearchResults = {
  readonly search: SearchQuery
  /** The first page; undefined before the first result, and after a failure without an older result. */
  readonly page: CatalogPage | undefined
  /** Error of the last query, until the next success. */
  readonly failure: Error | null
}

/** The state before the first query. */
export const NO_RESULTS: SearchResults = {
  search: { query: { text: '' }, edition: undefined, list: '' },
  page: undefined,
  failure: null,
}

/** Returns the query to run now. Until there is a first result, that is the first query, because no other could be faster. */
export function activeQuery(
  { page, failure }: SearchResults,
  opening: SearchQuery,
  wanted: SearchQuery,
): SearchQuery {
  return page || failure ? wanted : opening
}

/** Returns the shown results after a state change of the current query. */
export function resultsAfter(
  shown: SearchResults,
  search: SearchQuery,
  { data, error }: Pick<UseQueryResult<CatalogPage>, 'data' | 'error'>,
): SearchResults {
  const failure = error ?? (data ? null : shown.failure)
  if (data && data !== shown.page) return { search, page: data, failure }
  if (failure === shown.failure) return shown
  // An older empty result says nothing about the failed query.
  const page = failure && !shown.page?.total ? undefined : shown.page
  return { ...shown, page, failure }
}

const HOUR_MS = 3_600_000
const NONE: readonly never[] = []

/** The last shown results, which appear immediately when the user returns. */
const lastResults = createStore<SearchResults>(() => NO_RESULTS)

function useWantedQuery(): SearchQuery {
  const query = useCatalogView('query')
  const sort = useCatalogView('sort')
  const choices = useCatalogView('choices')
  const runners = useRunners()
  const { favorites = NONE, viewed = NONE, edition } = useCatalog() ?? {}
  const now = useNow(HOUR_MS)
  // Marks change the query only if the list is filtered by them.
  const marks = choices.mine === 'favorites' ? favorites : choices.mine === 'viewed' ? viewed : NONE
  return useMemo(() => {
    // Any runner may be present while the result is unknown.
    const installedRunners = runners ?? RunnerName.options
    const context = { runners: installedRunners, favorites: marks, viewed: marks, now }
    const catalogQuery = {
      text: query.slice(0, 1_000),
      sort,
      filter: toFilter(choices, context),
      runnersHere: [...installedRunners],
      recent: recentTo(now),
    }
    return { query: catalogQuery, edition, list: JSON.stringify([query, sort, choices]) }
  }, [query, sort, choices, runners, marks, now, edition])
}

/** Returns the results for the view; reloads when the catalog changes. */
export function useServerSearch(): { readonly found: SearchResults; readonly retry: () => void } {
  const wanted = useWantedQuery()
  const [opening] = useState(wanted)
  const [shown, setShown] = useState(lastResults.getState)
  const active = activeQuery(shown, opening, wanted)
  const { data, error, refetch } = useQuery(pageQuery(active, 0))
  const results = resultsAfter(shown, active, { data, error })
  if (results !== shown) setShown(results)
  useEffect(() => lastResults.setState(results), [results])
  const retry = useCallback(() => void refetch(), [refetch])
  return useMemo(() => ({ found: results, retry }), [results, retry])
}
