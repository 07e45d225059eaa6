import { setImmediate as nextTurn } from 'node:timers/promises'

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { builtThread } from '../../../e2e/fixtures/built-program'
import { anyLine, anyQuery, Logs } from '../../../e2e/fixtures/known-logs'
import { LogQuery, type LogSearch } from '../../../src-shared/domain/running/log-query'
import type { LogReader } from './log-reader'
import { LogSearch as LogSearchOfView } from './log-search'
import { openSearchThread, type SearchThread } from './log-search'

describe('D4: log search', () => {
  const built: { search?: SearchThread } = {}
  const createWorker = builtThread('search')
  beforeAll(() => {
    built.search = openSearchThread(createWorker)
  })
  afterAll(() => built.search?.[Symbol.asyncDispose]())

  afterEach(() => vi.restoreAllMocks())

  const wanted = (text: string, more: Partial<LogSearch> = {}): LogSearch => ({
    ...{ text, isRegex: false, isCaseSensitive: false },
    ...more,
  })

  async function whole(
    logs: Logs,
    asked: LogQuery,
    search: LogSearch,
    ...step: Parameters<LogReader['find']> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ) {
    for (let round = 0; round < 10_000; round += 1) {
      const found = await logs.reader.find(asked, search, ...step)
      if (found.isDone) return found
      await nextTurn()
    }
    throw new Error('the search came to no end')
  }

  it('finds the same lines as a plain search, among the lines of a query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyLine, { maxLength: 120, size: 'max' }),
        anyQuery,
        fc.constantFrom('a', 'E', ' ', '.', 'é', '\\', '(', '^'),
        fc.nat(60),
        async (lines, given, text, from) => {
          const logs = new Logs(built.search)
          for (const one of lines) logs.push(one.server, one)
          const asked = LogQuery.parse(given)
          const { rows, first } = await logs.reader.rows(asked, 0, 1_000)
          const fits = rows.filter(({ entry }) =>
            entry.text.toLowerCase().includes(text.toLowerCase()),
          )
          const found = await whole(logs, asked, wanted(text), first + from, 'here')
          expect(found.count).toBe(fits.length)
          const best = fits.findLast(({ row }) => row <= first + from) ?? fits[0]
          const expected = best && { row: best.row, before: fits.indexOf(best) }
          expect(found.current).toEqual(expected)
        },
      ),
      { numRuns: 60 },
    )
  }, 120_000)

  it('steps from line to line, wrapping around at both ends', async () => {
    const logs = new Logs(built.search)
    for (const [index, text] of ['x', 'hit', 'x', 'HIT', 'x', 'a hit'].entries())
      logs.push(index % 2 === 0 ? 'a' : 'b', { text })
    const asked = LogQuery.parse({ servers: ['a', 'b'] })
    const rowOf = async (from: number, step: 'next' | 'previous'): Promise<unknown> =>
      (await whole(logs, asked, wanted('hit'), from, step)).current?.row
    expect([await rowOf(0, 'next'), await rowOf(1, 'next'), await rowOf(5, 'next')]).toEqual([
      1, 3, 1,
    ])
    expect([await rowOf(5, 'previous'), await rowOf(1, 'previous')]).toEqual([3, 5])
  })

  it('continues with later lines', async () => {
    const logs = new Logs(built.search)
    logs.push('a', { text: 'one hit' })
    const asked = LogQuery.parse({ servers: ['a'] })
    expect((await whole(logs, asked, wanted('hit'), 0, 'here')).count).toBe(1)
    for (let count = 0; count < 20; count += 1) logs.push('a', { text: 'another hit' })
    expect((await whole(logs, asked, wanted('hit'), 0, 'here')).count).toBe(21)
  })

  it('marks matches, with a regular expression too', async () => {
    const logs = new Logs(built.search)
    logs.push('a', { text: 'Port 80, port 8080' })
    const asked = LogQuery.parse({ servers: ['a'] })
    const hits = async (search: LogSearch): Promise<unknown> =>
      (await logs.reader.rows(asked, 0, 1, search)).rows[0]?.hits
    expect(await hits(wanted('port'))).toEqual([
      { start: 0, end: 4 },
      { start: 9, end: 13 },
    ])
    expect(await hits(wanted('port', { isCaseSensitive: true }))).toEqual([{ start: 9, end: 13 }])
    expect(await hits(wanted(String.raw`\d{4}`, { isRegex: true }))).toEqual([
      { start: 14, end: 18 },
    ])
    expect(await hits(wanted('x*', { isRegex: true }))).toEqual([])
  })

  it('answers callers of a search that another one replaced', async () => {
    const logs = new Logs(built.search, { lines: 400, blockLines: 6 })
    for (let count = 0; count < 400; count += 1) logs.push('a', { text: 'a line' })
    // A wait that never yields to the event loop would outlast any time limit of this test.
    const count = vi.spyOn(LogSearchOfView.prototype, 'count', 'get')
    count.mockImplementation(() => {
      if (count.mock.calls.length > 1_000) throw new Error('The wait came to no end.')
      return 0
    })
    const asked = LogQuery.parse({ servers: ['a'] })
    const replaced = logs.reader.find(asked, wanted('nowhere'), 0, 'here')
    const asking = logs.reader.find(asked, wanted('not here'), 0, 'here')
    expect(await replaced).toMatchObject({ count: 0, isDone: false })
    expect(await asking).toMatchObject({ count: 0 })
  })

  it('explains an invalid pattern', async () => {
    const logs = new Logs(built.search)
    logs.push('a', { text: 'x' })
    const asked = LogQuery.parse({ servers: ['a'] })
    const found = await logs.reader.find(asked, wanted('a(', { isRegex: true }), 0, 'here')
    expect(found).toMatchObject({ count: 0, isDone: true })
    expect(found.problem).toBe('Invalid pattern: unterminated group.')
  })

  it('cancels a slow pattern, and searches with the next one', async () => {
    const logs = new Logs(built.search)
    logs.push('a', { text: `${'a'.repeat(40)}!` })
    const asked = LogQuery.parse({ servers: ['a'] })
    const endless = wanted('^(a+)+$', { isRegex: true })
    const found = await whole(logs, asked, endless, 0, 'here')
    expect(found.problem).toMatch(/takes too long/u)
    expect((await logs.reader.rows(asked, 0, 1, endless)).rows).toHaveLength(1)
    expect((await whole(logs, asked, wanted('!'), 0, 'here')).count).toBe(1)
  }, 60_000)
})
