import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { ActivityQuery, type Call } from '../../../src-shared/domain/agents/activity'
import * as ipc from '../../ipc/call'
import { newQueries } from '../../ipc/queries'
import { callPages, combinePages, isOutdated, MAX_SHOWN } from './use-call-search'

const ALL = { text: '', outcomes: [] }

afterEach(() => vi.restoreAllMocks())

/** Serves the calls `first` to `newest` like main. */
function serveCalls(kept: { first: number; newest: number }): void {
  vi.spyOn(ipc, 'call').mockImplementation((_: string, request: object) => {
    const { before = kept.newest + 1, limit } = ActivityQuery.parse(request)
    const length = Math.max(0, Math.min(limit, before - kept.first))
    const calls = Array.from({ length }, (_each, index) => ({ callId: before - 1 - index }) as Call)
    return Promise.resolve({ calls, total: kept.newest - kept.first + 1, newest: kept.newest })
  })
}

function open() {
  const queries = newQueries()
  const observer = new InfiniteQueryObserver(queries, callPages(ALL, []))
  const stop = observer.subscribe(() => undefined)
  return {
    found: () =>
      combinePages(ALL, observer.getCurrentResult().data ?? { pages: [], pageParams: [] }),
    first: () => observer.refetch(),
    more: () => observer.fetchNextPage({ cancelRefetch: false }),
    [Symbol.dispose]: () => {
      stop()
      queries.clear()
    },
  }
}

describe('D6: calls of the activity list', () => {
  it('load page by page down to the oldest, each once while new calls arrive', async () => {
    const kept = { first: 1, newest: 250 }
    serveCalls(kept)
    using list = open()
    await list.first()
    expect(list.found()).toMatchObject({ total: 250, newest: 250, isEnd: false })
    kept.newest = 253
    await Promise.all([list.more(), list.more()])
    expect(list.found().calls).toHaveLength(200)
    await list.more()
    await list.more()
    const ids = list.found().calls.map(({ callId }) => callId)
    expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index))
    expect(list.found()).toMatchObject({ total: 250, newest: 250, isEnd: true })
  })

  it('have the right total if older ones were deleted meanwhile', async () => {
    const kept = { first: 1, newest: 150 }
    serveCalls(kept)
    using list = open()
    await list.first()
    kept.first = 41
    await list.more()
    expect(list.found()).toMatchObject({ total: 110, isEnd: true })
  })

  it('are limited in number', async () => {
    serveCalls({ first: 1, newest: MAX_SHOWN + 500 })
    using list = open()
    await list.first()
    while (!list.found().isEnd) await list.more()
    await list.more()
    expect(list.found().calls).toHaveLength(MAX_SHOWN)
    expect(list.found().total).toBe(MAX_SHOWN + 500)
  })

  it.each([
    ['show new calls at the top while following', 8, 8, { isFollowing: true, isBusy: false }, true],
    ['wait for a pending response', 8, 8, { isFollowing: true, isBusy: true }, false],
    ['stay unchanged without new calls', 5, 5, { isFollowing: true, isBusy: false }, false],
    ['stay unchanged while the user reads', 8, 8, { isFollowing: false, isBusy: false }, false],
    ['reload after the log was cleared', 5, 0, { isFollowing: false, isBusy: true }, true],
    ['reload when the file was replaced', 2, 2, { isFollowing: false, isBusy: false }, true],
  ])('%s', (_what, newest, kept, how, isRead) => {
    expect(isOutdated({ newest: 5, kept: 5 }, { newest, kept }, how)).toBe(isRead)
  })
})
