import { describe, expect, it } from 'vitest'

import { nearestRow } from './virtual-list'

describe('D2: rows of a virtual list', () => {
  it('are reached across headings, and never beyond the ends', () => {
    const rows = ['head', 'row', 'row', 'head', 'row', 'row']
    const from = (index: number, isUp: boolean): number | undefined =>
      nearestRow(index, isUp, rows.length, (at) => rows[at] === 'row')
    expect(from(3, false)).toBe(4)
    expect(from(3, true)).toBe(2)
    expect(from(0, true)).toBe(1)
    expect(from(5, false)).toBe(5)
    expect(nearestRow(0, false, 0, () => true)).toBeUndefined()
  })
})
