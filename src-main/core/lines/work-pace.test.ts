import { afterEach, describe, expect, it, vi } from 'vitest'

import { type PacedWork, WorkPace } from './work-pace'

/** Work of `left` steps, each of which takes a ms of `clock`. */
function steps(clock: { now: number }, left: number, log: string[], name = 'x'): PacedWork {
  let rest = left
  return (isTimeUp) => {
    while (rest > 0) {
      rest -= 1
      clock.now += 1
      log.push(name)
      if (isTimeUp()) break
    }
    return rest > 0
  }
}

afterEach(() => vi.useRealTimers())

describe('B1 the time that lines take', () => {
  it('is taken at once while it is little', () => {
    const clock = { now: 0 }
    const done: string[] = []
    new WorkPace(() => clock.now).do(steps(clock, 3, done))
    expect(done).toHaveLength(3)
  })

  it('is taken in turns that are short, and by those who wait in their order', async () => {
    const clock = { now: 0 }
    const done: string[] = []
    const pace = new WorkPace(() => clock.now)
    pace.do(steps(clock, 20, done, 'a'))
    pace.do(steps(clock, 4, done, 'b'))
    expect(done.join('')).toBe('a'.repeat(8))
    await expect.poll(() => done.length).toBe(24)
    expect(done.join('')).toBe(`${'a'.repeat(16)}${'b'.repeat(4)}${'a'.repeat(4)}`)
  })

  it('runs out in a flood, and comes back once the flood is over', () => {
    const clock = { now: 0 }
    const pace = new WorkPace(() => clock.now)
    expect(pace.isFlooded).toBe(false)
    pace.doAll(steps(clock, 100, []))
    expect(pace.isFlooded).toBe(true)
    clock.now += 100
    expect(pace.isFlooded).toBe(true)
    clock.now += 2_000
    expect(pace.isFlooded).toBe(false)
  })

  it.each([
    ['three fifths of all while there is always more', 20_000, 0.6],
    ['the same where something is dropped now and then', 100, 0.6],
    ['a twentieth of all while there is more to drop all the time', 10, 0.05],
  ])('is %s', (_what, dropsEveryMs, share) => {
    vi.useFakeTimers()
    const clock = { now: 0 }
    const done: string[] = []
    const pace = new WorkPace(() => performance.now() + clock.now)
    pace.do(steps(clock, 100_000, done))
    for (let passed = 0; passed < 20_000; passed += dropsEveryMs) {
      pace.drop()
      vi.advanceTimersByTime(dropsEveryMs)
    }
    const all = 20_000 + clock.now
    expect(done.length / all).toBeGreaterThan(share / 2)
    expect(done.length / all).toBeLessThan(share * 1.5)
  })

  it('is that of any other flood soon after a torrent', () => {
    const clock = { now: 0 }
    const pace = new WorkPace(() => clock.now)
    pace.doAll(steps(clock, 100, []))
    pace.drop()
    pace.drop()
    clock.now += 40
    expect(pace.isFlooded).toBe(true)
    clock.now += 160
    expect(pace.isFlooded).toBe(false)
  })
})
