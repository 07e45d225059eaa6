import { describe, expect, it } from 'vitest'

import type { ProcessEntry } from './process-table'
import { TreeMeter } from './tree-meter'

const MEGABYTE = 1024 * 1024
const entry = (pid: number, cpuMs: number, part: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parent: 1,
  group: pid,
  startTime: '1',
  isDead: false,
  rssBytes: 10 * MEGABYTE,
  cpuMs,
  ...part,
})

describe('B11: memory and processor time of a process tree', () => {
  it('is the sum over its members, as a share of the elapsed time', () => {
    const meter = new TreeMeter()
    expect(meter.measure([entry(1, 5_000), entry(2, 100)], 1_000)).toEqual({
      use: { processes: 2, rssBytes: 20 * MEGABYTE },
      cpu: undefined,
    })
    expect(meter.measure([entry(1, 5_500), entry(2, 1_100)], 2_000)).toEqual({
      use: { processes: 2, rssBytes: 20 * MEGABYTE, cpuPercent: 150 },
      cpu: { cpuMs: 1_500, ofMs: 1_000 },
    })
  })

  it('counts a new member with its whole time, even under a recycled pid', () => {
    const meter = new TreeMeter()
    meter.measure([entry(1, 5_000), entry(2, 9_000)], 0)
    const { cpu } = meter.measure(
      [entry(1, 5_000), entry(2, 40, { startTime: '2' }), entry(3, 60)],
      1_000,
    )
    expect(cpu).toEqual({ cpuMs: 100, ofMs: 1_000 })
  })

  it('is never negative, and zero if no time has passed', () => {
    const meter = new TreeMeter()
    meter.measure([entry(1, 5_000)], 0)
    expect(meter.measure([entry(1, 4_000)], 1_000).cpu).toEqual({ cpuMs: 0, ofMs: 1_000 })
    expect(meter.measure([entry(1, 4_000)], 1_000).cpu).toBeUndefined()
  })
})
