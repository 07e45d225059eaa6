import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { LogRow, LogRows } from '../../../src-shared/domain/running/log-query'
import { LogRowCache } from './log-row-cache'

/** A fake log of main whose responses can be held back; a negative `from` counts from the end. */
class Main {
  viewId = 1
  first = 0
  end = 0
  fails = false
  readonly request: number[] = []
  #gate: Promise<void> = Promise.resolve()
  release: () => void = () => undefined

  hold(): void {
    this.#gate = new Promise((open) => (this.release = open))
  }

  readonly read = async (from: number, count: number): Promise<LogRows> => {
    this.request.push(from)
    await this.#gate
    if (this.fails) throw new Error('It is gone.')
    const start = Math.max(this.first, from < 0 ? this.end + from : from)
    const rows = Array.from({ length: Math.max(0, Math.min(count, this.end - start)) }, (_, at) =>
      rowOf(start + at),
    )
    const { viewId, first, end } = this
    return { viewId, first, end, place: end - 1, rows }
  }
}

function rowOf(row: number): LogRow {
  const entry = { seq: row, at: row, source: 'stderr', level: 'info', text: String(row) } as const
  return { row, server: 0, missing: 0, entry }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000)

async function opened(main: Main): Promise<LogRowCache> {
  const window = new LogRowCache(main.read)
  window.begin()
  await settled()
  return window
}

describe('D4: loaded log rows', () => {
  it('are the newest ones while following, else those in view', async () => {
    const main = new Main()
    main.end = 100_000
    const window = await opened(main)
    expect(window.extent).toMatchObject({ origin: 0, end: 100_000, isReading: false })
    expect(window.row(99_999)?.entry.text).toBe('99999')
    expect(window.row(50_000)).toBeUndefined()
    window.want(50_000, 50_060, false)
    await settled()
    expect(window.row(50_059)?.entry.text).toBe('50059')
    main.end += 1_000
    window.refresh()
    await settled()
    expect(window.extent.end).toBe(101_000)
    expect(window.row(100_999)).toBeUndefined()
  })

  it('load one request at a time, however often lines arrive', async () => {
    const main = new Main()
    main.end = 10
    const window = await opened(main)
    main.request.length = 0
    main.hold()
    for (let times = 0; times < 50; times += 1) window.refresh()
    await settled()
    expect(main.request).toHaveLength(1)
    main.end = 20
    window.refresh()
    main.release()
    await settled()
    expect(main.request).toHaveLength(2)
    expect(window.extent.end).toBe(20)
  })

  it('stay few, however far the user scrolls', async () => {
    const main = new Main()
    main.end = 1_000_000
    const window = await opened(main)
    for (let from = 0; from < 40_000; from += 200) {
      window.want(from, from + 60, false)
      await settled()
    }
    const held = Array.from({ length: 40_000 }, (_, row) => window.row(row)).filter(Boolean)
    expect(held.length).toBeLessThan(6_000)
    expect(window.row(39_800)).toBeDefined()
  })

  it('restart when main renumbers them', async () => {
    const main = new Main()
    main.end = 50
    const window = await opened(main)
    Object.assign(main, { viewId: 2, first: 20, end: 25 })
    window.refresh()
    await settled()
    expect(window.extent).toMatchObject({ origin: 20, first: 20, end: 25 })
    expect(window.row(10)).toBeUndefined()
  })

  it('drop removed rows in a separate step, before new ones are added', async () => {
    const main = new Main()
    main.end = 1_000_000
    const window = await opened(main)
    Object.assign(main, { first: 100_001, end: 1_100_001 })
    window.refresh()
    await settled()
    expect(window.extent).toMatchObject({ origin: 100_001, end: 1_000_000, isShortened: true })
    window.settle()
    expect(window.extent.isShortened).toBe(false)
    await settled()
    expect(window.extent).toMatchObject({ origin: 100_001, end: 1_100_001 })
  })

  it('report an error, and reload on request', async () => {
    const main = new Main()
    main.fails = true
    const window = await opened(main)
    expect(window.extent).toMatchObject({ isReading: false, problem: { message: 'It is gone.' } })
    Object.assign(main, { fails: false, end: 3 })
    window.refresh()
    await settled()
    expect(window.extent).toMatchObject({ end: 3, problem: null })
  })

  it('reload for another search, and keep the old rows until then', async () => {
    const main = new Main()
    main.end = 5
    const window = await opened(main)
    window.want(0, 5, true)
    main.hold()
    window.readBy(async (from, count) => {
      const answer = await main.read(from, count)
      return {
        ...answer,
        rows: answer.rows.map((row) => ({ ...row, hits: [{ start: 0, end: 1 }] })),
      }
    })
    await settled()
    expect(window.row(4)).toMatchObject({ row: 4 })
    expect(window.row(4)?.hits).toBeUndefined()
    main.release()
    await settled()
    expect(window.row(4)?.hits).toEqual([{ start: 0, end: 1 }])
  })
})
