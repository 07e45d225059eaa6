import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { anyLine, anyQuery, Logs } from '../../../e2e/fixtures/known-logs'
import type { LogEntry } from '../../../src-shared/domain/running/log-entry'
import { LogQuery } from '../../../src-shared/domain/running/log-query'
import { LogReader } from './log-reader'
import { LogMemory, LogStore } from './log-store'

describe('D4: the lines of a query', () => {
  it('are those of its logs in order of arrival, without the dropped ones', async () => {
    const order = fc.array(fc.oneof({ weight: 20, arbitrary: anyLine }, anyQuery), {
      maxLength: 160,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(order, anyQuery, async (steps, last) => {
        const logs = new Logs()
        for (const step of [...steps, last]) {
          if ('servers' in step) await holds(logs, LogQuery.parse(step))
          else logs.push(step.server, step)
        }
      }),
    )
  })

  it('keep their rows while they are held', async () => {
    const logs = new Logs()
    for (let count = 0; count < 30; count += 1) logs.push('a', {})
    const asked = LogQuery.parse({ servers: ['a'] })
    const before = await logs.reader.rows(asked, 20, 1)
    for (let count = 0; count < 25; count += 1) logs.push('a', {})
    const after = await logs.reader.rows(asked, 20, 1)
    expect(after.rows).toEqual(before.rows)
    expect(after).toMatchObject({ viewId: before.viewId, first: 15, end: 55 })
  })

  it('count the missing lines before them, unless a filter hides lines', async () => {
    const logs = new Logs()
    for (let count = 0; count < 41; count += 1) logs.push('a', {})
    logs.push('a', { skip: 7 })
    const missing = async (asked: object): Promise<number[]> => {
      const { rows } = await logs.reader.rows(LogQuery.parse(asked), 0, 100)
      return rows.map((row) => row.missing).filter((count) => count > 0)
    }
    expect(await missing({ servers: ['a'] })).toEqual([7])
    expect(await missing({ servers: ['a'], source: 'stderr' })).toEqual([])
    expect(await missing({ servers: ['a'], level: 'info' })).toEqual([])
  })

  it("start again if a server's log was replaced", async () => {
    const logs = new Logs()
    const asked = LogQuery.parse({ servers: ['a'] })
    const { viewId } = await logs.reader.rows(asked, 0, 1)
    const other = new Logs()
    Object.assign(logs, { store: (name: string) => other.store(name) })
    other.push('a', { text: 'another' })
    const { rows, ...extent } = await logs.reader.rows(asked, 0, 1)
    expect(extent.viewId).not.toBe(viewId)
    expect(rows.map(({ entry }) => entry.text)).toEqual(['another'])
  })
})

async function holds(logs: Logs, asked: LogQuery): Promise<void> {
  const known = logs.expected(asked)
  const { rows, first, end } = await logs.reader.rows(asked, 0, 1_000)
  const reported = rows.map(({ entry, server }) => ({ entry, server: asked.servers[server] }))
  expect(reported).toEqual(known.map(({ entry, server }) => ({ entry, server })))
  expect(rows.map(({ row }) => row)).toEqual(known.map((_, index) => first + index))
  expect(end - first).toBe(known.length)
  const some = await logs.reader.rows(asked, -3, 2)
  expect(some.rows.map(({ entry }) => entry)).toEqual(
    known
      .slice(-3, known.length >= 3 ? -1 : 2 - 3 + Math.min(3, known.length))
      .map((one) => one.entry),
  )
}

describe('D4: landmarks', () => {
  it('are starts and ends of a server, and errors, wrapping around at both ends', async () => {
    const logs = new Logs()
    logs.push('a', { source: 'patchbay', text: 'Start 1' })
    logs.push('b', { level: 'error' })
    logs.push('a', {})
    logs.push('a', { source: 'patchbay', text: 'Stopped' })
    const asked = LogQuery.parse({ servers: ['a', 'b'] })
    const { reader } = logs
    expect(await reader.landmark(asked, 'mark', 0, 'next')).toBe(3)
    expect(await reader.landmark(asked, 'mark', 3, 'next')).toBe(0)
    expect(await reader.landmark(asked, 'mark', 3, 'previous')).toBe(0)
    expect(await reader.landmark(asked, 'error', 3, 'previous')).toBe(1)
    expect(await reader.landmark(LogQuery.parse({ servers: ['a'] }), 'error', 0, 'next')).toBeNull()
  })
})

describe('D4: the logs of many servers', () => {
  const PER_LOG = 60_000
  const SERVERS = ['0', '1', '2', '3']

  /** A reader of four logs with 60,000 lines each, the last of them an error; `push` adds one to a server's log. */
  function openMany(): { reader: LogReader; push: (server: number) => void } {
    const memory = new LogMemory()
    const stores = SERVERS.map(() => new LogStore(memory, { lines: PER_LOG }))
    let seq = 0
    const push = (server: number, level: LogEntry['level'] = 'info'): void => {
      seq += 1
      stores[server]?.push({ ...{ seq, at: seq, source: 'stderr', level }, text: String(seq) })
    }
    for (const server of stores.keys()) {
      for (let count = 1; count < PER_LOG; count += 1) push(server)
      push(server, 'error')
    }
    const storeOf = (server: string): LogStore => stores[Number(server)] ?? raise()
    const thread = { run: raise, [Symbol.asyncDispose]: raise }
    return { reader: new LogReader({ storeOf, lastPlace: () => memory.lastPlace, thread }), push }
  }

  const ASKED = LogQuery.parse({ servers: SERVERS })

  it('are filtered in slices, so that other work continues', async () => {
    const { reader } = openMany()
    const order: string[] = []
    setImmediate(() => order.push('other work'))
    order.push(`${String((await reader.rows(ASKED, -5, 5)).rows.length)} rows`)
    setImmediate(() => order.push('other work'))
    order.push(`row ${String(await reader.landmark(ASKED, 'error', 0, 'next'))}`)
    expect(order).toEqual(['other work', '5 rows', 'other work', `row ${String(PER_LOG - 1)}`])
  })

  it('stay in order while lines come and go', async () => {
    const { reader, push } = openMany()
    const flood = (): void => {
      for (let count = 0; count < 5_000; count += 1) push(0)
    }
    setImmediate(flood)
    const { rows } = await reader.rows(ASKED, -3, 3)
    expect(rows.map(({ server, row }, at) => [server, row - (rows[0]?.row ?? 0) - at])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    setImmediate(flood)
    const row = (await reader.landmark(ASKED, 'error', 0, 'next')) ?? -1
    const [found] = (await reader.rows(ASKED, row, 1)).rows
    expect(found?.entry.level).toBe('error')
  })
})

function raise(): never {
  throw new Error('no log and no search here')
}

describe('D4: log memory', () => {
  it('is limited for all logs together: the largest loses its oldest lines', () => {
    const memory = new LogMemory(600_000)
    const [small, large] = [new LogStore(memory), new LogStore(memory)]
    const entry = (text: string): LogEntry => ({
      seq: 0,
      at: 0,
      source: 'stderr',
      level: 'info',
      text,
    })
    small.push(entry('kept'))
    for (let count = 0; count < 20_000; count += 1) large.push(entry('x'.repeat(100)))
    expect(large.first).toBeGreaterThan(0)
    expect(large.bytes).toBeLessThanOrEqual(600_000)
    expect(large.end - large.first).toBeGreaterThan(1_000)
    expect(small.first).toBe(0)
  })

  it('returns lines unchanged, with colors, any script and pieces of long lines', () => {
    const memory = new LogMemory()
    const store = new LogStore(memory, { blockLines: 2 })
    const entries: LogEntry[] = [
      {
        seq: 4,
        at: 1.5,
        source: 'install',
        level: 'debug',
        text: 'grüße 🎉\t',
        styles: [{ start: 0, end: 5, color: 'red' }],
      },
      { seq: 9, at: 2, source: 'stdout', level: 'error', text: '', continues: true },
    ]
    for (const one of entries) store.push(one)
    expect([...store.newest(-1)].map(({ entry }) => entry).reverse()).toEqual(entries)
  })
})
