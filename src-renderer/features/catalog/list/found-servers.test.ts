import { QueriesObserver, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { WatchedQueries } from '../../../../e2e/fixtures/watched-query'
import type { CatalogPage, CatalogQuery } from '../../../../src-shared/domain/catalog/catalog-query'
import {
  activeQuery,
  foundAfter,
  NOTHING_YET,
  olderPage,
  PAGE_SIZE,
  pageQuery,
  type SearchQuery,
} from './found-servers'

const of = (text: string, edition = 1): SearchQuery => ({ question: { text }, edition, list: text })

afterEach(() => vi.useRealTimers())

let main: WatchedQueries
beforeEach(() => {
  main = new WatchedQueries()
})
afterEach(() => {
  main[Symbol.dispose]()
})

/** What a user sees who asks for lists, before and after each answer. */
function open(opening: SearchQuery, found = NOTHING_YET) {
  const first = new QueryObserver(main.queries, pageQuery(opening, 0))
  const draw = (): void => {
    const { found: shown, wanted } = screen
    const asked = activeQuery(shown, opening, wanted)
    first.setOptions(pageQuery(asked, 0))
    screen.found = foundAfter(shown, asked, first.getCurrentResult())
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

/** Answers the newest question, with a list of so many servers. */
const answer = (total: number, at = main.asked.length - 1) =>
  main.answer(at, { servers: [], total, facets: {}, corrections: [] })

describe('D2 the list of what is found', () => {
  it('never shows the answer to a question that another one replaced', async () => {
    const screen = open(of(''))
    await answer(500)
    screen.ask(of('p'))
    screen.ask(of('po'))
    await answer(9, 2)
    await answer(70, 1)
    expect(screen.found).toMatchObject({ asked: of('po'), page: { total: 9 } })
  })

  it('shows the first answer of all before it asks what is asked meanwhile', async () => {
    const screen = open(of(''))
    screen.ask(of('p'))
    screen.ask(of('po'))
    expect(main.asked).toHaveLength(1)
    await answer(500)
    expect(screen.found.page?.total).toBe(500)
    expect(main.asked).toMatchObject([{ text: '' }, { text: 'po' }])
  })

  it('keeps what is shown until the answer to another question or of another edition is there', async () => {
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
      expect(screen.found).toMatchObject({ asked: next, page: { total } })
    }
  })

  it('shows who comes back what was shown, and asks again only for another edition', async () => {
    const screen = open(of('a'))
    await answer(500)
    screen.leave()
    for (const edition of [1, 2]) {
      const next = open(of('a', edition), screen.found)
      expect(next.found).toBe(screen.found)
      expect(main.asked).toHaveLength(edition)
      next.leave()
    }
  })

  it('tells a failure beside what is shown, and is well again with the next answer', async () => {
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

  it('takes an empty list for no answer to the question that failed after it', async () => {
    const screen = open(of('a'))
    await answer(0)
    screen.ask(of('b'))
    expect(screen.found.page?.total).toBe(0)
    await main.refuse(1)
    expect(screen.found).toMatchObject({ failure: { message: 'No.' }, page: undefined })
    screen.ask(of('a'))
    expect(screen.found).toMatchObject({ failure: null, page: { total: 0 } })
  })

  it('takes what main has let go for no answer', async () => {
    const screen = open(of('a'))
    await main.answer(0, null)
    expect(screen.found).toMatchObject({ failure: { code: 'REQUEST_CANCELLED' }, page: undefined })
  })

  it('keeps the answers to what was asked just before, and none for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const screen = open(of(''))
    for (const [total, text] of ['', 'a', 'ab'].entries()) {
      screen.ask(of(text))
      await answer(total)
    }
    screen.ask(of('a'))
    expect(screen.found.page?.total).toBe(1)
    expect(main.asked).toHaveLength(3)
    vi.advanceTimersByTime(300_000)
    expect(main.queries.getQueryCache().getAll()).toHaveLength(1)
  })
})

describe('D2 the further pages of a list', () => {
  function look(edition: number, ...places: readonly number[]): void {
    pages.setQueries(places.map((place) => pageQuery(of('a', edition), place)) as never)
  }
  const asked = () => (main.asked as CatalogQuery[]).map(({ offset = 0 }) => offset / PAGE_SIZE)
  const shown = () => pages.getCurrentResult().map(({ data }) => (data as CatalogPage).total)
  let pages: QueriesObserver
  beforeEach(() => {
    pages = new QueriesObserver(main.queries, [])
    pages.subscribe(() => undefined)
  })

  it('are read one after the other, but for what was scrolled past meanwhile', async () => {
    look(1, 1, 2)
    await expect.poll(asked).toEqual([1])
    for (let place = 2; place < 40; place += 1) look(1, place, place + 1)
    for (const total of [1, 2, 3]) await answer(total)
    expect(asked()).toEqual([1, 39, 40])
    expect(shown()).toEqual([2, 3])
  })

  it('are asked for again when the catalog has changed, and stay meanwhile', async () => {
    look(1, 3)
    await expect.poll(asked).toEqual([3])
    await answer(500)
    look(2, 3)
    await expect.poll(asked).toEqual([3, 3])
    expect(olderPage(main.queries, of('a', 2), 3)?.total).toBe(500)
    // Another question, though a part of the first one.
    expect(olderPage(main.queries, { ...of('a', 2), question: {} as never }, 3)).toBeUndefined()
    await answer(499)
    expect(shown()).toEqual([499])
  })
})
