import { describe, expect, it } from 'vitest'

import { assess, slope, warmUp } from './assess'
import type { Census } from './census'

const STEADY: Census = {
  handles: 2,
  processes: 0,
  processListeners: 5,
  signalListeners: 0,
  sessions: 0,
  transports: 0,
  logs: 10,
  timers: 3,
  emitters: 44,
  abortSignals: 1,
  promises: 160,
  closures: 24_000,
  heapKb: 20_000,
}

/** Twenty cycles, each changed by `change`. */
function soak(change: (cycle: number) => Partial<Census>): string[] {
  const censuses = Array.from({ length: 20 }, (_, cycle): Census => {
    const changed = change(cycle) as Record<string, number>
    return { ...STEADY, ...changed }
  })
  return assess(censuses, 1).flatMap(({ metric, ok }) => (ok ? [] : [metric]))
}

describe('the assessment of a soak', () => {
  it('accepts a steady run, and one that only warms up', () => {
    expect(soak(() => ({}))).toEqual([])
    expect(soak((cycle) => ({ heapKb: 20_000 + Math.min(cycle, 3) * 900 }))).toEqual([])
  })

  it('accepts one outlier', () => {
    expect(soak((cycle) => (cycle === 11 ? { handles: 4, heapKb: 90_000 } : {}))).toEqual([])
  })

  it('finds an additional handle, process or listener, whenever it came', () => {
    expect(soak((cycle) => ({ handles: cycle > 12 ? 3 : 2 }))).toEqual(['handles-left'])
    expect(soak((cycle) => ({ processes: cycle > 12 ? 1 : 0 }))).toEqual(['processes-left'])
    expect(soak((cycle) => ({ signalListeners: cycle }))).toEqual(['signalListeners-left'])
  })

  it('finds one additional object per cycle', () => {
    expect(soak((cycle) => ({ sessions: cycle }))).toEqual(['sessions-per-cycle'])
    expect(soak((cycle) => ({ closures: 24_000 + cycle }))).toEqual(['closures-per-cycle'])
  })

  it('finds a growing heap despite outliers', () => {
    const jumps = (cycle: number): number => ((cycle * 7_919) % 13) * 20
    expect(soak((cycle) => ({ heapKb: 20_000 + jumps(cycle) }))).toEqual([])
    expect(soak((cycle) => ({ heapKb: 20_000 + cycle * 60 + jumps(cycle) }))).toEqual([
      'heap-kb-per-cycle',
    ])
  })

  it("measures a slope that a few outliers don't change", () => {
    expect(slope([0, 2, 4, 6, 8])).toBe(2)
    expect(slope([0, 2, 400, 6, 8, 10, 12])).toBeCloseTo(2)
  })

  it('counts per cycle, however rarely it is sampled', () => {
    const censuses = [0, 10, 20, 30, 40, 50].map((sessions): Census => ({ ...STEADY, sessions }))
    const perCycle = assess(censuses, 5).find(({ metric }) => metric === 'sessions-per-cycle')
    expect(perCycle?.value).toBe(2)
  })

  it('leaves cycles to assess, however few there are', () => {
    expect([5, 20, 200].map(warmUp)).toEqual([3, 4, 40])
  })
})
