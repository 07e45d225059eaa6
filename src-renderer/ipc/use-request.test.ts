import { notifyManager } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { WatchedQueries } from '../../e2e/fixtures/watched-query'
import { keepLastGood } from './use-request'

const PROBLEM = { code: 'INTERNAL', message: 'No.' } as const

describe('a question to main', () => {
  let main: WatchedQueries
  beforeEach(() => {
    main = new WatchedQueries()
  })
  afterEach(() => {
    vi.useRealTimers()
    main[Symbol.dispose]()
  })

  it('is asked for each other input, and not without one', () => {
    const look = main.look('runner.list', undefined)
    expect(main.asked).toEqual([])
    look.turn({ fresh: false })
    look.turn({ fresh: false })
    look.turn({ fresh: true })
    expect(main.asked).toEqual([{ fresh: false }, { fresh: true }])
  })

  it('tells screens its answer in the tick that brings it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const reported = vi.fn()
    main.queries.getQueryCache().subscribe(notifyManager.batchCalls(reported))
    main.look('runner.find', {})
    await main.answer(0, [])
    expect(reported.mock.lastCall).toMatchObject([{ action: { type: 'success' } }])
  })

  it('is asked again when what it is made of is another, however alike it looks', () => {
    const state = { of: 1 }
    const look = main.look('runner.find', {}, { state: [state, 1] })
    look.turn({}, { state: [state, 1] })
    expect(main.asked).toHaveLength(1)
    look.turn({}, { state: [{ of: 1 }, 1] })
    expect(main.asked).toHaveLength(2)
  })

  it('drops the answer that comes too late', async () => {
    const look = main.look('runner.find', {}, { state: [1] })
    look.turn({}, { state: [2] })
    await main.answer(1, ['npx'])
    await main.answer(0, ['docker'])
    expect(look.now.data).toEqual(['npx'])
    look.turn({}, { state: [1] })
    expect(look.now.data).toBeUndefined()
    expect(main.asked).toHaveLength(3)
  })

  it('is asked again by each new look, of what stays once for each state', async () => {
    for (const [stays, times] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const before = main.asked.length
      const asking = { state: [String(stays)], stays }
      const look = main.look('runner.find', {}, asking)
      await main.answer(before, ['npx'])
      look.stop()
      const next = main.look('runner.find', {}, asking)
      expect(next.now.data).toEqual(['npx'])
      expect(main.asked.length - before).toBe(times)
      next.stop()
    }
  })

  it('is sent once the input rests, and not at all when nobody waits any more', async () => {
    vi.useFakeTimers()
    const asking = { restMs: 100 }
    const look = main.look('app.checkPath', { path: '/a' }, asking)
    await vi.advanceTimersByTimeAsync(99)
    look.turn({ path: '/ab' }, asking)
    await vi.advanceTimersByTimeAsync(99)
    expect(main.asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(main.asked).toEqual([{ path: '/ab' }])
    look.turn({ path: '/abc' }, asking)
    look.stop()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(main.asked).toHaveLength(1)
  })

  it('fails with what main says, is not tried again automatically, and waits again on a retry', async () => {
    const look = main.look('runner.find', {})
    await main.refuse(0)
    expect(look.now).toMatchObject({ status: 'error', error: PROBLEM })
    expect(main.asked).toHaveLength(1)
    const retried = look.retry()
    await expect.poll(() => main.asked.length).toBe(2)
    expect(look.now.isPending).toBe(true)
    await main.answer(1, [])
    await retried
    expect(look.now.data).toEqual([])
  })

  it('is asked again on a retry while the first answer is on its way, which is dropped', async () => {
    const look = main.look('runner.find', {})
    const retried = look.retry()
    await expect.poll(() => main.asked.length).toBe(2)
    await main.answer(0, ['docker'])
    expect(look.now.data).toBeUndefined()
    await main.answer(1, ['npx'])
    await retried
    expect(look.now.data).toEqual(['npx'])
  })
})

describe('the last answer', () => {
  const before = { value: 1, problem: undefined }
  const waiting = { isPending: true, data: undefined, problem: undefined }

  it('stays while another answer is on its way, and beside the reason why there is none', () => {
    expect(keepLastGood(before, waiting)).toBe(before)
    const failed = keepLastGood(before, { ...waiting, isPending: false, problem: PROBLEM })
    expect(failed).toEqual({ value: 1, problem: PROBLEM })
    expect(keepLastGood(failed, waiting)).toBe(failed)
  })

  it('goes with the next answer, and its problem too', () => {
    const failed = { value: 1, problem: PROBLEM }
    const answered = keepLastGood(failed, { isPending: false, data: 2, problem: undefined })
    expect(answered).toEqual({ value: 2, problem: undefined })
  })
})
