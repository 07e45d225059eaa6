import { describe, expect, it } from 'vitest'

import { parsePs } from './ps-processes'
import { withDescendants } from './tree-members'
import { parseWindowsTable } from './windows-processes'

describe('B6 what the tables of other systems say', () => {
  it('of macOS is read line by line, with zombies told apart', () => {
    const text = [
      '    1     0     1 Ss   Sun Nov 22 04:00:00 2026    ',
      '  310     1   310 S    Sun Nov  1 04:15:39 2026',
      '  311   310   310 Z    Sun Nov 22 04:15:40 2026',
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
    })
    expect([...withDescendants(table, [310]).keys()].map(({ pid }) => pid)).toEqual([310])
  })

  it('of Windows gives no child to a process that is younger than it', () => {
    const table = parseWindowsTable(
      ['10 4 133000000000000000', '11 10 133000000500000000', '12 10 132000000000000000', ''].join(
        '\r\n',
      ),
    )
    expect([...withDescendants(table, [10]).keys()].map(({ pid }) => pid)).toEqual([10, 11])
  })
})
