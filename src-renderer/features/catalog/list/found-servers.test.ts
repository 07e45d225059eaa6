import { setImmediate } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import type {
  CatalogPage,
  CatalogQuery,
  ListedServer,
} from '../../../../src-shared/domain/catalog/catalog-query'
import { FoundList, PAGE_SIZE, serverAt } from './found-servers'

function server(name: string): ListedServer {
  return {
    ...{ sourceId: 'official', name, description: '', publisher: 'a', namespace: 'domain' },
    isVerified: false,
    ...{ version: '1', status: 'active', kinds: [], asksForSecrets: false },
  }
}

const FACETS: CatalogPage['facets'] = {
  kinds: { npm: 0, pypi: 0, docker: 0, nuget: 0, cargo: 0, bundle: 0, remote: 0 },
  ...{ runsHere: 0, asksForSecrets: 0, asksForNone: 0 },
  namespaces: { domain: 0, github: 0, none: 0 },
  statuses: { active: 0, deprecated: 0 },
  updated: { month: 0, year: 0 },
  sources: {},
}

/** A main that is answered by hand. */
class HandMain {
  readonly asked: {
    query: CatalogQuery
    answer: (page: CatalogPage | null) => void
    fail: (error: unknown) => void
  }[] = []
  readonly list = new FoundList(
    (query) =>
      new Promise((answer, fail) => {
        this.asked.push({ query, answer, fail })
      }),
    (thrown) => ({ code: 'INTERNAL', message: String(thrown) }),
  )

  /** Answers the newest question with a list of `total` servers whose names tell the text and their place. */
  async answer(total: number, at = this.asked.length - 1): Promise<void> {
    const { query, answer } = this.asked[at] ?? {}
    const { offset = 0, limit = 0, text = '' } = query ?? {}
    const count = Math.max(0, Math.min(limit, total - offset))
    const servers = Array.from({ length: count }, (_, index) => server(`${text} ${offset + index}`))
    answer?.({ servers, total, facets: FACETS, corrections: [] })
    await setImmediate()
  }
}

describe('D2 the list of what is found', () => {
  it('reads its first page, and the others as they come into view, one at a time', async () => {
    const main = new HandMain()
    const { list } = main
    void list.show({ text: 'a' })
    await main.answer(500)
    expect(list.snapshot().total).toBe(500)
    expect(serverAt(list.snapshot(), 3)?.name).toBe('a 3')
    list.need(200, 299)
    await main.answer(500)
    expect(serverAt(list.snapshot(), 200)?.name).toBe('a 200')
    expect(serverAt(list.snapshot(), 240)).toBeUndefined()
    await main.answer(500)
    expect(serverAt(list.snapshot(), 240)?.name).toBe('a 240')
    expect(main.asked.map(({ query }) => query.offset)).toEqual([0, 180, 240])
  })

  it('never shows the answer to a question that another one replaced', async () => {
    const main = new HandMain()
    void main.list.show({ text: '' })
    await main.answer(500)
    void main.list.show({ text: 'p' })
    void main.list.show({ text: 'po' })
    await main.answer(9, 2)
    await main.answer(70, 1)
    expect(main.list.snapshot().total).toBe(9)
    expect(serverAt(main.list.snapshot(), 0)?.name).toBe('po 0')
  })

  it('shows the first answer of all before it asks what is asked meanwhile', async () => {
    const main = new HandMain()
    void main.list.show({ text: '' })
    void main.list.show({ text: 'p' })
    void main.list.show({ text: 'po' })
    expect(main.asked).toHaveLength(1)
    await main.answer(500)
    expect(main.list.snapshot().total).toBe(500)
    expect(main.asked.map(({ query }) => query.text)).toEqual(['', 'po'])
    await main.answer(9)
    expect(serverAt(main.list.snapshot(), 0)?.name).toBe('po 0')
  })

  it('keeps what is shown until the answer to another question is there', async () => {
    const main = new HandMain()
    void main.list.show({ text: 'a' })
    await main.answer(5)
    void main.list.show({ text: 'b' })
    expect(serverAt(main.list.snapshot(), 0)?.name).toBe('a 0')
    await main.answer(1)
    expect(serverAt(main.list.snapshot(), 0)?.name).toBe('b 0')
    expect(serverAt(main.list.snapshot(), 1)).toBeUndefined()
  })

  it('asks anew for the pages in view when the catalog has changed, and keeps them meanwhile', async () => {
    const main = new HandMain()
    void main.list.show({ text: 'a' })
    await main.answer(200)
    main.list.need(0, PAGE_SIZE + 5)
    await main.answer(200)
    void main.list.show({ text: 'a' })
    expect(serverAt(main.list.snapshot(), PAGE_SIZE)?.name).toBe(`a ${PAGE_SIZE}`)
    await main.answer(201)
    expect(serverAt(main.list.snapshot(), PAGE_SIZE)?.name).toBe(`a ${PAGE_SIZE}`)
    main.list.need(0, PAGE_SIZE + 5)
    expect(main.asked.at(-1)?.query.offset).toBe(PAGE_SIZE)
  })

  it('tells a failure, and is well again with the next answer', async () => {
    const main = new HandMain()
    void main.list.show({ text: 'a' })
    main.asked[0]?.fail('lost')
    await setImmediate()
    expect(main.list.snapshot().problem?.message).toBe('lost')
    void main.list.show({ text: 'a' })
    await main.answer(1)
    expect(main.list.snapshot()).toMatchObject({ problem: undefined, total: 1 })
  })
})
