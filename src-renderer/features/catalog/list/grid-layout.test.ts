import { describe, expect, it } from 'vitest'

import { layoutGrid, nextPlace } from './grid-layout'

describe('D2 the grid of cards', () => {
  it('has as many columns as fit, at least one, and grows with the size of the text', () => {
    expect([200, 503, 504, 760].map((width) => layoutGrid(width, 16).columns)).toEqual([1, 1, 2, 3])
    expect(layoutGrid(760, 32).columns).toBe(1)
    expect(layoutGrid(300, 16).cardHeight).toBeLessThan(layoutGrid(600, 16).cardHeight)
  })

  it('leads the arrows to neighbours and rows, and never beyond the ends', () => {
    const grid = { columns: 2, total: 5, rows: 2 }
    const from = (place: number) => (key: string) => nextPlace(key, place, grid)
    expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'End'].map(from(1))).toEqual([
      2,
      0,
      3,
      undefined,
      4,
    ])
    expect(['ArrowRight', 'ArrowDown', 'PageDown', 'PageUp', 'Home', 'Tab'].map(from(4))).toEqual([
      undefined,
      undefined,
      4,
      0,
      0,
      undefined,
    ])
  })
})
