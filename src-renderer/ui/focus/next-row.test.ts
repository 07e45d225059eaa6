import { describe, expect, it } from 'vitest'

import { nextRow } from './next-row'

describe('D2: keyboard navigation in a list', () => {
  it('moves between rows and stays inside the list', () => {
    expect(nextRow('ArrowDown', 3, 5, 4)).toBe(4)
    expect(nextRow('ArrowDown', 4, 5, 4)).toBe(4)
    expect(nextRow('ArrowUp', 0, 5, 4)).toBe(0)
    expect(nextRow('PageDown', 0, 50, 4)).toBe(4)
    expect(nextRow('PageUp', 3, 50, 4)).toBe(0)
    expect(nextRow('End', 0, 5, 4)).toBe(4)
    expect(nextRow('Home', 4, 5, 4)).toBe(0)
    expect(nextRow('x', 4, 5, 4)).toBeUndefined()
    expect(nextRow('Home', 0, 0, 4)).toBeUndefined()
  })

  it('moves in a grid of cards to neighbors and lines', () => {
    const from = (place: number) => (key: string) => nextRow(key, place, 5, 2, 2)
    const keys = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Tab']
    expect(keys.map(from(1))).toEqual([2, 0, 3, 0, 4, 0, undefined])
    expect(keys.map(from(4))).toEqual([4, 3, 4, 2, 4, 0, undefined])
  })
})
