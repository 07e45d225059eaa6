import { describe, expect, it } from 'vitest'

import { withDescendants } from './process-tree'
import { parsePs } from './system-processes'
import { parseWindowsTable } from './windows-processes'

describe('B6: process tables of other systems', () => {
  it('macOS: parses each line and marks zombies', () => {
    const text = [
      '    1     0     1 Ss    12000   1:02.34 Sun Nov 22 04:00:00 2026    ',
      '  310     1   310 S      9032   0:00.12 Sun Nov  1 04:15:39 2026',
      '  311   310   310 Z         0   0:00.00 Sun Nov 22 04:15:40 2026',
      'nonsense',
    ].join('\n')
    const table = parsePs(text)
    expect([...table.keys()]).toEqual([1, 310, 311])
    expect(table.get(310)).toEqual({
      pid: 310,
      parent: 1,
      group: 310,
      startTime: 'Sun Nov 1 04:15:39 2026',
      isDead: false,
      rssBytes: 9_032 * 1_024,
      cpuMs: 120,
    })
    expect([...withDescendants(table, [310]).keys()].map(({ pid }) => pid)).toEqual([310])
  })

  it.each([
    ['0:00.12', 120],
    ['1:02.34', 62_340],
    ['1234:56.78', 74_096_780],
    ['01:02:03', 3_723_000],
    ['2-01:00:00', 176_400_000],
    ['-', 0],
  ])('macOS and Linux: parse %s of processor time', (time, ms) => {
    const table = parsePs(`  310     1   310 S    9032 ${time} Sun Nov  1 04:15:39 2026`)
    expect(table.get(310)?.cpuMs).toBe(ms)
  })

  it('Windows: a process has no children older than itself', () => {
    const table = parseWindowsTable(
      [
        '10 4 133000000000000000 104857600 15625000',
        '11 10 133000000500000000 4096 0',
        '12 10 132000000000000000',
        '',
      ].join('\r\n'),
    )
    expect([...withDescendants(table, [10]).keys()].map(({ pid }) => pid)).toEqual([10, 11])
    expect(table.get(10)).toMatchObject({ rssBytes: 104_857_600, cpuMs: 1_562.5 })
    expect(table.get(12)).toMatchObject({ rssBytes: 0, cpuMs: 0 })
  })
})
