import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type PacedWork, WorkPace } from './work-pace'

/** Time that passes while work is done, besides that of the timers. */
let worked = 0
const done: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  worked = 0
  done.length = 0
})
afterEach(() => vi.useRealTimers())

const open = (): WorkPace => new WorkPace(() => performance.now() + worked)

/** Work of so many steps, each of which takes a ms. */
function steps(left: number, name = 'x'): PacedWork {
  let rest = left
  return (isTimeUp) => {
    while (rest > 0) {
      rest -= 1
      worked += 1
      done.push(name)
      if (isTimeUp()) break
    }
    return rest > 0
  }
}

describe('B1 the time that lines take', () => {
  it('is taken immediately while it is little, then in windows by those that wait, in turns', () => {
    const pace = open()
    pace.do(steps(3, 'a'))
    pace.do(steps(30, 'b'))
    pace.do(steps(4, 'c'))
    expect(done.join('')).toBe(`aaa${'b'.repeat(9)}`)
    for (let windows = 0; windows < 3; windows += 1) vi.advanceTimersByTime(20)
    expect(done.join('')).toBe(`aaa${'b'.repeat(21)}cccc${'b'.repeat(9)}`)
  })

  it('is that of a flood once it was used up for a while, until it is enough again', () => {
    const pace = open()
    pace.do(steps(150))
    for (let windows = 0; windows < 5; windows += 1) vi.advanceTimersToNextTimer()
    expect(pace.isFlooded).toBe(false)
    for (let windows = 0; windows < 4; windows += 1) vi.advanceTimersToNextTimer()
    expect(pace.isFlooded).toBe(true)
    vi.advanceTimersByTime(500)
    expect([done.length, pace.isFlooded]).toEqual([150, false])
  })

  it.each([
    ['three fifths of all while there is always more', 20_000, 0.6],
    ['a twentieth of all while there is more to drop all the time', 10, 0.05],
  ])('is %s', (_what, dropsEveryMs, share) => {
    const pace = open()
    pace.do(steps(100_000))
    for (let passed = 0; passed < 20_000; passed += dropsEveryMs) {
      pace.drop()
      vi.advanceTimersByTime(dropsEveryMs)
    }
    expect(done.length / (20_000 + worked)).toBeGreaterThan(share / 2)
    expect(done.length / (20_000 + worked)).toBeLessThan(share * 1.5)
  })
})
