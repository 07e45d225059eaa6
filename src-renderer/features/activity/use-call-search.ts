import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'

import type { ActivityPage, ActivityState, Call } from '../../../src-shared/domain/agents/activity'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call } from '../../ipc/call'
import { pause, useLastGood, useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { type CallQuery, callQuery, useActivityView } from './activity-view-store'

/** The loaded calls of a query. */
export type CallResults = {
  readonly query: CallQuery
  /** Newest first. */
  readonly calls: readonly Call[]
  /** Number of all matching calls, without those that arrived later. */
  readonly total: number
  /** The newest call at the time of loading, whether it matches or not. */
  readonly newest: number
  /** Whether no older call is shown, because there is none or the maximum is reached. */
  readonly isEnd: boolean
}

/** The calls of the view that are loaded, and the actions on the list. */
export type CallSearch = {
  /** Kept until the result of the next query arrives; undefined before the first. */
  readonly found: CallResults | undefined
  /** Number of new calls that are not shown while the user reads. */
  readonly fresh: number
  readonly problem: AppErrorShape | undefined
  readonly more: () => void
  /** Sets whether new calls appear as they arrive. */
  readonly follow: (isFollowing: boolean) => void
  readonly retry: () => void
}

const PAGE_SIZE = 100
/** Maximum number of calls in a window; for older ones the user narrows the search. */
export const MAX_SHOWN = 10_000
/** Debounce time of the search, in ms. */
const TYPING_MS = 150

/** Returns the query options for the pages of a list, newest first; a change of `of` reloads them. */
export function callPages(
  query: CallQuery,
  of: readonly unknown[],
): UseInfiniteQueryOptions<
  ActivityPage,
  Error,
  InfiniteData<ActivityPage>,
  readonly unknown[],
  number | undefined
> {
  return {
    queryKey: ['activity.query', query, ...of],
    queryFn: async ({ pageParam: before, signal }) => {
      if (before === undefined && query.text !== '') await pause(TYPING_MS, signal)
      signal.throwIfAborted()
      return call('activity.query', { ...query, before, limit: PAGE_SIZE })
    },
    initialPageParam: undefined,
    getNextPageParam: ({ calls }, pages) =>
      calls.length < PAGE_SIZE || pages.length * PAGE_SIZE >= MAX_SHOWN
        ? undefined
        : calls.at(-1)?.callId,
  }
}

/** Combines the loaded pages. */
export function combinePages(query: CallQuery, { pages }: InfiniteData<ActivityPage>): CallResults {
  const calls = pages.flatMap((page) => page.calls)
  const isLast = (pages.at(-1)?.calls.length ?? 0) < PAGE_SIZE
  const { total = 0, newest = 0 } = pages[0] ?? {}
  // Older calls may have been deleted meanwhile.
  const all = isLast ? calls.length : total
  return { query: query, calls, total: all, newest, isEnd: isLast || calls.length >= MAX_SHOWN }
}

/** Whether a list needs reloading: one reload at a time while it follows, otherwise only if its calls are gone. */
export function isOutdated(
  loaded: ActivityState,
  latest: ActivityState,
  { isFollowing, isBusy }: { readonly isFollowing: boolean; readonly isBusy: boolean },
): boolean {
  // A new file counts from 1 again.
  const wasCleared = latest.newest < loaded.newest || (latest.kept === 0 && loaded.kept > 0)
  return wasCleared || (isFollowing && !isBusy && latest.newest > loaded.newest)
}

const NO_CALLS: ActivityState = { newest: 0, kept: 0 }

/** Returns the calls of the view, updated live. */
export function useCallSearch(): CallSearch {
  const view = useActivityView()
  const query = useMemo(() => callQuery(view), [view])
  const latest = useApp(({ app }) => app?.activity) ?? NO_CALLS
  const [loaded, setLoaded] = useState(latest)
  const [round, setRound] = useState(0)
  const [isFollowing, follow] = useState(true)
  const { data, error, isPending, isFetching, fetchNextPage } = useInfiniteQuery(
    callPages(query, [loaded, round]),
  )
  if (isOutdated(loaded, latest, { isFollowing, isBusy: isFetching })) setLoaded(latest)
  const read = useMemo(() => data && combinePages(query, data), [data, query])
  const { value: found, problem } = useLastGood({ isPending, data: read, error })
  const isBehind = found !== undefined && !isFollowing && latest.newest > found.newest
  const newer = isBehind ? { ...query, after: found.newest, limit: 1 } : undefined
  const { value } = useRequest('activity.query', newer, { state: [latest.newest] })
  return {
    found,
    fresh: isBehind ? (value?.total ?? 0) : 0,
    problem,
    more: useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]),
    follow,
    retry: () => setRound(round + 1),
  }
}
