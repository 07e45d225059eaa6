import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { pollWhileSeen } from './poll-while-seen'

class Page extends EventTarget {
  hidden = false

  turn(hidden: boolean): void {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

const EVERY_MS = 5_000

describe('B11: figures are read again and again', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const begin = (page: Page) => {
    const look = vi.fn(() => Promise.resolve())
    return { look, stop: pollWhileSeen(page, EVERY_MS, look) }
  }

  it('at once, and then a time after each look', async () => {
    const { look, stop } = begin(new Page())
    expect(look).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS)
    expect(look).toHaveBeenCalledTimes(4)
    stop()
    await vi.advanceTimersByTimeAsync(3 * EVERY_MS)
    expect(look).toHaveBeenCalledTimes(4)
  })

  it('never while the page is hidden, and at once when it is shown', async () => {
    const page = new Page()
    const { look, stop } = begin(page)
    await vi.advanceTimersByTimeAsync(0)
    page.turn(true)
    await vi.advanceTimersByTimeAsync(10 * EVERY_MS)
    expect(look).toHaveBeenCalledTimes(1)
    page.turn(false)
    expect(look).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(EVERY_MS)
    expect(look).toHaveBeenCalledTimes(3)
    stop()
  })

  it('never twice at the same time, however often the page is turned', async () => {
    const page = new Page()
    const answers: (() => void)[] = []
    const look = vi.fn(() => new Promise<void>((answer) => answers.push(answer)))
    const stop = pollWhileSeen(page, EVERY_MS, look)
    page.turn(true)
    page.turn(false)
    expect(look).toHaveBeenCalledTimes(1)
    answers[0]?.()
    await vi.advanceTimersByTimeAsync(EVERY_MS)
    expect(look).toHaveBeenCalledTimes(2)
    stop()
  })
})
