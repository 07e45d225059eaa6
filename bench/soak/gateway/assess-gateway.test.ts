import { describe, expect, it } from 'vitest'

import { growth } from './assess-gateway'

function grown(...heap: number[]): number {
  const memory = heap.map((heapMb) => ({ heapMb, rssMb: 1 }))
  return growth(memory, 'heapMb')
}

describe('memory growth', () => {
  it('counts from the warm state, without peaks', () => {
    expect(grown(10, 40, 50, 50, 50, 50, 50, 50, 50)).toBe(1)
    const long = Array.from({ length: 60 }, (_, at) => (at % 10 === 0 ? 90 : 50))
    expect(grown(...long)).toBe(1)
  })

  it('is found in few values and in many', () => {
    expect(grown(10, 20, 30)).toBe(1.5)
    expect(grown(...Array.from({ length: 60 }, (_, at) => 100 + 10 * at))).toBeGreaterThan(1.5)
  })
})
