import { notifyManager } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { WatchedQueries } from '../../e2e/fixtures/watched-query'
import { keepLastGood } from './use-request'

const PROBLEM = { code: 'INTERNAL', message: 'No.' } as const

describe('a request to main', () => {
  let main: WatchedQueries
  beforeEach(() => {
    main = new WatchedQueries()
  })
  afterEach(() => {
    vi.useRealTimers()
    main[Symbol.dispose]()
  })

  it('is sent for each new input, and never without one', () => {
    const look = main.look('runner.list', undefined)
    expect(main.requests).toEqual([])
    look.turn({ fresh: false })
    look.turn({ fresh: false })
    look.turn({ fresh: true })
    expect(main.requests).toEqual([{ fresh: false }, { fresh: true }])
  })

  it('renders its response in the tick of its arrival', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const reported = vi.fn()
    main.queries.getQueryCache().subscribe(notifyManager.batchCalls(reported))
    main.look('runner.find', {})
    await main.answer(0, [])
    expect(reported.mock.lastCall).toMatchObject([{ action: { type: 'success' } }])
  })

  it('is sent again if a part of its key is another object, even if it looks the same', () => {
    const state = { of: 1 }
    const look = main.look('runner.find', {}, { state: [state, 1] })
    look.turn({}, { state: [state, 1] })
    expect(main.requests).toHaveLength(1)
    look.turn({}, { state: [{ of: 1 }, 1] })
    expect(main.requests).toHaveLength(2)
  })

  it('ignores a late response', async () => {
    const look = main.look('runner.find', {}, { state: [1] })
    look.turn({}, { state: [2] })
    await main.answer(1, ['npx'])
    await main.answer(0, ['docker'])
    expect(look.now.data).toEqual(['npx'])
    look.turn({}, { state: [1] })
    expect(look.now.data).toBeUndefined()
    expect(main.requests).toHaveLength(3)
  })

  it('is sent again on each mount, or with `isCached` once for each state', async () => {
    for (const [isCached, times] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const before = main.requests.length
      const asking = { state: [String(isCached)], isCached }
      const look = main.look('runner.find', {}, asking)
      await main.answer(before, ['npx'])
      look.stop()
      const next = main.look('runner.find', {}, asking)
      expect(next.now.data).toEqual(['npx'])
      expect(main.requests.length - before).toBe(times)
      next.stop()
    }
  })

  it('is sent after the input rests, and never without observers', async () => {
    vi.useFakeTimers()
    const asking = { debounceMs: 100 }
    const look = main.look('app.checkPath', { path: '/a' }, asking)
    await vi.advanceTimersByTimeAsync(99)
    look.turn({ path: '/ab' }, asking)
    await vi.advanceTimersByTimeAsync(99)
    expect(main.requests).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(main.requests).toEqual([{ path: '/ab' }])
    look.turn({ path: '/abc' }, asking)
    look.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(main.requests).toHaveLength(1)
  })

  it("fails with main's error, is not retried automatically, and is pending again on a retry", async () => {
    const look = main.look('runner.find', {})
    await main.refuse(0)
    expect(look.now).toMatchObject({ status: 'error', error: PROBLEM })
    expect(main.requests).toHaveLength(1)
    const retried = look.retry()
    await expect.poll(() => main.requests.length).toBe(2)
    expect(look.now.isPending).toBe(true)
    await main.answer(1, [])
    await retried
    expect(look.now.data).toEqual([])
  })

  it('is sent again on a retry during the first one, whose response is ignored', async () => {
    const look = main.look('runner.find', {})
    const retried = look.retry()
    await expect.poll(() => main.requests.length).toBe(2)
    await main.answer(0, ['docker'])
    expect(look.now.data).toBeUndefined()
    await main.answer(1, ['npx'])
    await retried
    expect(look.now.data).toEqual(['npx'])
  })
})

describe('the last response', () => {
  const before = { value: 1, problem: undefined }
  const waiting = { isPending: true, data: undefined, problem: undefined }

  it('stays during another request, and next to its failure', () => {
    expect(keepLastGood(before, waiting)).toBe(before)
    const failed = keepLastGood(before, { ...waiting, isPending: false, problem: PROBLEM })
    expect(failed).toEqual({ value: 1, problem: PROBLEM })
    expect(keepLastGood(failed, waiting)).toBe(failed)
  })

  it('is replaced by the next response, and so is its problem', () => {
    const failed = { value: 1, problem: PROBLEM }
    const answered = keepLastGood(failed, { isPending: false, data: 2, problem: undefined })
    expect(answered).toEqual({ value: 2, problem: undefined })
  })
})
