import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'

import type { HistoryPage } from '../../../../src-shared/domain/running/history'
import * as ipc from '../../../ipc/call'
import { newQueries } from '../../../ipc/queries'
import { historyQuery } from './history-row'

afterEach(() => vi.restoreAllMocks())

/** Responds like the core: the newest events before an id, at most 200. */
function serveEvents(kept: { newest: number }): void {
  vi.spyOn(ipc, 'call').mockImplementation((_: string, request: object) => {
    const { before = kept.newest + 1, limit } = request as { before?: number; limit: number }
    const length = Math.min(limit, before - 1)
    const events = Array.from({ length }, (_each, index) => ({
      eventId: before - 1 - index,
      at: 0,
      fact: { kind: 'approved' as const },
    }))
    return Promise.resolve({ events, total: kept.newest } satisfies HistoryPage)
  })
}

describe('D3: history of a server', () => {
  it('has no gap and no duplicate when new events arrive below 250 shown ones', async () => {
    const kept = { newest: 250 }
    serveEvents(kept)
    const queries = newQueries()
    const observer = new InfiniteQueryObserver(queries, historyQuery('a'))
    const stop = observer.subscribe(() => undefined)
    await observer.refetch()
    while (observer.getCurrentResult().hasNextPage) {
      // Simulates two quick clicks.
      await Promise.all([observer.fetchNextPage(), observer.fetchNextPage()])
    }
    kept.newest = 253
    await observer.refetch()
    const shown = observer.getCurrentResult().data
    const ids = shown?.events.map(({ eventId }) => eventId) ?? []
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => 253 - index))
    expect(ids.length).toBeGreaterThanOrEqual(250)
    stop()
    queries.clear()
  })
})
