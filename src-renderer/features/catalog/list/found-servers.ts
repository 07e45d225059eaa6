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
import { recentTo, toFilter, useCatalogView } from '../filters/facet-groups'

/** Servers of one request. */
export const PAGE_SIZE = 60
/** So long a page stays that nobody looks at, in ms: who takes letters back asks again what was asked just before. */
const STAYS_MS = 300_000
const CHANNEL = 'catalog.query'
/** Names this window among those that search at the same time. */
const WINDOW = crypto.randomUUID()
/** Further pages are read one after the other, so that one that was scrolled past meanwhile is not asked for. */
const inTurn = pLimit(1)

/** A question without its part, and the edition of the catalog that it is put to. */
export type SearchQuery = {
  readonly question: Omit<CatalogQuery, 'offset' | 'limit'>
  readonly edition: number | undefined
  /** Another text for each other list, which begins at its top. */
  readonly list: string
}

/** Asks for the page at a place of a list, once for each edition. */
export function pageQuery(
  { question, edition }: SearchQuery,
  place: number,
): UseQueryOptions<CatalogPage> {
  const ask = async (searchBox: string, signal: AbortSignal): Promise<CatalogPage> => {
    signal.throwIfAborted()
    const part = {
      offset: place * PAGE_SIZE,
      limit: PAGE_SIZE,
      searchBox: `${WINDOW} ${searchBox}`,
    }
    const page = await call(CHANNEL, { ...question, ...part })
    if (page) return page
    throw new AppError('REQUEST_CANCELLED', 'A newer search replaced this one.')
  }
  return {
    queryKey: [...keyOf(question, place), edition ?? null],
    queryFn: ({ signal }) =>
      place === 0 ? ask('first', signal) : inTurn(() => ask('more', signal)),
    staleTime: Infinity,
    gcTime: STAYS_MS,
  }
}

/** A key is found by its beginning, and a question by a part of it: so that is one text. */
function keyOf(question: SearchQuery['question'], place: number): QueryKey {
  return [CHANNEL, hashKey([question]), place]
}

/** The page at a place as an older edition had it, which is shown until the newest is there. */
export function olderPage(
  queries: QueryClient,
  { question }: SearchQuery,
  place: number,
): CatalogPage | undefined {
  const known = queries.getQueriesData<CatalogPage>({ queryKey: keyOf(question, place) })
  return known.findLast(([, page]) => page)?.[1]
}

/** What is shown of a list, until the answer to another question is there. */
export type FoundServers = {
  readonly asked: SearchQuery
  /** The first page; undefined before the first answer, and where nothing was found before a failure. */
  readonly page: CatalogPage | undefined
  /** Why the answer to what was asked last is not there, until the next one is. */
  readonly failure: Error | null
}

/** Before anything was asked. */
export const NOTHING_YET: FoundServers = {
  asked: { question: { text: '' }, edition: undefined, list: '' },
  page: undefined,
  failure: null,
}

/** What is asked now: until something can be shown still what was asked first, as no other answer can be there sooner. */
export function activeQuery(
  { page, failure }: FoundServers,
  opening: SearchQuery,
  wanted: SearchQuery,
): SearchQuery {
  return page || failure ? wanted : opening
}

/** What is shown once this is known of what is asked now. */
export function foundAfter(
  shown: FoundServers,
  asked: SearchQuery,
  { data, error }: Pick<UseQueryResult<CatalogPage>, 'data' | 'error'>,
): FoundServers {
  const failure = error ?? (data ? null : shown.failure)
  if (data && data !== shown.page) return { asked, page: data, failure }
  if (failure === shown.failure) return shown
  // That nothing was found before is no answer to what is asked now.
  const page = failure && !shown.page?.total ? undefined : shown.page
  return { ...shown, page, failure }
}

const HOUR_MS = 3_600_000
const NONE: readonly never[] = []

/** What was shown last: who comes back sees it immediately. */
const lastFound = createStore<FoundServers>(() => NOTHING_YET)

function useWantedQuery(): SearchQuery {
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
  const wanted = useWantedQuery()
  const [opening] = useState(wanted)
  const [shown, setShown] = useState(lastFound.getState)
  const asked = activeQuery(shown, opening, wanted)
  const { data, error, refetch } = useQuery(pageQuery(asked, 0))
  const found = foundAfter(shown, asked, { data, error })
  if (found !== shown) setShown(found)
  useEffect(() => lastFound.setState(found), [found])
  const retry = useCallback(() => void refetch(), [refetch])
  return useMemo(() => ({ found, retry }), [found, retry])
}
