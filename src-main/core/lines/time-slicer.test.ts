import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type SlicedTask, TimeSlicer } from './time-slicer'

/** Opens a slicer, and work of this many steps of one ms each. */
function open() {
  let spentMs = 0
  const done: string[] = []
  const slicer = new TimeSlicer(() => performance.now() + spentMs)
  const steps = (left: number, name = 'x'): SlicedTask => {
    let rest = left
    return (isTimeUp) => {
      while (rest > 0) {
        rest -= 1
        spentMs += 1
        done.push(name)
        if (isTimeUp()) break
      }
      return rest > 0
    }
  }
  return { slicer, steps, done, spent: () => spentMs }
}

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

describe('B1: the CPU time for lines', () => {
  it('is used immediately if little is needed', () => {
    const { slicer, steps, done } = open()
    slicer.schedule(steps(3))
    expect(done).toHaveLength(3)
  })

  it('is used in short slices, in the order of waiting work', () => {
    const { slicer, steps, done } = open()
    slicer.schedule(steps(20, 'a'))
    slicer.schedule(steps(4, 'b'))
    expect(done.join('')).toBe('a'.repeat(8))
    vi.advanceTimersByTime(60)
    expect(done.join('')).toBe(`${'a'.repeat(16)}${'b'.repeat(4)}${'a'.repeat(4)}`)
  })

  it('counts as exceeded in a flood, until a pause', () => {
    const { slicer, steps } = open()
    slicer.schedule(steps(200))
    vi.advanceTimersByTime(140)
    expect(slicer.isFlooded).toBe(false)
    vi.advanceTimersByTime(40)
    expect(slicer.isFlooded).toBe(true)
    vi.advanceTimersByTime(500)
    slicer.schedule(steps(1))
    expect(slicer.isFlooded).toBe(false)
  })

  it.each([
    ['three fifths of the total under constant load', 20_000, 0.6],
    ['nearly the same with occasional drops', 100, 0.6],
    ['a twentieth of the total with constant drops', 10, 0.05],
  ])('is limited to %s', (_what, dropsEveryMs, share) => {
    const { slicer, steps, done, spent } = open()
    slicer.schedule(steps(100_000))
    for (let passed = 0; passed < 20_000; passed += dropsEveryMs) {
      slicer.drop()
      vi.advanceTimersByTime(dropsEveryMs)
    }
    // Time also passes during work.
    const all = 20_000 + spent()
    expect(done.length / all).toBeGreaterThan(share / 2)
    expect(done.length / all).toBeLessThan(share * 1.5)
  })
})
