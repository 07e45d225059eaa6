import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { RequestDeadline } from './pending-requests'

let over: string[]
const open = (timeoutMs: number, maxTotalMs: number): RequestDeadline =>
  new RequestDeadline('tools/call', { timeoutMs, maxTotalMs }, ({ message }) => over.push(message))

beforeEach(() => {
  over = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('B3: the deadline of a request', () => {
  it('expires once, after its time without progress', () => {
    open(1_000, 5_000)
    vi.advanceTimersByTime(999)
    expect(over).toEqual([])
    vi.advanceTimersByTime(10_000)
    expect(over).toEqual(['The server did not answer tools/call within 1 s.'])
  })

  it('restarts with progress, up to its hard limit', () => {
    const deadline = open(1_000, 2_500)
    for (let at = 0; at < 4; at += 1) {
      vi.advanceTimersByTime(600)
      deadline.progress()
    }
    expect(over).toEqual([])
    vi.advanceTimersByTime(100)
    expect(over).toEqual([expect.stringContaining('was still working on tools/call after 2.5 s')])
  })

  it('never expires once disposed, even while paused', () => {
    const deadline = open(1_000, 2_000)
    const rest = deadline.pause()
    deadline[Symbol.dispose]()
    rest[Symbol.dispose]()
    deadline.pause()
    deadline.progress()
    vi.advanceTimersByTime(10_000_000)
    expect([over, vi.getTimerCount()]).toEqual([[], 0])
  })

  it('pauses together with the hard limit, and then restarts completely', () => {
    const deadline = open(1_000, 2_000)
    vi.advanceTimersByTime(900)
    const [first, second] = [deadline.pause(), deadline.pause()]
    vi.advanceTimersByTime(100_000)
    first[Symbol.dispose]()
    vi.advanceTimersByTime(100_000)
    deadline.progress()
    second[Symbol.dispose]()
    second[Symbol.dispose]()
    vi.advanceTimersByTime(900)
    deadline.progress()
    vi.advanceTimersByTime(199)
    expect(over).toEqual([])
    vi.advanceTimersByTime(1)
    expect(over).toEqual([expect.stringContaining('after 2 s')])
  })

  it('pauses for at most an hour in total', () => {
    const deadline = open(1_000, 2_000)
    deadline.pause()[Symbol.dispose]()
    const rest = deadline.pause()
    vi.advanceTimersByTime(2_000_000)
    rest[Symbol.dispose]()
    deadline.pause()
    vi.advanceTimersByTime(1_599_999)
    expect(over).toEqual([])
    vi.advanceTimersByTime(1)
    expect(over).toHaveLength(1)
  })
})
