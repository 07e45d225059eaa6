import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'

import type { ActivityPage, ActivityState, Call } from '../../../src-shared/domain/agents/activity'
import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import { call } from '../../ipc/call'
import { rest, useLastGood, useRequest } from '../../ipc/use-request'
import { useApp } from '../../stores/app-store'
import { type CallQuestion, callQuestion, useActivityView } from './activity-view-store'

/** The calls that a question finds, as far as they are read. */
export type FoundCalls = {
  readonly question: CallQuestion
  /** Newest first. */
  readonly calls: readonly Call[]
  /** All that fit, without those that came since. */
  readonly total: number
  /** The newest call of all when they were read, whether it fits or not. */
  readonly newest: number
  /** Nothing older is shown: there is none, or it would be too many. */
  readonly isEnd: boolean
}

/** The calls that the view asks for, as far as they are known, and what can be done with the list. */
export type CallSearch = {
  /** Stays until the answer to another question is there; undefined before the first. */
  readonly found: FoundCalls | undefined
  /** How many came since, which are not shown while somebody reads. */
  readonly fresh: number
  readonly problem: AppErrorShape | undefined
  readonly more: () => void
  /** Whether new calls are shown as they come. */
  readonly follow: (isFollowing: boolean) => void
  readonly retry: () => void
}

/** Calls of one request. */
const PAGE_SIZE = 100
/** Calls that a window keeps; who looks for older ones narrows the search. */
export const MOST_SHOWN = 10_000
/** How long somebody pauses while typing until that is searched, in ms. */
const TYPING_MS = 150

/** The calls that a question finds, older ones page by page; `of` is what they are read for: another one is read again. */
export function callPages(
  question: CallQuestion,
  of: readonly unknown[],
): UseInfiniteQueryOptions<
  ActivityPage,
  Error,
  InfiniteData<ActivityPage>,
  readonly unknown[],
  number | undefined
> {
  return {
    queryKey: ['activity.query', question, ...of],
    queryFn: async ({ pageParam: before, signal }) => {
      if (before === undefined && question.text !== '') await rest(TYPING_MS, signal)
      signal.throwIfAborted()
      return call('activity.query', { ...question, before, limit: PAGE_SIZE })
    },
    initialPageParam: undefined,
    getNextPageParam: ({ calls }, pages) =>
      calls.length < PAGE_SIZE || pages.length * PAGE_SIZE >= MOST_SHOWN
        ? undefined
        : calls.at(-1)?.callId,
  }
}

/** What the pages that were read hold together. */
export function foundIn(question: CallQuestion, { pages }: InfiniteData<ActivityPage>): FoundCalls {
  const calls = pages.flatMap((page) => page.calls)
  const isLast = (pages.at(-1)?.calls.length ?? 0) < PAGE_SIZE
  const { total = 0, newest = 0 } = pages[0] ?? {}
  // Older ones may have been forgotten meanwhile.
  const all = isLast ? calls.length : total
  return { question, calls, total: all, newest, isEnd: isLast || calls.length >= MOST_SHOWN }
}

/** Whether a list of calls is to be read again: one at a time while it follows, else only when what it shows is gone. */
export function isOutdated(
  seen: ActivityState,
  now: ActivityState,
  { isFollowing, isBusy }: { readonly isFollowing: boolean; readonly isBusy: boolean },
): boolean {
  // A file that began again counts from 1 again.
  const isGone = now.newest < seen.newest || (now.kept === 0 && seen.kept > 0)
  return isGone || (isFollowing && !isBusy && now.newest > seen.newest)
}

const NO_CALLS: ActivityState = { newest: 0, kept: 0 }

/** The calls that the view asks for, live. */
export function useFoundCalls(): CallSearch {
  const view = useActivityView()
  const question = useMemo(() => callQuestion(view), [view])
  const now = useApp(({ app }) => app?.activity) ?? NO_CALLS
  const [seen, setSeen] = useState(now)
  const [round, setRound] = useState(0)
  const [isFollowing, follow] = useState(true)
  const { data, error, isPending, isFetching, fetchNextPage } = useInfiniteQuery(
    callPages(question, [seen, round]),
  )
  if (isOutdated(seen, now, { isFollowing, isBusy: isFetching })) setSeen(now)
  const read = useMemo(() => data && foundIn(question, data), [data, question])
  const { value: found, problem } = useLastGood({ isPending, data: read, error })
  const isBehind = found !== undefined && !isFollowing && now.newest > found.newest
  const newer = isBehind ? { ...question, after: found.newest, limit: 1 } : undefined
  const { value } = useRequest('activity.query', newer, { state: [now.newest] })
  return {
    found,
    fresh: isBehind ? (value?.total ?? 0) : 0,
    problem,
    more: useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]),
    follow,
    retry: () => setRound(round + 1),
  }
}
