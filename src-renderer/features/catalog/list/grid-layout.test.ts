import { describe, expect, it } from 'vitest'

import { layoutGrid } from './grid-layout'

describe('D2 the grid of cards', () => {
  it('has as many columns as fit, at least one, and grows with the size of the text', () => {
    expect([200, 503, 504, 760].map((width) => layoutGrid(width, 16).columns)).toEqual([1, 1, 2, 3])
    expect(layoutGrid(760, 32).columns).toBe(1)
    expect(layoutGrid(300, 16).cardHeight).toBeLessThan(layoutGrid(600, 16).cardHeight)
  })
})
