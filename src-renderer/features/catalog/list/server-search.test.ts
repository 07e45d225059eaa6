import { QueriesObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { WatchedQueries } from '../../../../e2e/fixtures/watched-query'
import type { CatalogPage, CatalogQuery } from '../../../../src-shared/domain/catalog/catalog-query'
import {
  activeQuery,
  NO_RESULTS,
  olderPage,
  PAGE_SIZE,
  pageQuery,
  resultsAfter,
  type SearchQuery,
} from './server-search'

const of = (text: string, edition = 1): SearchQuery => ({ query: { text }, edition, list: text })

afterEach(() => vi.useRealTimers())

let main: WatchedQueries
beforeEach(() => {
  main = new WatchedQueries()
})
afterEach(() => {
  main[Symbol.dispose]()
})

/** Simulates a screen that queries lists, before and after each result. */
function open(opening: SearchQuery, found = NO_RESULTS) {
  const first = new QueryObserver(main.queries, pageQuery(opening, 0))
  const draw = (): void => {
    const { found: shown, wanted } = screen
    const request = activeQuery(shown, opening, wanted)
    first.setOptions(pageQuery(request, 0))
    screen.found = resultsAfter(shown, request, first.getCurrentResult())
    if (screen.found !== shown) draw()
  }
  const ask = (wanted: SearchQuery): void => {
    screen.wanted = wanted
    draw()
  }
  const screen = { found, wanted: opening, ask }
  draw()
  return Object.assign(screen, { leave: first.subscribe(draw) })
}

/** Answers the newest query with a list of `total` servers. */
const answer = (total: number, at = main.requests.length - 1) =>
  main.answer(at, { servers: [], total, facets: {}, corrections: [] })

describe('D2: search results', () => {
  it('never include the result of a replaced query', async () => {
    const screen = open(of(''))
    await answer(500)
    screen.ask(of('p'))
    screen.ask(of('po'))
    await answer(9, 2)
    await answer(70, 1)
    expect(screen.found).toMatchObject({ search: of('po'), page: { total: 9 } })
  })

  it('show the very first result before the next query starts', async () => {
    const screen = open(of(''))
    screen.ask(of('p'))
    screen.ask(of('po'))
    expect(main.requests).toHaveLength(1)
    await answer(500)
    expect(screen.found.page?.total).toBe(500)
    expect(main.requests).toMatchObject([{ text: '' }, { text: 'po' }])
  })

  it('stay until the result of the next query or edition arrives', async () => {
    const screen = open(of('a'))
    await answer(5)
    for (const [next, total] of [
      [of('b'), 1],
      [of('b', 2), 2],
    ] as const) {
      const { found } = screen
      screen.ask(next)
      expect(screen.found).toBe(found)
      await answer(total)
      expect(screen.found).toMatchObject({ search: next, page: { total } })
    }
  })

  it('reappear when the user returns, and reload only for a new edition', async () => {
    const screen = open(of('a'))
    await answer(500)
    screen.leave()
    for (const edition of [1, 2]) {
      const next = open(of('a', edition), screen.found)
      expect(next.found).toBe(screen.found)
      expect(main.requests).toHaveLength(edition)
      next.leave()
    }
  })

  it('keep the old list next to an error, which the next success clears', async () => {
    const screen = open(of('a'))
    await main.refuse(0)
    screen.ask(of('b'))
    expect(screen.found).toMatchObject({ failure: { message: 'No.' }, page: undefined })
    await answer(1)
    expect(screen.found).toMatchObject({ failure: null, page: { total: 1 } })
    screen.ask(of('c'))
    await main.refuse(2)
    expect(screen.found).toMatchObject({ failure: { message: 'No.' }, page: { total: 1 } })
  })

  it('do not show an old empty list for a failed query', async () => {
    const screen = open(of('a'))
    await answer(0)
    screen.ask(of('b'))
    expect(screen.found.page?.total).toBe(0)
    await main.refuse(1)
    expect(screen.found).toMatchObject({ failure: { message: 'No.' }, page: undefined })
    screen.ask(of('a'))
    expect(screen.found).toMatchObject({ failure: null, page: { total: 0 } })
  })

  it('report a query that main canceled as failed', async () => {
    const screen = open(of('a'))
    await main.answer(0, null)
    expect(screen.found).toMatchObject({ failure: { code: 'REQUEST_CANCELLED' }, page: undefined })
  })

  it('are cached for recent queries, but not forever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const screen = open(of(''))
    for (const [total, text] of ['', 'a', 'ab'].entries()) {
      screen.ask(of(text))
      await answer(total)
    }
    screen.ask(of('a'))
    expect(screen.found.page?.total).toBe(1)
    expect(main.requests).toHaveLength(3)
    vi.advanceTimersByTime(300_000)
    expect(main.queries.getQueryCache().getAll()).toHaveLength(1)
  })
})

describe('D2: further pages of a list', () => {
  function look(edition: number, ...places: readonly number[]): void {
    pages.setQueries(places.map((place) => pageQuery(of('a', edition), place)) as never)
  }
  const request = () =>
    (main.requests as CatalogQuery[]).map(({ offset = 0 }) => offset / PAGE_SIZE)
  const shown = () => pages.getCurrentResult().map(({ data }) => (data as CatalogPage).total)
  let pages: QueriesObserver
  beforeEach(() => {
    pages = new QueriesObserver(main.queries, [])
    pages.subscribe(() => undefined)
  })

  it('load one at a time, skipping pages that were scrolled past', async () => {
    look(1, 1, 2)
    await expect.poll(request).toEqual([1])
    for (let place = 2; place < 40; place += 1) look(1, place, place + 1)
    for (const total of [1, 2, 3]) await answer(total)
    expect(request()).toEqual([1, 39, 40])
    expect(shown()).toEqual([2, 3])
  })

  it('reload when the catalog changes, and stay visible meanwhile', async () => {
    look(1, 3)
    await expect.poll(request).toEqual([3])
    await answer(500)
    look(2, 3)
    await expect.poll(request).toEqual([3, 3])
    expect(olderPage(main.queries, of('a', 2), 3)?.total).toBe(500)
    // A different query, although it is a part of the first one.
    expect(olderPage(main.queries, { ...of('a', 2), query: {} as never }, 3)).toBeUndefined()
    await answer(499)
    expect(shown()).toEqual([499])
  })
})
