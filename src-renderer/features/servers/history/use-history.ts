import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useEffect } from 'react'

import type { HistoryEvent, HistoryPage } from '../../../../src-shared/domain/running/history'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { call } from '../../../ipc/call'
import { useToolsState } from '../../../stores/tools-store'

const PAGE = 50

/** The events of all pages that were read, newest first, and how many are kept in all. */
export type History = { readonly events: readonly HistoryEvent[]; readonly total: number }

function joined({ pages }: InfiniteData<HistoryPage>): History {
  return { events: pages.flatMap(({ events }) => events), total: pages.at(-1)?.total ?? 0 }
}

/** The history of a server, page by page. A refetch reads every page again, each from the end of the one before. */
export function historyQuery(
  installationId: string,
): UseInfiniteQueryOptions<HistoryPage, Error, History, readonly string[], number | null> {
  return {
    queryKey: ['history.read', installationId],
    queryFn: ({ pageParam: before }) =>
      call('history.read', { installationId, limit: PAGE, ...(before !== null && { before }) }),
    initialPageParam: null,
    getNextPageParam: ({ total, events }, pages) =>
      pages.reduce((sum, page) => sum + page.events.length, 0) < total
        ? events.at(-1)?.eventId
        : undefined,
    select: joined,
  }
}

/** Reads the history of a server, again whenever something happens to it. */
export function useHistory(server: ServerView): UseInfiniteQueryResult<History> {
  const query = useInfiniteQuery(historyQuery(server.installationId))
  const { refetch } = query
  const tools = useToolsState()
  useEffect(() => {
    void refetch()
  }, [server, tools, refetch])
  return query
}
